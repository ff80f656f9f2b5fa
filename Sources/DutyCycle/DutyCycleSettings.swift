public import Scheduling

extension DutyCycle {
    /// When the receiver runs.
    public enum Policy: String, CaseIterable, Sendable {
        /// Always.
        case continuous
        /// For one good fix every ``Settings/interval``.
        case interval
        /// As often as holds the stored track within ``Settings/errorBound``.
        case adaptive
        /// As often as a day's on-time allows: the error bound is steered so that it is spent on movement.
        case budget
        /// When somebody asks.
        case onDemand = "on-demand"
    }

    /// What a person can set; the defaults of receivers on the market (reference: u-blox M8 and M10, MTK3339).
    public struct Settings: Equatable, Sendable {
        /// When the receiver runs.
        public var policy = Policy.continuous
        /// From one recorded fix to the next; 1 s to 30 days.
        public var interval = TimeSpan.seconds(60)
        /// How far the track, read back with its velocities, may be from the truth, metres at 95 %.
        ///
        /// For the adaptive policy. Below the receiver's own error it costs fixes and gains nothing.
        public var errorBound = 30.0
        /// On-time that the budget policy may spend in 24 hours, percent of them.
        public var onBudget = 2.0
        /// Energy that it may spend instead, milliwatt hours in 24 hours; `nil` for none.
        public var energyBudget: Double?
        /// What the receiver draws while it is on, milliwatts, for ``energyBudget``: a u-blox 8 that searches.
        public var drawOn = 96.0
        /// Longest time without a fix in motion, for the adaptive policy.
        public var maximumGap = TimeSpan.seconds(1800)
        /// How long before a fix is due the receiver is switched on; `nil` learns it.
        public var lead: TimeSpan?
        /// How long a start may last without a fix; `nil` follows its class and the satellites heard.
        ///
        /// Never below 40 s while the ephemeris is stale: such a start could not succeed.
        public var fixTimeout: TimeSpan?
        /// How long the best fix is waited for after the first one.
        public var settle = TimeSpan.seconds(10)
        /// A fix this good is taken at once, metres at 95 %.
        public var goodAccuracy = 8.0
        /// The receiver stays on when it would be off for less.
        public var keepOnBelow = TimeSpan.seconds(12)
        /// Whether fixes are left out while it stands still.
        public var skipAtRest = false
        /// Longest time without a fix while a sensor says that it stands still.
        public var heartbeat = TimeSpan.seconds(6 * 3600)
        /// Longest time without a fix while only the fixes say that it stands still.
        public var restRecheck = TimeSpan.seconds(900)
        /// How long an asked-for fix keeps the receiver on, so that the next one is cheap.
        public var hold = TimeSpan.seconds(20)

        /// The defaults.
        public init() {}
    }
}

extension DutyCycle.Settings {
    /// On-time that the budget allows in 24 hours, ms: the smaller of both.
    var dailyOnTime: Int64 {
        let day = Double(Allowance.day)
        let byEnergy = energyBudget.map { $0 / max(drawOn, 1e-3) * 3_600_000 } ?? .infinity
        return Int64(min(max(min(onBudget / 100 * day, byEnergy), 0), day))
    }

    /// The settings with nothing that could overflow a clock.
    var inRange: DutyCycle.Settings {
        func clamp(_ span: TimeSpan, _ least: Double) -> TimeSpan {
            max(.seconds(least), min(span, .seconds(30 * 86_400)))
        }
        var settings = self
        settings.interval = clamp(interval, 1)
        settings.errorBound = errorBound.isFinite ? min(max(errorBound, 5), 100_000) : 30
        settings.onBudget = onBudget.isFinite ? min(max(onBudget, 0), 100) : 2
        settings.energyBudget = energyBudget.flatMap { $0.isFinite ? $0 : nil }
        settings.drawOn = drawOn.isFinite ? drawOn : 96
        settings.maximumGap = clamp(maximumGap, 1)
        settings.lead = lead.map { clamp($0, 0) }
        settings.fixTimeout = fixTimeout.map { clamp($0, 5) }
        settings.settle = clamp(settle, 0)
        settings.keepOnBelow = clamp(keepOnBelow, 0)
        settings.heartbeat = clamp(heartbeat, 60)
        settings.restRecheck = clamp(restRecheck, 1)
        settings.hold = clamp(hold, 0)
        return settings
    }
}

/// How much a receiver remembers when it is switched on.
public enum StartClass: String, CaseIterable, Sendable {
    /// The ephemeris is good: seconds.
    case hot
    /// The ephemeris is stale: half a minute of unbroken signal is needed to read it anew.
    case warm
    /// Nothing is known: as warm, and the search before it.
    case cold
}
