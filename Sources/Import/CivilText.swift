import GNSS

/// Dates and times of day as tables hold them, taken apart.
enum CivilText {
    /// A day of the calendar.
    struct Day {
        let year: Int
        let month: Int
        let day: Int

        /// `nil` for a day that no calendar has.
        init?(_ year: Int, _ month: Int, _ day: Int) {
            guard (1900...2199).contains(year), (1...12).contains(month), day >= 1,
                UTCTime(year: year, month: month, day: day).date == (year, month, day)
            else { return nil }
            (self.year, self.month, self.day) = (year, month, day)
        }

        var dayNumber: Int64 { UTCTime.dayNumber(year: year, month: month, day: day) }
        var text: String { "\(year)-\(CivilText.two(month))-\(CivilText.two(day))" }
    }

    /// Three numbers that are a date in some order.
    struct Numbers {
        let parts: (Int, Int, Int)
        /// Whether the last one is a year of four digits.
        let hasYear: Bool
        /// The orders that a date written so may be in, the more usual first.
        let usual: [DateReading.Order]

        /// The day that they are in an order.
        func date(_ order: DateReading.Order) -> Day? {
            guard usual.contains(order) else { return nil }
            let last = hasYear ? parts.2 : CivilText.full(parts.2)
            return switch order {
            case .yearFirst: Day(CivilText.full(parts.0), parts.1, parts.2)
            case .dayFirst: Day(last, parts.1, parts.0)
            case .monthFirst: Day(last, parts.0, parts.1)
            }
        }
    }

    /// What a date is.
    enum Date {
        /// The year comes first and has four digits.
        case clear(Day?)
        case numbers(Numbers)
    }

    /// The date at the beginning of a text, and what stands behind it; `nil` where none can be meant.
    ///
    /// - Parameter isDate: whether it is nothing but a date, of which a table may have lost a zero in front.
    static func date(in text: String, isDate: Bool) -> (date: Date, rest: Substring)? {
        if let named = named(text) { return named }
        let runs = text.split(
            maxSplits: 3, omittingEmptySubsequences: false, whereSeparator: { !$0.isASCIIDigit })
        guard let first = runs.first, !first.isEmpty else { return nil }
        let behind = text[first.endIndex...]
        if behind.isEmpty || " T".contains(behind[behind.startIndex]) {
            return bare(first, isDate: isDate && behind.isEmpty).map { ($0, behind) }
        }
        guard runs.count >= 3, let sign = behind.first, "-/.".contains(sign),
            text[runs[1].endIndex...].first == sign, (1...2).contains(runs[1].utf8.count),
            let a = Int(first), let b = Int(runs[1]), let c = Int(runs[2].prefix(8))
        else { return nil }
        let rest = text[runs[2].endIndex...]
        guard rest.isEmpty || " T,".contains(rest[rest.startIndex]) else { return nil }
        if first.utf8.count == 4, (1...2).contains(runs[2].utf8.count) {
            return (.clear(Day(a, b, c)), rest)
        }
        guard (1...2).contains(first.utf8.count), [2, 4].contains(runs[2].utf8.count)
        else { return nil }
        let hasYear = runs[2].utf8.count == 4
        let usual: [DateReading.Order] =
            switch sign {
            // Where points stand between them, the day comes first.
            case ".": [.dayFirst]
            case "-" where !hasYear: [.yearFirst, .dayFirst, .monthFirst]
            default: hasYear ? [.dayFirst, .monthFirst] : [.dayFirst, .monthFirst, .yearFirst]
            }
        return (.numbers(Numbers(parts: (a, b, c), hasYear: hasYear, usual: usual)), rest)
    }

    /// A date whose month has its English name, perhaps behind that of a weekday: `05-Mar-2024`, `Tue, 5 Mar 2024`,
    /// `March 5, 2024`.
    private static func named(_ text: String) -> (date: Date, rest: Substring)? {
        guard text.utf8.prefix(10).contains(where: { $0 >= 65 && $0 != UInt8(ascii: "T") }) else {
            return nil
        }
        var words = text.split(maxSplits: 4) { " ,-/.".contains($0) }
        if let first = words.first, place(of: first, among: "sun mon tue wed thu fri sat") != nil {
            words.removeFirst()
        }
        guard words.count >= 3 else { return nil }
        let months = "jan feb mar apr may jun jul aug sep oct nov dec"
        guard
            let index = words.prefix(2).firstIndex(where: { place(of: $0, among: months) != nil }),
            let month = place(of: words[index], among: months)
        else { return nil }
        let others = words.prefix(3).indices.filter { $0 != index }.map { words[$0] }
        guard let a = Int(others[0]), let b = Int(others[1]) else { return nil }
        let isYearFirst = others[0].utf8.count == 4
        let (year, day) = isYearFirst ? (a, b) : (b, a)
        let isShort = !isYearFirst && others[1].utf8.count == 2
        return (.clear(Day(isShort ? full(year) : year, month, day)), text[words[2].endIndex...])
    }

    /// Which of some words of three letters one is or begins with, 1 for the first.
    private static func place(of word: Substring, among words: String) -> Int? {
        guard word.utf8.count >= 3, word.allSatisfy(\.isLetter) else { return nil }
        return words.split(separator: " ").firstIndex(of: Substring(word.lowercased().prefix(3)))
            .map { $0 + 1 }
    }

    /// A year of two digits as one of four; there are no fixes from before 1980.
    private static func full(_ year: Int) -> Int { year >= 80 ? 1900 + year : 2000 + year }

