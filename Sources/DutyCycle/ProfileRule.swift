public import GNSS
import Geodesy
public import Scheduling

/// When a named set of settings holds.
public struct ProfileRule: Equatable, Sendable {
    /// One thing that must be so; what is not known is not so.
    public enum Condition: Equatable, Sendable {
        /// The machine runs on external power, or on its battery.
        case externalPower(Bool)
        /// The battery is below, percent.
        case batteryBelow(Double)
        /// The battery is above, percent.
        case batteryAbove(Double)
        /// It goes slower, m/s.
        case speedBelow(Double)
        /// It goes faster, m/s.
        case speedAbove(Double)
        /// The last fix is inside of a circle.
        case inside(NoRecordZone)
        /// The time of the week.
        case time(WeekTime)
    }

    /// Its name.
    public var name: String
    /// Of those that hold, the one with the highest is in force; of equals the first.
    public var priority = 0
    /// All of them must be so; none is always so.
    public var conditions: [Condition] = []
    /// How long they must be so before it holds.
    public var onDelay = TimeSpan.seconds(0)
    /// How long they must not be so before it holds no longer.
    public var offDelay = TimeSpan.seconds(0)

    /// A rule that always holds.
    public init(name: String) {
        self.name = name
    }
}

/// Days and hours of the week, by the clock on the wall.
public struct WeekTime: Equatable, Sendable {
    /// The days it begins on, Monday is bit 0.
    public var days: UInt8
    /// Minutes of the day it begins and ends at; one that ends before it begins ends on the next day.
    public var from: Int
    /// The end; that minute is outside.
    public var to: Int

    /// A week has that many minutes.
    public static let week = 10_080

    /// Days and minutes of the day.
    public init(days: UInt8, from: Int, to: Int) {
        self.days = days & 0x7F
        self.from = min(max(from, 0), 1440)
        self.to = min(max(to, 0), 1440)
    }

    private var length: Int { to > from ? to - from : to + 1440 - from }

    private var starts: [Int] {
        (0..<7).filter { days & (1 << $0) != 0 }.map { $0 * 1440 + from }
    }

    /// Whether a minute of the week, Monday 00:00 is 0, is inside.
    public func contains(_ minute: Int) -> Bool {
        starts.contains { (minute - $0 + 2 * Self.week) % Self.week < length }
    }

    /// How many minutes it stays as it is, at most; `nil` for ever.
    public func minutesToChange(after minute: Int) -> Int? {
        starts.flatMap { [$0, $0 + length] }
            .map { ($0 - minute + 2 * Self.week - 1) % Self.week + 1 }.min()
    }
}

/// What profiles depend on, as far as it is known.
public struct Circumstances: Equatable, Sendable {
    /// Whether the machine is on external power.
    public var isExternal: Bool?
    /// Charge of the battery, percent.
    public var battery: Double?
    /// The last fix.
    public var fix: Fix?
    /// The minute of the week by the clock on the wall, Monday 00:00 is 0.
    public var minute: Int?

    /// Nothing is known.
    public init() {}

    func meet(_ condition: ProfileRule.Condition) -> Bool {
        switch condition {
        case .externalPower(let wanted): isExternal == wanted
        case .batteryBelow(let limit): battery.map { $0 < limit } ?? false
        case .batteryAbove(let limit): battery.map { $0 > limit } ?? false
        case .speedBelow(let limit): fix?.speed.map { $0 < limit } ?? false
        case .speedAbove(let limit): fix?.speed.map { $0 > limit } ?? false
        case .inside(let zone):
            fix.map {
                LocalDistance.between(zone.latitude, zone.longitude, $0.latitude, $0.longitude)
                    <= zone.radius
            } ?? false
        case .time(let time): minute.map(time.contains) ?? false
        }
    }
}
