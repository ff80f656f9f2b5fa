/// An instant of UTC, to the millisecond.
///
/// Counted as POSIX does, without leap seconds: 23:59:60 equals the next day's 00:00:00. It says when a
/// fix is valid, never when the program did something; that is `BootTime`.
public struct UTCTime: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before it.
    public var milliseconds: Int64

    /// An instant that many milliseconds after 1970-01-01T00:00:00Z.
    @inlinable
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The instant of a civil date and a time of day.
    ///
    /// - Parameters:
    ///   - year: proleptic Gregorian year.
    ///   - month: 1 to 12.
    ///   - day: 1 to 31.
    ///   - timeOfDay: milliseconds since midnight; past 86,400,000 it runs into the next day.
    @inlinable
    public init(year: Int, month: Int, day: Int, timeOfDay: Int = 0) {
        milliseconds =
            UTCTime.dayNumber(year: year, month: month, day: day) * 86_400_000 + Int64(timeOfDay)
    }

    /// Days since 1970-01-01 of a proleptic Gregorian date.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
    @inlinable
    public static func dayNumber(year: Int, month: Int, day: Int) -> Int64 {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    /// Days since 1970-01-01, rounded towards the past.
    @inlinable
    public var dayNumber: Int64 {
        milliseconds >= 0 ? milliseconds / 86_400_000 : (milliseconds - 86_399_999) / 86_400_000
    }

    /// Milliseconds since midnight, 0 ..< 86,400,000.
    @inlinable
    public var timeOfDay: Int {
        Int(milliseconds - dayNumber * 86_400_000)
    }

    /// Year, month (1 to 12) and day (1 to 31) in the proleptic Gregorian calendar.
    ///
    /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
    public var date: (year: Int, month: Int, day: Int) {
        let z = Int(dayNumber) + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// Whether `a` comes before `b`.
    @inlinable
    public static func < (a: UTCTime, b: UTCTime) -> Bool {
        a.milliseconds < b.milliseconds
    }

    /// Milliseconds from `b` to `a`.
    @inlinable
    public static func - (a: UTCTime, b: UTCTime) -> Int64 {
        a.milliseconds - b.milliseconds
    }
}

extension UTCTime: CustomStringConvertible {
    /// RFC 3339 with milliseconds, `2026-05-01T10:00:00.000Z`.
    public var description: String {
        var text = TextBuffer()
        text.append(self)
        return text.string
    }
}

extension UTCTime {
    /// The instant an RFC 3339 or ISO 8601 text names, `nil` when it is not one.
    ///
    /// Takes `2026-05-01`, `2026-05-01T10:00`, `2026-05-01 10:00:00.25Z`, `…+02:00`; without a zone it is UTC.
    public init?(_ text: some StringProtocol) {
        var bytes = Array(text.utf8)[...]
        func number(_ digits: Int) -> Int? {
            guard bytes.count >= digits else { return nil }
            var value = 0
            for byte in bytes.prefix(digits) {
                guard byte >= 48, byte <= 57 else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            bytes = bytes.dropFirst(digits)
            return value
        }
        func take(_ character: Character) -> Bool {
            guard bytes.first == character.asciiValue else { return false }
            bytes = bytes.dropFirst()
            return true
        }
        guard let year = number(4), take("-"), let month = number(2), take("-"),
            let day = number(2), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var timeOfDay = 0
        var offset = 0
        if take("T") || take("t") || take(" ") {
            guard let hour = number(2), take(":"), let minute = number(2), hour < 24, minute < 60
            else { return nil }
            timeOfDay = (hour * 60 + minute) * 60_000
            if take(":") {
                guard let second = number(2), second <= 60 else { return nil }
                timeOfDay += second * 1000
                if take(".") || take(",") {
                    guard bytes.first.map({ $0 >= 48 && $0 <= 57 }) == true else { return nil }
                    var unit = 100
                    while let digit = number(1) {
                        timeOfDay += digit * unit
                        unit /= 10
                    }
                }
            }
            if !take("Z"), !take("z") {
                let east = take("+")
                if east || take("-") {
                    guard let hour = number(2), hour <= 23 else { return nil }
                    _ = take(":")
                    let minute = bytes.isEmpty ? 0 : number(2)
                    guard let minute, minute < 60 else { return nil }
                    offset = (hour * 60 + minute) * 60_000 * (east ? 1 : -1)
                }
            }
        }
        guard bytes.isEmpty else { return nil }
        let parsed = UTCTime(year: year, month: month, day: day)
        guard parsed.date.day == day else { return nil }
        self.init(milliseconds: parsed.milliseconds + Int64(timeOfDay - offset))
    }
}
