import GNSS
import Scheduling

/// The times of one receiver: what it said last, and what it may say next.
///
/// Times are believed for good when three in a row agree: a receiver's first ones after a cold start may be of any
/// date. A time that does not follow is refused and leaves no trace but a claim: when three in a row agree with the
/// claim and not with the track, it was the track that was wrong.
struct TimeLine {
    /// A time and when the program saw it, milliseconds.
    struct Moment {
        var time: Int64
        var at: Int64

        init(_ time: Int64, _ at: BootTime) {
            self.time = time
            self.at = at.milliseconds
        }

        /// Whether the two follow each other as fixes of one track do: soon, or by the program's clock too.
        func leads(to next: Moment) -> Bool {
            let step = next.time &- time
            guard step > 0, step > TimeLine.nextWithin else { return step > 0 }
            let lead = step &- (next.at &- at)
            return step <= TimeLine.longestLead && abs(lead) <= TimeLine.nextWithin
        }
    }

    /// The latest believed time; `nil` before the first.
    private(set) var last: Moment?
    /// When the program saw the fix before, believed or not.
    private var seenAt = BootTime(nanoseconds: 0)
    /// Time and kind of the fix before, whether in order or not.
    private var seen: Int64?
    private var seenLeap = false
    private var seenTimeOfDay: Int32?
    /// The latest refused time and how many in a row agree with it.
    private var claim: Moment?
    private var claims = 0
    /// How many believed times in a row agree with each other, at most 255.
    private(set) var agreeing = 0

    /// As many times in a row that agree are believed.
    ///
    /// Source: gpsd_json(5), TPV: `time` may be wrong before.
    static let trusted = 3
    /// Two fixes of one track follow each other within this, whatever the program's clock says.
    private static let nextWithin: Int64 = 60_000
    /// A jump ahead of the host's clock by more needs more witnesses.
    private static let longestLead: Int64 = 86_400_000
    /// A jump by more needs them even when the host's clock jumps along, as in a replay.
    private static let longestSilence: Int64 = 10 * 365 * 86_400_000

    /// Whether the times so far may turn out to be wrong, or the refused ones to be right.
    var isUndecided: Bool {
        claims > 0 || (last != nil && agreeing < TimeLine.trusted)
    }

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
        guard time >= settings.floor?.milliseconds ?? earliest, time >= earliest,
            original >= earliest, time < 1 << 61
        else {
            agreeing = 0
            return .untrustedTime
        }
        if let latest = settings.latestTime, time > latest.milliseconds { return .futureTime }
        var isWitnessed = false
        if let clock {
            let ahead = time &- clock.milliseconds
            if ahead > settings.clockTolerance.milliseconds { return .futureTime }
            if let oldest = settings.maximumAge, ahead < -oldest.milliseconds { return .staleTime }
            isWitnessed = abs(ahead) <= settings.clockTolerance.milliseconds
        }
        if time == seen, leap == seenLeap { return .duplicateEpoch }
        defer { if isWitnessed, self.last?.time == time { agreeing = max(agreeing, Self.trusted) } }
        let moment = Moment(time, at)
        guard let last else {
            believe(moment, leap)
            return []
        }
        if time == last.time, leap == seenLeap { return .duplicateEpoch }
        let step = time &- last.time
        let host = moment.at &- last.at
        let lead = step &- host
        if step < -settings.maximumDisorder.milliseconds || lead > Self.longestLead
            || step > Self.longestSilence
        {
            guard isConfirmed(moment) else { return step < 0 ? .staleTime : .futureTime }
            believe(moment, leap)
            agreeing = Self.trusted
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
        let recent = step &- (moment.at &- seenAt.milliseconds)
        believe(moment, leap)
        return host > 0 && abs(lead) > tolerance && abs(recent) > tolerance ? .timeStep : []
    }

    /// A fix without a date repeats the one before when the time of day does.
    private mutating func judge(undated fix: Fix, _ leap: Bool) -> FixFlags {
        guard let timeOfDay = fix.timeOfDay else { return [] }
        if timeOfDay == seenTimeOfDay { return .duplicateEpoch }
        seenTimeOfDay = timeOfDay
        return []
    }

    private mutating func believe(_ moment: Moment, _ leap: Bool) {
        let agrees = last?.leads(to: moment) ?? false
        agreeing = agrees ? min(agreeing + 1, 255) : 1
        last = moment
        seen = moment.time
        seenLeap = leap
        claim = nil
        claims = 0
    }

    /// Whether enough refused times in a row advance as those of one track do.
    private mutating func isConfirmed(_ moment: Moment) -> Bool {
        if let claim, claim.leads(to: moment) {
            claims += 1
        } else if claim?.time != moment.time {
            claims = 1
        }
        claim = moment
        return claims >= Self.trusted
    }
}