    /// A date in bare digits.
    private static func bare(_ digits: Substring, isDate: Bool) -> Date? {
        guard let number = Int(digits) else { return nil }
        switch digits.utf8.count {
        case 8,
            7 where isDate:
            if let day = Day(number / 10_000, number / 100 % 100, number % 100) {
                return .clear(day)
            }
            let parts = (number / 1_000_000, number / 10_000 % 100, number % 10_000)
            return .numbers(Numbers(parts: parts, hasYear: true, usual: [.dayFirst, .monthFirst]))
        case 6,
            5 where isDate:
            let parts = (number / 10_000, number / 100 % 100, number % 100)
            return .numbers(
                Numbers(
                    parts: parts, hasYear: false, usual: [.yearFirst, .dayFirst, .monthFirst]))
        default: return nil
        }
    }

    /// A time of day, with or without signs between, a fraction, AM or PM and a zone, as ISO 8601 has it.
    ///
    /// - Returns: `nil` for what is none.
    static func clock(_ text: some StringProtocol, _ reading: inout DateReading) -> String? {
        guard text.utf8.count <= 64 else { return nil }
        var rest = Substring(text.uppercased())
        if rest.first == "T" { rest = rest.dropFirst() }
        func digits() -> Substring {
            let run = rest.prefix { $0.isASCIIDigit }
            rest = rest.dropFirst(run.count)
            return run
        }
        func take(_ signs: String) -> Bool {
            guard let sign = rest.first, signs.contains(sign) else { return false }
            rest = rest.dropFirst()
            return true
        }
        var numbers = [digits()]
        while numbers.count < 3, take(":") { numbers.append(digits()) }
        var fraction: Substring = ""
        if numbers.count != 2, take(".,") {
            fraction = digits()
            guard !fraction.isEmpty else { return nil }
        }
        while take(" ") {}
        let half = ["AM", "PM"].first { rest.hasPrefix($0) }
        if half != nil {
            rest = rest.dropFirst(2)
            while take(" ") {}
        }
        // `GMT+0100 (CET)`
        rest = rest.prefix { $0 != "(" && $0 != " " }
        if rest.hasPrefix("UTC") || rest.hasPrefix("GMT") {
            rest = rest.dropFirst(3)
            if rest.isEmpty { rest = "Z" }
        }
        guard isZone(rest) else { return nil }
        var time: (hour: Int, minute: Int, second: Int)
        if numbers.count == 1 {
            guard let read = reading.clock(digits: numbers[0]) else { return nil }
            time = read
        } else {
            guard numbers.allSatisfy({ (1...2).contains($0.utf8.count) }),
                let hour = Int(numbers[0]), let minute = Int(numbers[1])
            else { return nil }
            time = (hour, minute, numbers.count == 3 ? Int(numbers[2]) ?? 60 : 0)
        }
        if let half {
            guard (1...12).contains(time.hour) else { return nil }
            reading.sawHalfDay()
            time.hour = time.hour % 12 + (half == "PM" ? 12 : 0)
        }
        guard time.hour < 24, time.minute < 60, time.second <= 60 else { return nil }
        let words = [time.hour, time.minute, time.second].map(two).joined(separator: ":")
        return words + (fraction.isEmpty ? "" : ".\(fraction)") + rest
    }

    /// Whether a text is a zone as ISO 8601 has it, or none.
    private static func isZone(_ text: Substring) -> Bool {
        guard let sign = text.first, text != "Z" else { return true }
        let hours = text.dropFirst().filter { $0 != ":" }
        return "+-".contains(sign) && (2...4).contains(hours.utf8.count)
            && hours.allSatisfy(\.isASCIIDigit)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Character {
    /// Whether it is one of `0` to `9`.
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension PointSink {
    /// The instant of a column or member, or of a time of day and a date beside it; empty text says nothing.
    mutating func time(
        _ text: String, on date: String, _ line: Int
    ) throws(ImportError) -> UTCTime? {
        if text.isEmpty { return date.isEmpty ? nil : try time(alone: date, isDate: true, line) }
        guard !date.isEmpty else { return try time(alone: text, isDate: false, line) }
        // Ten digits and more count from 1970.
        if let clock = CivilText.clock(text, &dates) {
            guard let (day, _) = try day(in: date, isDate: true, line) else {
                throw ImportError(line: line, message: "a date that is none")
            }
            return try time("\(day)T\(clock)", line)
        }
        guard text.utf8.count > 8 else {
            throw ImportError(line: line, message: "a time of day that is none")
        }
        return try time(alone: text, isDate: false, line)
    }

    /// The instant of one text.
    private mutating func time(
        alone text: String, isDate: Bool, _ line: Int
    ) throws(ImportError) -> UTCTime {
        if let time = TimeField.plain(text, zone, after: last) { return time }
        guard text.utf8.count <= 64, let (day, behind) = try day(in: text, isDate: isDate, line)
        else {
            if text.contains(":"), CivilText.clock(text, &dates) != nil {
                throw ImportError(line: line, message: "a time of day without a date")
            }
            return try time(text, line)
        }
        let rest = behind.drop { " T,".contains($0) }
        if rest.isEmpty { return try time(day, line) }
        guard let clock = CivilText.clock(rest, &dates) else {
            throw ImportError(line: line, message: "a time that is none")
        }
        return try time("\(day)T\(clock)", line)
    }

    /// The date at the beginning of a text, `2024-03-05`, and what stands behind it; `nil` where none can be meant.
    private mutating func day(
        in text: String, isDate: Bool, _ line: Int
    ) throws(ImportError) -> (day: String, rest: Substring)? {
        guard let (date, rest) = CivilText.date(in: text, isDate: isDate) else { return nil }
        let day: String? =
            switch date {
            case .clear(let day): day?.text
            case .numbers(let numbers): dates.date(numbers)
            }
        guard let day else {
            throw ImportError(
                line: line, message: "a date that is none, or in another order than those before")
        }
        return (day, rest)
    }
}
