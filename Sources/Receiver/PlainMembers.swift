import GNSS

/// Goes through the members of an object as gpsd writes them, `,"name":value` one after another.
///
/// It stops where something else comes, and at the first value that is no number, word or text without escapes.
/// The bytes are those of a line that is being read.
@safe struct PlainMembers {
    /// The names that matter.
    enum Name: UInt32 {
        case mode, status, lat, lon, altHAE, altMSL, geoidSep, track, speed, climb
        case ept, epv, epd, eps, eph, epx, epy
        case time, alt, jam, ant
        case hdop, vdop, pdop, tdop, gdop, nSat, uSat
        /// Said at the beginning of the report.
        case `class`, device

        /// Their letters, in that order; none has more than eight.
        private static let letters = [
            "mode", "status", "lat", "lon", "altHAE", "altMSL", "geoidSep", "track", "speed",
            "climb", "ept", "epv", "epd", "eps", "eph", "epx", "epy", "time", "alt", "jam", "ant",
            "hdop", "vdop", "pdop", "tdop", "gdop", "nSat", "uSat", "class", "device",
        ].map { $0.utf8.reduce(0, pack) }

        /// Where each is found by its letters: its place, or the next free one behind it.
        private static let places = letters.enumerated().reduce(
            into: [(letters: UInt64, name: Name?)](repeating: (0, nil), count: 64)
        ) { places, named in
            var place = home(named.element)
            while places[place].letters != 0 { place = (place + 1) % 64 }
            places[place] = (named.element, Name(rawValue: UInt32(named.offset)))
        }

        /// Six bits of the product with the golden ratio (Knuth, "The Art of Computer Programming", 6.4).
        private static func home(_ letters: UInt64) -> Int {
            Int(truncatingIfNeeded: (letters &* 0x9E37_79B9_7F4A_7C15) >> 58)
        }

        /// The name of those letters, where it matters.
        fileprivate init?(_ letters: UInt64) {
            let places = Name.places
            var place = Name.home(letters)
            while places[place].letters != letters {
                guard places[place].letters != 0 else { return nil }
                place = (place + 1) % 64
            }
            guard let name = places[place].name else { return nil }
            self = name
        }
    }

    /// Which of them were there.
    struct Names {
        private var bits: UInt32 = 0

        func contains(_ name: Name) -> Bool { bits & 1 << name.rawValue != 0 }

        /// Adds one; false when it was there.
        mutating func insert(_ name: Name) -> Bool {
            defer { bits |= 1 << name.rawValue }
            return !contains(name)
        }
    }

    /// The name of the member, where it matters.
    private(set) var name: Name?
    /// Where the letters of a text are.
    private var text: Range<Int>?
    /// Whether the value is a number without an exponent.
    private var isNumber = false

    private let bytes: UnsafeRawBufferPointer
    private var place: Int
    /// The last eight letters of the text that was skipped last.
    private var lettersOfText: UInt64 = 0
    private var digits = 0
    private var decimals = 0
    private var mantissa: UInt64 = 0
    private var isNegative = false

    init(_ bytes: UnsafeRawBufferPointer, from place: Int) {
        unsafe self.bytes = bytes
        self.place = place
    }

    /// Whether the object ended after the last member.
    var isAtEnd: Bool { unsafe place == bytes.count - 1 && byte == UInt8(ascii: "}") }

    /// Goes to the next member; false when there is none of this kind, and stays behind the last one.
    mutating func next() -> Bool {
        let start = place
        guard skipMember() else {
            place = start
            return false
        }
        return true
    }

    private mutating func skipMember() -> Bool {
        guard skip(UInt8(ascii: ",")), let letters = skipText(), skip(UInt8(ascii: ":")) else {
            return false
        }
        name = letters.count > 8 ? nil : Name(lettersOfText)
        text = nil
        isNumber = false
        switch byte {
        case quote:
            text = skipText()
            guard text != nil else { return false }
        case UInt8(ascii: "t"): guard skip("true") else { return false }
        case UInt8(ascii: "f"): guard skip("false") else { return false }
        default: guard skipNumber() else { return false }
        }
        return true
    }

