public import GNSS
public import Scheduling

/// Repairs dates that a live receiver reports 1024 weeks back, which gpsd does in some cases only.
///
/// Eras are added only where they lead to a time that is right for another reason: the one at which the next fix was
/// due, or one between the first day that can be and the present.
public struct RolloverRepair: Sendable {
    /// The first day a receiver's date can be right; `nil` believes every first date.
    private let floor: UTCTime?
    private var last: (time: UTCTime, at: BootTime)?

    // 1024 weeks, milliseconds. IS-GPS-200, section 20.3.3.3.1.1: the week number has ten bits.
    private static let era: Int64 = 1024 * 7 * 86_400_000
    /// How far from the time at which it was due a fix may be, milliseconds.
    private static let tolerance: Int64 = 3_600_000

    /// A repair that has seen nothing.
    public init(floor: UTCTime?) {
        self.floor = floor
    }

    /// Adds the eras that are missing and notes them in the fix.
    ///
    /// - Parameters:
    ///   - at: when it came.
    ///   - present: what the host's clock shows; asked only when the date is doubtful.
    public mutating func repair(
        _ fix: inout Fix, at: BootTime, present: @autoclosure () -> UTCTime
    ) {
        guard let time = fix.time, time.milliseconds.magnitude < 1 << 60 else { return }
        defer { last = fix.time.map { ($0, at) } }
        let eras: Int64?
        if let last {
            let due = last.time.milliseconds &+ (at.milliseconds &- last.at.milliseconds)
            guard time.milliseconds < due - Self.era / 2 else { return }
            eras = (1...3).first {
                abs(time.milliseconds + $0 * Self.era - due) <= Self.tolerance
            }
        } else {
            guard let floor, time < floor else { return }
            let latest = max(present(), floor).milliseconds + 86_400_000
            eras = (1...3).first {
                let moved = time.milliseconds + $0 * Self.era
                return moved >= floor.milliseconds && moved <= latest
            }
        }
        if let eras { Self.add(eras, to: &fix, time) }
    }

    /// Moves a date of a recorded log that lies nearer to a rollover before the floor to the one nearest to it, forwards
    /// only, as the dates of NMEA logs are.
    static func snap(_ fix: inout Fix, floor: UTCTime) {
        guard let time = fix.time, time < floor, time.milliseconds.magnitude < 1 << 60 else {
            return
        }
        let eras = (floor.milliseconds - time.milliseconds + Self.era / 2) / Self.era
        if (1...100).contains(eras) { add(eras, to: &fix, time) }
    }

    private static func add(_ eras: Int64, to fix: inout Fix, _ time: UTCTime) {
        fix.time = UTCTime(milliseconds: time.milliseconds + eras * Self.era)
        fix.rolloverEras = Int8(eras)
        fix.notes.insert(.rolloverFixed)
    }
}
