import GNSS
import Quality
import Scheduling

extension SettingCatalog {
    static let quality = [
        Setting(
            "Quality", "MinimumMode", \.quality.minimumMode, mode,
            "The fewest dimensions a kept fix has.",
            advice: "Set 3d where a 2D fix, which guesses the height, is not good enough."),
        Setting(
            "Quality", "MaximumEPH", \.quality.maximumEPH,
            ValueKind<Double>.number(1...100_000, unit: "metres").orNone("none"),
            "The largest estimated horizontal error (95 %) of a kept fix. A fix without an estimate passes.",
            advice: "Lower it where a gap is better than a doubtful point."),
        Setting(
            "Quality", "MaximumHDOP", \.quality.maximumHDOP,
            ValueKind<Double>.number(0.5...100, unit: "times").orNone("none"),
            "The largest horizontal dilution of precision of a kept fix. A fix without one passes.",
            advice: "Raise it in narrow valleys and streets when too many fixes are rejected."),
        Setting(
            "Quality", "NullIslandRadius", \.quality.nullIslandRadius,
            .number(0...100_000, unit: "metres"),
            "How near to 0\u{B0} 0\u{B0} a fix of poor quality, or after a jump, is taken for an absent value.",
            advice: "Lower it on a boat in the Gulf of Guinea."),
        Setting(
            "Quality", "MinimumCourseSpeed", \.quality.minimumCourseSpeed,
            .number(0...10, unit: "metres a second"),
            "Below this speed the course is noise and is left out.",
            advice: "Raise it when courses turn at standstill."),
        Setting(
            "Quality", "EarliestTime", \.quality.earliestTime, day,
            "A fix dated before this day has the time of a receiver that does not know it yet.",
            advice: "Change it only for older logs."),
        Setting(
            "Quality", "ClockTolerance", \.quality.clockTolerance,
            .duration(.seconds(1) ... .seconds(86_400)),
            "How far ahead of a clock that is trusted a fix may be.",
            advice: "Raise it where the machine's clock is set badly."),
        Setting(
            "Quality", "MaximumDisorder", \.quality.maximumDisorder,
            .duration(.seconds(0) ... .seconds(3600)),
            "How far back in time a fix may be and still belong to the track.",
            advice: "Raise it for sources that deliver late."),
        Setting(
            "Quality", "StepTolerance", \.quality.stepTolerance,
            .duration(.seconds(1) ... .seconds(3600)),
            "How far the receiver's time and the machine's may drift apart between two fixes before a "
                + "time step is noted.",
            advice: "Keep it above the time that reports may wait unread."),
        Setting(
            "Quality", "Agreement", \.quality.agreement, .integer(1...20, unit: "fixes"),
            "How many fixes must agree with each other before they overrule the track so far.",
            advice: "Raise it where whole series of fixes are wrong together."),
    ]

    private static let mode = ValueKind<FixMode>(
        expects: "2d, 3d",
        parse: { text in
            switch text.lowercased() {
            case "2d": .twoD
            case "3d": .threeD
            default: nil
            }
        },
        format: { $0 == .threeD ? "3d" : "2d" })
}
