import DutyCycle
import Scheduling

extension SettingCatalog {
    static let dutyCycle = [
        Setting(
            "DutyCycle", "Policy", \.dutyCycle.policy, .word,
            "What decides when the receiver runs: continuous keeps it on, interval switches it on for one "
                + "good fix every Interval= and off between, adaptive switches it on as often as holds the "
                + "track within ErrorBound=, budget as often as a day's allowance allows, on-demand switches it on when "
                + "somebody asks or a sensor tells of motion.",
            advice: "Set adaptive or interval on batteries."),
        Setting(
            "DutyCycle", "Interval", \.dutyCycle.interval, .duration(.seconds(1)...days(30)),
            "Time from one recorded fix to the next with Policy=interval.",
            advice: "Longer saves power; below half a minute most receivers save nothing."),
        Setting(
            "DutyCycle", "ErrorBound", \.dutyCycle.errorBound, .number(5...100_000, unit: "metres"),
            "How far the track, read back with its velocities, may be from the truth (95 %) with "
                + "Policy=adaptive.",
            advice: "Raise it for less power; below the receiver's own error it gains nothing."),
        Setting(
            "DutyCycle", "OnBudget", \.dutyCycle.onBudget, .number(0.1...100, unit: "percent"),
            "Share of 24 hours that the receiver may be on with Policy=budget; never passed, and spent on "
                + "movement.",
            advice: "Set it from what the battery can give."),
        Setting(
            "DutyCycle", "EnergyBudget", optional: \.dutyCycle.energyBudget,
            .number(0.1...1_000_000, unit: "milliwatt hours"),
            "Energy that the receiver may take in 24 hours with Policy=budget, beside OnBudget=, by what Milliwatts= says that it draws while it searches; 96 without it. "
                + "Empty for none.",
            advice: "Set it where the battery's capacity is known."),
        Setting(
            "DutyCycle", "MaximumGap", \.dutyCycle.maximumGap, .duration(.seconds(1)...days(30)),
            "Longest time without a fix in motion with Policy=adaptive.",
            advice: "Lower it where somebody waits for the next position."),
        Setting(
            "DutyCycle", "Lead", \.dutyCycle.lead,
            ValueKind<TimeSpan>.duration(.seconds(0) ... .seconds(3600)).orNone("auto"),
            "How long before a fix is due the receiver is switched on; auto learns it from the times it took.",
            advice: "Set it only for a receiver whose times to first fix scatter widely."),
        Setting(
            "DutyCycle", "FixTimeout", \.dutyCycle.fixTimeout,
            ValueKind<TimeSpan>.duration(.seconds(5) ... .seconds(3600)).orNone("auto"),
            "How long a start may last without a fix; auto follows the kind of start and the satellites heard. "
                + "It is never below 40s while the receiver's ephemeris is stale.",
            advice: "Raise it for an antenna with a poor view."),
        Setting(
            "DutyCycle", "Settle", \.dutyCycle.settle, .duration(.seconds(0) ... .seconds(600)),
            "How long the best fix is waited for after the first one.",
            advice: "Raise it for better positions, lower it for less power."),
        Setting(
            "DutyCycle", "GoodAccuracy", \.dutyCycle.goodAccuracy,
            .number(0...1000, unit: "metres"),
            "A fix with an estimated error (95 %) this small is taken at once.",
            advice: "Raise it for less power."),
        Setting(
            "DutyCycle", "KeepOnBelow", \.dutyCycle.keepOnBelow,
            .duration(.seconds(0) ... .seconds(3600)),
            "The receiver stays on when it would be off for less than this.",
            advice: "Set it to what switching off and on costs your receiver."),
        Setting(
            "DutyCycle", "SkipAtRest", \.dutyCycle.skipAtRest, .boolean,
            "Whether fixes are left out while the receiver stands still.",
            advice: "Set it for a vehicle that is parked most of the day."),
        Setting(
            "DutyCycle", "Heartbeat", \.dutyCycle.heartbeat, .duration(.seconds(60)...days(30)),
            "Longest time without a fix while a sensor says that it stands still.",
            advice: "Lower it to tell parked from dead sooner."),
        Setting(
            "DutyCycle", "RestRecheck", \.dutyCycle.restRecheck, .duration(.seconds(1)...days(30)),
            "Longest time without a fix while only the fixes say that it stands still, and, up to 10 minutes, "
                + "while there is no sky.",
            advice: "Lower it to miss less of a departure."),
        Setting(
            "DutyCycle", "Hold", \.dutyCycle.hold, .duration(.seconds(0) ... .seconds(3600)),
            "How long a fix that was asked for keeps the receiver on, so that the next one is cheap.",
            advice: "Raise it when fixes are asked for in bursts."),
        Setting(
            "DutyCycle", "Profile", list: \.profiles, .profile,
            "A named set of settings of this section that replaces the plain ones while all its "
                + "conditions hold, one a line, as night Policy=on-demand time=Mon-Fri/22:00-06:00. Of "
                + "those that hold, the one with the highest priority= is in force, of equals the "
                + "first; on-delay= and off-delay= keep it from fluttering. What is not known is not "
                + "so. Speeds are in metres a second, times by the clock on the wall. Each switch is "
                + "said in the journal and begins a cycle of its name.",
            advice: "Use it to record more on external power, less on a low battery."),
    ]

    static let recording = [
        Setting(
            "Recording", "MinimumTime", optional: \.recording.minimumTime,
            .duration(.seconds(0)...days(30)),
            "Shortest time between recorded fixes; empty for none. After it a fix is recorded when any of "
                + "MinimumDistance=, TurnAngle= and SpeedChange= is reached, or when none of them is set.",
            advice: "Set it for a smaller database."),
        Setting(
            "Recording", "MinimumDistance", optional: \.recording.minimumDistance,
            .number(0...1_000_000, unit: "metres"),
            "Distance from the last recorded fix that asks for a new one. Empty for none.",
            advice: "Set it to leave out most of a stop."),
        Setting(
            "Recording", "DistanceStretch", \.recording.distanceStretch,
            .number(0...3600, unit: "seconds"),
            "Seconds of travel that are added to MinimumDistance=, so that it stretches with speed.",
            advice: "Set it for motorways."),
        Setting(
            "Recording", "TurnAngle", optional: \.recording.turnAngle,
            .number(0...180, unit: "degrees"),
            "Change of course that asks for a new fix. Empty for none.",
            advice: "Set it to keep bends with a long MinimumDistance=."),
        Setting(
            "Recording", "SpeedChange", optional: \.recording.speedChange,
            .number(0...1000, unit: "metres a second"),
            "Change of speed that asks for a new fix. Empty for none.",
            advice: "Set it to keep stops and starts."),
        Setting(
            "Recording", "MaximumSilence", optional: \.recording.maximumSilence,
            .duration(.seconds(1)...days(30)),
            "Longest time without a recorded fix, whatever the other limits say. Empty for none.",
            advice: "Set it to tell standing from a silent receiver."),
    ]

    private static func days(_ count: Double) -> TimeSpan {
        .seconds(count * 86_400)
    }
}
