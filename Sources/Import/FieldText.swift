import GNSS

/// Numbers as files hold them.
enum NumberField {
    /// A finite decimal number; words and hexadecimal are none.
    static func parse(_ text: some StringProtocol) -> Double? {
        let allowed = text.utf8.allSatisfy {
            ($0 >= 48 && $0 <= 57) || [43, 45, 46, 69, 101].contains($0)
        }
        guard allowed, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Degrees with a sign or a letter, and perhaps minutes and seconds behind them: `48.1N`, `47° 22' 36.5" S`.
    ///
    /// - Parameter letters: the one that is positive, and the other.
    static func angle(_ text: some StringProtocol, _ letters: String) -> Double? {
        var rest = Substring(text.uppercased())
        var letter: Character?
        if let last = rest.last, letters.contains(last) {
            letter = rest.removeLast()
        } else if let first = rest.first, letters.contains(first) {
            letter = rest.removeFirst()
        }
        let marks = "°º'’′\"”″:"
        let parts = rest.split { " ".contains($0) || marks.contains($0) }
        let numbers = parts.compactMap { parse($0) }
        guard (1...3).contains(numbers.count), numbers.count == parts.count,
            numbers.count == 1 || letter != nil || rest.contains(where: { marks.contains($0) }),
            numbers.dropFirst().allSatisfy({ 0..<60 ~= $0 }),
            numbers.dropLast().allSatisfy({ $0 == $0.rounded() })
        else { return nil }
        let size = zip(numbers, [1, 60, 3600]).reduce(0) { $0 + $1.0.magnitude / $1.1 }
        let isNegative = letter.map { $0 == letters.last || parts[0].hasPrefix("-") }
        return isNegative ?? parts[0].hasPrefix("-") ? -size : size
    }

    /// Whether text says that a value is not known, as tables of statistics have it.
    static func isUnknown(_ text: some StringProtocol) -> Bool {
        guard let first = text.utf8.first else { return true }
        return text.utf8.count <= 7 && !(48...57 ~= first)
            && ["na", "n/a", "nan", "null", "none", "nil", "-", "--", "unknown"]
                .contains(text.lowercased())
    }
}

/// Times as files hold them.
enum TimeField {
    /// ISO 8601 with a space or `T` and `-` or `/` in the date, or a number of ``instant(_:)``.
    ///
    /// - Parameter last: the time before it in the file, which tells the two of an hour that is repeated.
    static func parse(
        _ text: some StringProtocol, _ zone: TrackImporter.ZoneOffset, after last: UTCTime? = nil
    ) -> UTCTime? {
        guard text.utf8.count <= 64 else { return nil }
        var word = String(text)
        if let civil = compact(word) {
            word = civil
        } else if let number = NumberField.parse(text) {
            return instant(number)
        }
        if word.contains("/") {
            word = word.split(separator: "/", omittingEmptySubsequences: false)
                .joined(separator: "-")
        }
        word = yearFirst(word)
        if word.hasSuffix(" UTC") { word = word.dropLast(4) + "Z" }
        // With a zone of its own, adding another makes it unreadable.
        if let civil = UTCTime("\(word)Z") {
            return instant(civil, zone, after: last)
        }
        return UTCTime(word)
    }

    /// A time as most tables have it, `2024-03-05T10:00:00Z`; `nil` for any other.
    static func plain(
        _ text: String, _ zone: TrackImporter.ZoneOffset, after last: UTCTime?
    ) -> UTCTime? {
        let bytes = text.utf8
        guard (19...64).contains(bytes.count), bytes.dropFirst(4).first == UInt8(ascii: "-")
        else { return nil }
        return parse(text, zone, after: last)
    }

    /// The instant of a civil time; where clocks are put back there are two, and time does not run backwards.
    private static func instant(
        _ civil: UTCTime, _ zone: TrackImporter.ZoneOffset, after last: UTCTime?
    ) -> UTCTime {
        func ahead(_ milliseconds: Int64) -> Int64 {
            zone(UTCTime(milliseconds: civil.milliseconds + milliseconds))
        }
        let (before, after) = (ahead(-86_400_000), ahead(86_400_000))
        let first = UTCTime(milliseconds: civil.milliseconds - before)
        let second = UTCTime(milliseconds: civil.milliseconds - after)
        guard before > after, zone(first) == before, zone(second) == after else {
            let near = UTCTime(milliseconds: civil.milliseconds - ahead(0))
            return UTCTime(milliseconds: civil.milliseconds - zone(near))
        }
        guard let last else { return first }
        return first >= last ? first : second
    }

    /// Seconds since 1970; or milliseconds, microseconds or nanoseconds, each larger than any of the former in this age.
    ///
    /// Fourteen digits that are a date and a time of day, as `20240305100000`, are those: as milliseconds they would
    /// be from after 2500.
    static func instant(_ number: Double) -> UTCTime? {
        if number >= 1.9e13, number < 2.2e13, let civil = compact(String(Int64(number))) {
            return UTCTime("\(civil)Z")
        }
        let milliseconds =
            switch number.magnitude {
            case ..<1e11: number * 1000
            case ..<1e14: number
            case ..<1e17: number / 1000
            case ..<1e20: number / 1_000_000
            default: Double.nan
            }
        guard milliseconds.isFinite else { return nil }
        return UTCTime(milliseconds: Int64(milliseconds.rounded()))
    }

    /// ISO 8601's basic form, with or without `T`, as the extended one: eight digits of a date, six of a time of day and
    /// what follows; `nil` for anything else.
    private static func compact(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        let digits = bytes.prefix { $0 >= 48 && $0 <= 57 }.count
        func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        func date(_ time: Int) -> String? {
            guard bytes.count >= time + 6, bytes[time..<(time + 6)].allSatisfy({ 48...57 ~= $0 }),
                bytes.count == time + 6 || !(48...57 ~= bytes[time + 6])
            else { return nil }
            let civil =
                "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(time..<(time + 2)))"
                + ":\(part((time + 2)..<(time + 4))):\(part((time + 4)..<(time + 6)))"
            guard UTCTime("\(civil)Z") != nil, bytes[0] == 49 || bytes[0] == 50 else { return nil }
            return civil + part((time + 6)..<bytes.count)
        }
        if digits == 14 { return date(8) }
        guard digits == 8, bytes.count > 8, "Tt ".utf8.contains(bytes[8]) else { return nil }
        return date(9)
    }

    /// `05.03.2024` as `2024-03-05`: where points stand between them, the day comes first.
    private static func yearFirst(_ text: String) -> String {
        let date = text.prefix { "0123456789.".contains($0) }
        let parts = date.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].count == 4, (1...2).contains(parts[0].count),
            (1...2).contains(parts[1].count)
        else { return text }
        func two(_ part: Substring) -> String { part.count == 1 ? "0\(part)" : "\(part)" }
        return "\(parts[2])-\(two(parts[1]))-\(two(parts[0]))\(text.dropFirst(date.count))"
    }
}
