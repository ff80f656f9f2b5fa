import GNSS
import Scheduling

/// The adaptive policy: as few fixes as hold the error bound, none at rest, few without sky.
extension DutyCycle {
    /// Off for less is not worth a start, seconds.
    static let shortestGap = 3.0
    /// A sensor is believed to rest after this, ms.
    static let quietAfter: Int64 = 12_000
    /// Motion that ends this soon before a fix came was none, ms.
    static let falseAlarm: Int64 = 5_000
    /// Without a sensor, rest is looked at again after this, ms.
    static let firstRecheck: Int64 = 45_000

    /// Whether a sensor has said for that long that nothing moves; `nil` without one.
    func isQuiet(_ now: Int64, for span: Int64) -> Bool? {
        sense.quiet(now).map { $0 >= span }
    }

    /// An error that is small against the bound is good enough, metres.
    var adaptiveGate: Double {
        min(60, max(settings.goodAccuracy, activeBound / 2))
    }

    /// Takes a fix of the adaptive policy; answers with it when it is recorded.
    mutating func takeAdaptive(_ report: FixFact, _ now: Int64) -> Int64? {
        let speed = report.speed ?? 0
        let (sine, cosine) = report.course.map(Self.direction) ?? (0, 0)
        let sample = ErrorBound.Sample(
            at: now, latitude: report.latitude, longitude: report.longitude,
            east: speed * sine, north: speed * cosine, accuracy: report.accuracy ?? 10)
        bound.observe(sample)
        let before = bound.last?.at
        let wasStill = bound.isStill
        let age = now &- (firstFix ?? now)
        guard sample.accuracy <= adaptiveGate || age >= settings.settle.milliseconds,
            bound.take(sample, isQuiet: isQuiet(now, for: Self.quietAfter))
        else { return nil }
        if let before, !wasStill { steer(after: now &- before, now) }
        learned.intensity = bound.intensity
        return report.sequence
    }

    /// Whether the adaptive policy has its fix and being off pays.
    func isAdaptiveDone(_ now: Int64) -> Bool {
        guard bound.hasFix, let last = bound.last else { return false }
        return bound.isStill
            || longestGap(after: last) - Double(typicalStart(now)) / 1000 > Self.shortestGap
    }

    /// When to switch on again after a success.
    func adaptiveWake(_ now: Int64) -> Int64 {
        guard bound.isStill, !bound.isLeaving else {
            let gap = bound.last.map { Int64(longestGap(after: $0) * 1000) } ?? 0
            return now &+ max(1000, gap &- typicalStart(now))
        }
        guard !hasSensor else { return now &+ settings.heartbeat.milliseconds }
        // Who has stood for long goes on standing.
        let step = max(Self.firstRecheck, (now &- bound.stillSince) / 4)
        return now &+ min(settings.restRecheck.milliseconds, step)
    }

    /// How long to stay off after a failure.
    mutating func adaptivePause(_ now: Int64, lasted: Int64) -> Int64 {
        guard let quiet = sense.quiet(now) else {
            let longest = min(600_000, settings.restRecheck.milliseconds)
            return max(min(longest, 45_000 << Int64(min(plan.failures, 4))), lasted)
        }
        // Nothing moves: the last fix still stands, and motion wakes.
        if quiet >= 3000 { return settings.heartbeat.milliseconds }
        return max(min(120_000, 15_000 << Int64(min(plan.failures, 3))), lasted)
    }

    /// Takes note of what a sensor says while the receiver is off.
    mutating func noteSensor(_ isMoving: Bool, _ now: Int64) {
        guard phase == .off, !isPaused, isMoving, wakeReason != "motion",
            bound.isStill || plan.failures > 0
        else { return }
        var soon = now &+ searchAfter
        if plan.failures == 0, let left = sense.left {
            bound.depart(at: left)
            soon = max(now, adaptiveWake(left))
        }
        guard wakeAt.map({ soon < $0 }) ?? true else { return }
        restUntil = wakeAt
        wakeAt = soon
        wakeReason = "motion"
    }

    /// Motion that lasts this long is worth a start where there was no sky, ms.
    private var searchAfter: Int64 { min(30_000, 15_000 + 5_000 * Int64(plan.failures)) }

    /// Whether what moved is at rest again before a start was made, and has not moved for long.
    func wasFalseAlarm(_ now: Int64) -> Bool {
        (sense.quiet(now) ?? 0) >= 3000 && (plan.failures > 0 || sense.lastSpell < 20_000)
    }

    /// Goes back to rest after motion that was none.
    mutating func rest(_ now: Int64) {
        bound.stay()
        wakeAt = max(restUntil ?? .min, now &+ Self.quietAfter)
        wakeReason = "heartbeat"
    }

    /// When motion that woke the receiver will have been a false alarm; `nil` while it goes on.
    var alarmEnds: Int64? {
        guard isAlarm, phase != .tracking, let since = sense.quietSince, sense.lastSpell < 20_000
        else { return nil }
        return max(since, onSince) &+ Self.falseAlarm
    }

    private func longestGap(after last: ErrorBound.Sample) -> Double {
        bound.gap(
            bound: activeBound, accuracy: last.accuracy,
            atMost: settings.maximumGap.seconds)
    }

    func typicalStart(_ now: Int64) -> Int64 {
        settings.lead?.milliseconds ?? learned.typical(startClass(now))
    }
}
