import GNSS

extension Method {
    /// A fix now.
    public static let locate = Method(
        "locate", "Wakes the receiver, gives the best fix of a while, then the policy rules again.",
        role: .controller,
        parameters: [
            Parameter(
                "timeout", .number(1...600), unit: "s",
                "How long to wait for a fix at most; 60 when absent."),
            Parameter(
                "accuracy", .number(0...100_000), unit: "m",
                "The first fix with an estimated error (95 %) this small ends the wait; when absent, one as "
                    + "good as GoodAccuracy= does, or the best within Settle= of the first."),
        ],
        resultSchema: { FieldSchema.append(LocateReport(), to: &$0) })

    /// No more recording.
    public static let pause = Method(
        "pause", "Switches the receiver off and records nothing until resume.", role: .controller,
        parameters: [
            Parameter(
                "duration", .number(1...2_592_000), unit: "s",
                "When to go on by itself; never when absent.")
        ],
        resultSchema: { FieldSchema.append(PauseReport(), to: &$0) })

    /// Recording again.
    public static let resume = Method(
        "resume", "Goes on recording after pause.", role: .controller,
        resultSchema: { FieldSchema.append(PauseReport(), to: &$0) })

    /// A point to keep.
    public static let mark = Method(
        "mark", "Keeps the present place as a mark; it is on the disk when this is answered.",
        role: .controller,
        parameters: [
            Parameter("title", .text(atMost: 200), "What it is called; nothing when absent."),
            Parameter("note", .text(atMost: 4000), "What there is to say; nothing when absent."),
            Parameter(
                "when_fixed", .flag,
                "Whether to wake the receiver and mark the next fix when there is none now; it is refused "
                    + "then when absent."),
        ],
        resultSchema: { FieldSchema.append(MarkReport(), to: &$0) })
}