    /// Whether that is what comes instead of the next member.
    func isBefore(_ text: StaticString) -> Bool {
        var after = self
        return after.skip(text)
    }

    /// The number, as libgps makes it of its digits: both parts of the division are exact.
    var number: Double? {
        guard isNumber, digits <= 15 else { return nil }
        let value = Double(mantissa) / powersOfTen[decimals]
        return isNegative ? -value : value
    }

    /// A number without sign, point or more than three digits.
    var count: UInt8? {
        guard isNumber, !isNegative, decimals == 0, digits <= 3 else { return nil }
        return UInt8(clamping: mantissa)
    }

    /// The time, when it is spelled as gpsd does it: `2026-05-01T10:00:00.000Z`, no leap second.
    var time: UTCTime? {
        guard let text, text.count == 24 else { return nil }
        var place = text.lowerBound
        func number(_ digits: Int, before mark: Unicode.Scalar) -> Int? {
            var value = 0
            for _ in 0..<digits {
                let digit = unsafe bytes[place] &- 48
                guard digit <= 9 else { return nil }
                value = value * 10 + Int(digit)
                place += 1
            }
            defer { place += 1 }
            return unsafe bytes[place] == UInt8(ascii: mark) ? value : nil
        }
        guard let year = number(4, before: "-"), let month = number(2, before: "-"),
            let day = number(2, before: "T"), let hour = number(2, before: ":"),
            let minute = number(2, before: ":"), let second = number(2, before: "."),
            let thousandth = number(3, before: "Z"), (1...12).contains(month),
            (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let time = UTCTime(
            year: year, month: month, day: day,
            timeOfDay: ((hour * 60 + minute) * 60 + second) * 1000 + thousandth)
        // No 30th of February.
        return day <= 28 || time.date.day == day ? time : nil
    }

    private var byte: UInt8 { unsafe place < bytes.count ? bytes[place] : 0 }

    private mutating func skip(_ wanted: UInt8) -> Bool {
        guard byte == wanted else { return false }
        place += 1
        return true
    }

    private mutating func skip(_ letters: StaticString) -> Bool {
        let end = place + letters.utf8CodeUnitCount
        guard unsafe end <= bytes.count,
            letters.withUTF8Buffer({ unsafe bytes[place..<end].elementsEqual($0) })
        else { return false }
        place = end
        return true
    }

    private mutating func skipText() -> Range<Int>? {
        guard skip(quote) else { return nil }
        let start = place
        var letters: UInt64 = 0
        for place in unsafe start..<bytes.count {
            let byte = unsafe bytes[place]
            if byte == quote {
                self.place = place + 1
                lettersOfText = letters
                return start..<place
            }
            guard byte >= 32, byte < 127, byte != backslash else { return nil }
            letters = pack(letters, byte)
        }
        return nil
    }

    private mutating func skipNumber() -> Bool {
        isNegative = skip(UInt8(ascii: "-"))
        mantissa = 0
        let isZero = byte == UInt8(ascii: "0")
        digits = skipDigits()
        decimals = 0
        // RFC 8259, section 6: no number begins with a zero that could be left out.
        guard digits == 1 || digits > 1 && !isZero else { return false }
        if skip(UInt8(ascii: ".")) {
            decimals = skipDigits()
            guard decimals > 0 else { return false }
            digits += decimals
        }
        isNumber = true
        return digits < 19
    }

    private mutating func skipDigits() -> Int {
        var value = mantissa
        var end = place
        while unsafe end < bytes.count {
            let digit = unsafe bytes[end] &- 48
            guard digit <= 9 else { break }
            value = value &* 10 &+ UInt64(digit)
            end += 1
        }
        defer { place = end }
        mantissa = value
        return end - place
    }
}

private func pack(_ letters: UInt64, _ letter: UInt8) -> UInt64 {
    letters << 8 | UInt64(letter)
}

private let powersOfTen = (0...15).map { exponent in
    (0..<exponent).reduce(1.0) { power, _ in power * 10 }
}
private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
