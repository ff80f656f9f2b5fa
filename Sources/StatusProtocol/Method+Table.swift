import GNSS

extension Method {
    /// Every method of a daemon, in the order of the manual.
    public static let all: [Method] = [
        status, fix, sky, watch, version, methods, acknowledge, flush, locate, pause, resume, mark,
        forget,
        config, get,
        set,
        reload, metrics, why, profile,
    ]

    /// What the daemon is doing: source, receiver, last fix, counts, store.
    public static let status = Method(
        "status", "Says what the daemon is doing and why.",
        resultSchema: { FieldSchema.append(StatusReport(), to: &$0) })

    /// The last fix alone.
    public static let fix = Method(
        "fix", "Gives the last fix seen and the last on the disk; null before the first of all.",
        resultSchema: { FieldSchema.append(FixAnswer(), to: &$0) })

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
            Parameter(
                "after", .integer(0...Int64.max),
                "Sends each fix once it is on the disk, those after this sequence first, so that who comes back "
                    + "with the last sequence it had misses none; fixes as they are seen when absent."
            ),
        ],
        resultSchema: { FieldSchema.append(WatchReport(), to: &$0) })

    /// The version.
    public static let version = Method(
        "version", "Gives the version of program and protocol.",
        resultSchema: { FieldSchema.append(VersionReport(), to: &$0) })

    /// The methods themselves.
    public static let methods = Method(
        "methods", "Describes each method and notification: parameters, results, who may call it.")

    /// Noticed damage.
    public static let acknowledge = Method(
        "acknowledge",
        "Takes note that somebody has noticed the damaged or lost database.",
        role: .controller,
        resultSchema: { FieldSchema.append(AcknowledgeReport(), to: &$0) })

    /// A commit at once.
    public static let flush = Method(
        "flush", "Commits what is queued and says which sequence is on the disk.",
        role: .controller,
        resultSchema: { FieldSchema.append(FlushReport(), to: &$0) })
}
