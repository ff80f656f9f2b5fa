/// When this program does things: CLOCK_BOOTTIME, which runs through suspend and never steps.
///
/// It never mixes with `UTCTime`. In a replay and in tests it is virtual.
public struct BootTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since boot.
    public var nanoseconds: Int64

    /// An instant that many nanoseconds after boot.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// An instant that many milliseconds after boot.
    @inlinable
    public init(milliseconds: Int64) {
        nanoseconds = TimeSpan.milliseconds(milliseconds).nanoseconds
    }

    /// Milliseconds since boot, rounded towards zero.
    @inlinable
    public var milliseconds: Int64 {
        nanoseconds / 1_000_000
    }

    /// Whether `a` comes before `b`.
    @inlinable
    public static func < (a: BootTime, b: BootTime) -> Bool {
        a.nanoseconds < b.nanoseconds
    }

    /// The instant `span` later.
    @inlinable
    public static func + (time: BootTime, span: TimeSpan) -> BootTime {
        BootTime(nanoseconds: time.nanoseconds.plus(span.nanoseconds))
    }

    /// The instant `span` earlier.
    @inlinable
    public static func - (time: BootTime, span: TimeSpan) -> BootTime {
        BootTime(nanoseconds: time.nanoseconds.less(span.nanoseconds))
    }

    /// The span from `b` to `a`.
    @inlinable
    public static func - (a: BootTime, b: BootTime) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds.less(b.nanoseconds))
    }
}

/// A length of time, to the nanosecond, ± 292 years.
public struct TimeSpan: Hashable, Comparable, Sendable {
    /// The length in nanoseconds.
    public var nanoseconds: Int64

    /// A length in nanoseconds.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// That many milliseconds; saturates at ± 292 years.
    @inlinable
    public static func milliseconds(_ count: Int64) -> TimeSpan {
        let (nanoseconds, overflow) = count.multipliedReportingOverflow(by: 1_000_000)
        return TimeSpan(nanoseconds: overflow ? (count < 0 ? .min : .max) : nanoseconds)
    }

    /// That many seconds; saturates at ± 292 years, NaN is 0.
    @inlinable
    public static func seconds(_ count: Double) -> TimeSpan {
        guard !count.isNaN else { return TimeSpan(nanoseconds: 0) }
        return TimeSpan(nanoseconds: Int64(max(-9.2e18, min(9.2e18, count * 1e9))))
    }

    /// The length in milliseconds, rounded towards zero.
    @inlinable
    public var milliseconds: Int64 {
        nanoseconds / 1_000_000
    }

    /// The length in seconds.
    @inlinable
    public var seconds: Double {
        Double(nanoseconds) / 1e9
    }

    /// Whether `a` is shorter than `b`.
    @inlinable
    public static func < (a: TimeSpan, b: TimeSpan) -> Bool {
        a.nanoseconds < b.nanoseconds
    }

    /// Both spans one after the other.
    @inlinable
    public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds.plus(b.nanoseconds))
    }

    /// What is left of `a` without `b`.
    @inlinable
    public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: a.nanoseconds.less(b.nanoseconds))
    }
}

/// Sums that end at the limits: a date from outside may be any.
extension Int64 {
    @inlinable
    func plus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    @inlinable
    func less(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
