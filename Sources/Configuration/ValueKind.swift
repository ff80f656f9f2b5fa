public import Scheduling

/// How the text of a setting or an option becomes a value, and back.
public struct ValueKind<Value: Sendable>: Sendable {
    /// What is expected, to be read after "expected": `a duration from 1s to 1d`.
    public let expects: String
    /// The value of a text without surrounding blanks, `nil` when it is not one or out of range.
    public let parse: @Sendable (String) -> Value?
    /// The canonical text of a value; ``parse`` gives the value back.
    public let format: @Sendable (Value) -> String

    /// A kind of value.
    public init(
        expects: String, parse: @escaping @Sendable (String) -> Value?,
        format: @escaping @Sendable (Value) -> String
    ) {
        self.expects = expects
        self.parse = parse
        self.format = format
    }

    /// The same, where `word` stands for no value.
    public func orNone(_ word: String) -> ValueKind<Value?> {
        let kind = self
        return ValueKind<Value?>(
            expects: "\(expects), or \(word)",
            parse: { text in
                if text.lowercased() == word { return .some(nil) }
                return kind.parse(text).map(Optional.some)
            },
            format: { $0.map(kind.format) ?? word })
    }

    /// The same value kept as another type.
    public func map<Other: Sendable>(
        to: @escaping @Sendable (Value) -> Other, from: @escaping @Sendable (Other) -> Value
    ) -> ValueKind<Other> {
        let kind = self
        return ValueKind<Other>(
            expects: expects, parse: { kind.parse($0).map(to) }, format: { kind.format(from($0)) })
    }
}

extension ValueKind where Value == String {
    /// Any text that is not empty; `what` says what it should be, as `a file name`.
    public static func text(_ what: String) -> ValueKind {
        ValueKind(expects: what, parse: { $0.isEmpty ? nil : $0 }, format: { $0 })
    }
}

extension ValueKind where Value == Bool {
    /// `yes` or `no`, with the other spellings systemd takes.
    public static var boolean: ValueKind {
        ValueKind(
            expects: "yes or no",
            parse: { text in
                switch text.lowercased() {
                case "yes", "true", "on", "1", "y", "t": true
                case "no", "false", "off", "0", "n", "f": false
                default: nil
                }
            },
            format: { $0 ? "yes" : "no" })
    }
}

extension ValueKind where Value == Int {
    /// A whole number in `range`.
    public static func integer(_ range: ClosedRange<Int>, unit: String = "") -> ValueKind {
        let unit = unit.isEmpty ? "" : " of \(unit)"
        return ValueKind(
            expects: "a whole number\(unit) from \(range.lowerBound) to \(range.upperBound)",
            parse: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } },
            format: { String($0) })
    }
}

extension ValueKind where Value == Double {
    /// A decimal number in `range`, with a point and without an exponent.
    public static func number(_ range: ClosedRange<Double>, unit: String) -> ValueKind {
        ValueKind(
            expects: "a number of \(unit) from \(DecimalText.format(range.lowerBound)) to "
                + DecimalText.format(range.upperBound),
            parse: { text in DecimalText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            format: DecimalText.format)
    }
}

extension ValueKind where Value == TimeSpan {
    /// A duration in `range`, as ``DurationText`` reads it.
    public static func duration(_ range: ClosedRange<TimeSpan>) -> ValueKind {
        ValueKind(
            expects: "a duration from \(DurationText.format(range.lowerBound)) to "
                + "\(DurationText.format(range.upperBound)), as 10s, 5min or 1h30m",
            parse: { text in DurationText.parse(text).flatMap { range.contains($0) ? $0 : nil } },
            format: DurationText.format)
    }
}

extension ValueKind
where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
    /// One of the words of an enumeration.
    public static var word: ValueKind {
        ValueKind(
            expects: Value.allCases.map(\.rawValue).joined(separator: ", "),
            parse: { text in Value.allCases.first { $0.rawValue == text.lowercased() } },
            format: { $0.rawValue })
    }
}
