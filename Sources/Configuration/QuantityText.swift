import GNSS
public import Scheduling

/// Lengths of time as people write them.
public enum DurationText {
    /// The units, longest first, each with its canonical spelling in front.
    private static let units: [(names: [String], nanoseconds: Int64)] = [
        (["w", "week", "weeks"], 604_800_000_000_000),
        (["d", "day", "days"], 86_400_000_000_000),
        (["h", "hr", "hour", "hours"], 3_600_000_000_000),
        (["min", "m", "minute", "minutes"], 60_000_000_000),
        (["s", "sec", "second", "seconds"], 1_000_000_000),
        (["ms", "msec"], 1_000_000),
    ]

    /// The span of `10s`, `5min`, `1h30m`, `1.5 h`, `250ms`, or seconds without a unit; `nil` otherwise.
    ///
    /// Never negative; each unit at most once is not asked for, the parts are added. A span that overflows
    /// is not one.
    public static func parse(_ text: String) -> TimeSpan? {
        var rest = text.lowercased()[...]
        var total: Int64 = 0
        var parts = 0
        while true {
            rest = rest.drop { $0 == " " }
            guard !rest.isEmpty else { break }
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(name.count)
            let unit: Int64
            if name.isEmpty {
                // A bare number is seconds, and then it is all there is.
                guard parts == 0, rest.isEmpty else { return nil }
                unit = 1_000_000_000
            } else {
                guard let known = units.first(where: { $0.names.contains(String(name)) }) else {
                    return nil
                }
                unit = known.nanoseconds
            }
            guard let number = DecimalText.parse(String(digits)), number >= 0 else { return nil }
            let nanoseconds = (number * Double(unit)).rounded()
            guard nanoseconds < 9e18 else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(Int64(nanoseconds))
            guard !overflow else { return nil }
            total = sum
            parts += 1
        }
        return parts == 0 ? nil : TimeSpan(nanoseconds: total)
    }

    /// The canonical text, as `1h30min`, down to milliseconds; negative spans as `-…`.
    public static func format(_ span: TimeSpan) -> String {
        guard span.nanoseconds > Int64.min else { return "-292y" }
        var rest = abs(span.nanoseconds)
        var text = span.nanoseconds < 0 ? "-" : ""
        for unit in units.dropFirst() where rest >= unit.nanoseconds {
            text += "\(rest / unit.nanoseconds)\(unit.names[0])"
            rest %= unit.nanoseconds
        }
        return text.isEmpty || text == "-" ? "0s" : text
    }
}

/// Sizes in bytes as people write them.
public enum SizeText {
    /// The bytes of `512`, `64K`, `10M`, `1.5GiB` (powers of 1024); `nil` otherwise.
    public static func parse(_ text: String) -> Int64? {
        let lower = text.lowercased()
        let digits = lower.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = lower.dropFirst(digits.count).drop { $0 == " " }
        let factors: [String: Double] = [
            "": 1, "b": 1, "k": 1024, "m": 1_048_576, "g": 1_073_741_824, "t": 1_099_511_627_776,
        ]
        var letter = String(unit)
        if letter.hasSuffix("ib") {
            letter.removeLast(2)
        } else if letter.count == 2, letter.hasSuffix("b") {
            letter.removeLast()
        }
        guard let number = DecimalText.parse(String(digits)), let factor = factors[letter] else {
            return nil
        }
        let bytes = (number * factor).rounded()
        return bytes >= 0 && bytes < 9e18 ? Int64(bytes) : nil
    }
}

/// Decimal numbers in one spelling, whatever the locale.
public enum DecimalText {
    /// The number of `-12.5`; no exponent, no hexadecimal, no infinity, no NaN, no thousands separator.
    public static func parse(_ text: String) -> Double? {
        var digits = text[...]
        if digits.first == "-" || digits.first == "+" { digits = digits.dropFirst() }
        let points = digits.utf8.count { $0 == UInt8(ascii: ".") }
        guard points <= 1, digits.utf8.count > points, digits.utf8.count <= 40,
            digits.utf8.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") })
        else { return nil }
        return Double(text)
    }

    /// The shortest text with at most nine decimals.
    @Sendable public static func format(_ value: Double) -> String {
        var text = TextBuffer()
        text.append(value, decimals: 9, trimming: true)
        return text.string
    }
}
