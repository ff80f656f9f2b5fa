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
    /// Motion that lasts this long is worth a start, ms; longer where there was no sky.
    ///
    /// A bridge from the place of rest loses little in the first seconds of a departure.
    static let sustained: Int64 = 5_000
    static let sustainedWithoutSky: Int64 = 15_000

    /// Whether a sensor has said for that long that nothing moves; `nil` without one.
    func isQuiet(_ now: Int64, for span: Int64) -> Bool? {
        hasSensor ? !isSensorMoving && now &- sensorSince >= span : nil
    }

    /// An error that is small against the bound is good enough, metres.
    var adaptiveGate: Double {
        min(60, max(settings.goodAccuracy, settings.errorBound / 2))
    }

    /// Takes a fix of the adaptive policy; answers with it when it is recorded.
    mutating func takeAdaptive(_ report: FixFact, _ now: Int64) -> Int64? {
        let speed = report.speed ?? 0
        let (sine, cosine) = report.course.map(Self.direction) ?? (0, 0)
        let sample = ErrorBound.Sample(
            at: now, latitude: report.latitude, longitude: report.longitude,
            east: speed * sine, north: speed * cosine, accuracy: report.accuracy ?? 10)
        bound.observe(sample)
        let age = now &- (firstFix ?? now)
        guard sample.accuracy <= adaptiveGate || age >= settings.settle.milliseconds,
            bound.take(sample, isQuiet: isQuiet(now, for: Self.quietAfter))
        else { return nil }
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
        guard bound.isStill else {
            let gap = bound.last.map { Int64(longestGap(after: $0) * 1000) } ?? 0
            return now &+ max(1000, gap &- typicalStart(now))
        }
        guard !hasSensor else { return now &+ settings.heartbeat.milliseconds }
        var step: Int64 = 60_000
        for _ in 0..<min(bound.stillCount, 12) { step = step * 8 / 5 }
        return now &+ min(settings.restRecheck.milliseconds, step)
    }

    /// How long to stay off after a failure.
    mutating func adaptivePause(_ now: Int64, lasted: Int64) -> Int64 {
        guard hasSensor else {
            return max(min(600_000, 45_000 << Int64(min(plan.failures, 4))), lasted)
        }
        // Nothing moves: the last fix still stands.
        if isQuiet(now, for: 30_000) == true { return settings.heartbeat.milliseconds }
        return max(min(120_000, 15_000 << Int64(min(plan.failures, 3))), lasted)
    }

    /// Takes note of what a sensor says while the receiver is off.
    mutating func noteSensor(_ isMoving: Bool, _ now: Int64) {
        guard phase == .off, !isPaused else { return }
        if isMoving, bound.isStill || plan.failures > 0 {
            let soon = now &+ (plan.failures > 0 ? Self.sustainedWithoutSky : Self.sustained)
            guard wakeAt.map({ soon < $0 }) ?? true else { return }
            restUntil = wakeAt
            wakeAt = soon
            wakeReason = "motion"
        } else if !isMoving, wakeReason == "motion" {
            rest(now)
        }
    }

    /// Goes back to rest after motion that was none.
    mutating func rest(_ now: Int64) {
        wakeAt = max(restUntil ?? .min, now &+ Self.quietAfter)
        wakeReason = "heartbeat"
    }

    /// When it left the place of the last fix, for a start that motion asked for.
    func departure(_ now: Int64) -> BootTime? {
        guard let last = bound.last, sensorSince &- last.at > 20_000,
            bound.restsAtLast || rested >= 30_000
        else { return nil }
        // What a sensor takes to be sure.
        return BootTime(milliseconds: sensorSince &- 2000)
    }

    /// When motion that woke the receiver will have been a false alarm; `nil` while it goes on.
    var alarmEnds: Int64? {
        isAlarm && hasSensor && !isSensorMoving && phase != .tracking
            ? max(sensorSince, onSince) &+ Self.falseAlarm : nil
    }

    private func longestGap(after last: ErrorBound.Sample) -> Double {
        bound.gap(
            bound: settings.errorBound, accuracy: last.accuracy,
            atMost: settings.maximumGap.seconds)
    }

    private func typicalStart(_ now: Int64) -> Int64 {
        settings.lead?.milliseconds ?? learned.typical(startClass(now))
    }
}
