import GNSS
import Scheduling

/// The times of one receiver: what it said last, and what it may say next.
///
/// A time that is refused leaves no trace but a claim: when the fixes after it agree with the claim and not
/// with the track, it was the track that was wrong.
struct TimeLine {
    /// The latest believed time, milliseconds of UTC; `nil` before the first.
    private var last: Int64?
    /// When the program saw it, and when it saw the fix before, believed or not.
    private var lastAt = BootTime(nanoseconds: 0)
    private var seenAt = BootTime(nanoseconds: 0)
    /// Time and kind of the fix before, whether in order or not.
    private var seen: Int64?
    private var seenLeap = false
    private var seenTimeOfDay: Int32?
    /// The latest refused time and how many in a row agree with it.
    private var claim: Int64?
    private var claims = 0
    /// How many believed times in a row agree with each other, at most 255.
    private(set) var agreeing = 0

    /// Two fixes of one track follow each other within this, when a claim is to be confirmed.
    private static let nextWithin: Int64 = 60_000
    /// A jump ahead of the host's clock by more needs a second witness.
    private static let longestLead: Int64 = 86_400_000
    /// A jump by more needs a second witness even when the host's clock jumps along, as in a replay.
    private static let longestSilence: Int64 = 10 * 365 * 86_400_000

    /// Judges the time of the next fix; anything but notes means that the time was not believed.
    mutating func judge(
        _ fix: Fix, at: BootTime, clock: UTCTime?, _ settings: QualityGate.Settings
    ) -> FixFlags {
        defer { seenAt = at }
        let leap = fix.notes.contains(.leapSecond)
        guard let time = fix.time?.milliseconds else { return judge(undated: fix, leap) }
        let original = time &- Int64(fix.rolloverEras) &* 619_315_200_000
        // Half the range of Int64, so that no difference below can overflow.
        let earliest = settings.earliestTime.milliseconds
        guard time >= earliest, original >= earliest, time < 1 << 61 else {
            agreeing = 0
            return .untrustedTime
        }
        if let latest = settings.latestTime, time > latest.milliseconds { return .futureTime }
        if let clock {
            let ahead = time &- clock.milliseconds
            if ahead > settings.clockTolerance.milliseconds { return .futureTime }
            if let oldest = settings.maximumAge, ahead < -oldest.milliseconds { return .staleTime }
        }
        if time == seen, leap == seenLeap { return .duplicateEpoch }
        guard let last else {
            believe(time, leap, at)
            return []
        }
        if time == last, leap == seenLeap { return .duplicateEpoch }
        let step = time &- last
        let host = at.milliseconds &- lastAt.milliseconds
        let lead = step &- host
        if step < -settings.maximumDisorder.milliseconds || lead > Self.longestLead
            || step > Self.longestSilence
        {
            guard isConfirmed(time, settings.agreement) else {
                return step < 0 ? .staleTime : .futureTime
            }
            agreeing = 0
            believe(time, leap, at)
            return .timeStep
        }
        if step < 0 {
            // After 23:59:60 comes 00:00:00, which counts as the same second.
            let afterLeap = seenLeap && !leap && step > -1000
            seen = time
            seenLeap = leap
            return afterLeap ? [] : .outOfOrder
        }
        // In a replay the program's clock follows the log, a time in it that is no time included: what the
        // clock did since the last epoch must not fit either.
        let tolerance = settings.stepTolerance.milliseconds
        let recent = step &- (at.milliseconds &- seenAt.milliseconds)
        believe(time, leap, at)
        return host > 0 && abs(lead) > tolerance && abs(recent) > tolerance ? .timeStep : []
    }

    /// A fix without a date repeats the one before when the time of day does.
    private mutating func judge(undated fix: Fix, _ leap: Bool) -> FixFlags {
        guard let timeOfDay = fix.timeOfDay else { return [] }
        if timeOfDay == seenTimeOfDay { return .duplicateEpoch }
        seenTimeOfDay = timeOfDay
        return []
    }

    private mutating func believe(_ time: Int64, _ leap: Bool, _ at: BootTime) {
        let step = last.map { time &- $0 } ?? 0
        agreeing = step > 0 && step <= Self.nextWithin ? min(agreeing + 1, 255) : 1
        last = time
        lastAt = at
        seen = time
        seenLeap = leap
        claim = nil
        claims = 0
    }

    /// Whether enough refused times in a row advance as those of one track do.
    private mutating func isConfirmed(_ time: Int64, _ needed: Int) -> Bool {
        if let claim, time > claim, time &- claim <= Self.nextWithin {
            claims += 1
        } else if claim != time {
            claims = 1
        }
        claim = time
        return claims >= needed
    }
}
