import GNSS

extension Method {
    /// What the daemon is doing: source, receiver, last fix, counts, store.
    public static let status = Method(
        "status", "Says what the daemon is doing and why.",
        resultSchema: { FieldSchema.append(StatusReport(), to: &$0) })

    /// The last fix alone.
    public static let fix = Method(
        "fix", "Gives the last fix and whether it is on the disk; null before the first.",
        resultSchema: { FieldSchema.append(FixReport(), to: &$0) })

    /// The satellites.
    public static let sky = Method(
        "sky", "Gives the satellites in view.",
        resultSchema: { FieldSchema.append(SkyView(), to: &$0) })

    /// A stream of notifications.
    public static let watch = Method(
        "watch", "Sends a notification for each fix, change of state, cycle and event from now on.",
        parameters: [
            Parameter(
                "kinds", .words(WatchKinds.all.names),
                "What to send; everything when absent, nothing more when empty."),
            Parameter(
                "interval", .number(0...86_400), unit: "s",
                "Fixes closer together than this are left out; none when absent."),
        ])

    /// The version.
    public static let version = Method(
        "version", "Gives the version of program and protocol.",
        resultSchema: { FieldSchema.append(VersionReport(), to: &$0) })

    /// The methods themselves.
    public static let methods = Method(
        "methods", "Describes each method and notification: parameters, results, who may call it.")

    /// A commit at once.
    public static let flush = Method(
        "flush", "Commits what is queued and says which sequence is on the disk.",
        role: .controller,
        resultSchema: { FieldSchema.append(FlushReport(), to: &$0) })

    /// No recording for a while.
    public static let pause = Method(
        "pause", "Stops recording until resume; the receiver is switched off.",
        role: .controller,
        parameters: [
            Parameter(
                "duration", .number(1...31_536_000), unit: "s",
                "Resumes by itself after this; by resume alone when absent.")
        ])

    /// Recording again.
    public static let resume = Method("resume", "Ends a pause.", role: .controller)

    /// A position now.
    public static let locate = Method(
        "locate", "Wakes the receiver and gives its best fix, then goes back to the policy.",
        role: .controller,
        parameters: [
            Parameter(
                "timeout", .number(1...3600), unit: "s",
                "How long to wait for a fix; 60 when absent.")
        ])

    /// The settings once more.
    public static let reload = Method(
        "reload", "Reads the settings again; the old ones stay when the new are wrong.",
        role: .controller)
}
