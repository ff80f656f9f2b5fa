import GNSS
import Scheduling

/// Every setting there is, in the order of the example file and the manual.
public enum SettingCatalog {
    /// All settings; those of a section stand together.
    public static let all: [Setting] =
        source + receiver + dutyCycle + [wakeSystem] + quality + correction + tracking + recording
        + zones + store + retention + status + log

    /// What each section is about, in order, one sentence.
    public static let sections: [(name: String, meaning: String)] = [
        ("Source", "Where fixes come from."),
        ("Receiver", "How the receiver is switched off and on."),
        ("DutyCycle", "When the receiver runs."),
        ("Quality", "Which fixes are kept in the track; the others are stored with the reason."),
        (
            "Correction",
            "How positions are corrected; both the received and the corrected one are stored."
        ),
        ("Tracking", "How fixes become segments."),
        ("Recording", "Which kept fixes are recorded, whatever the policy."),
        ("Store", "The database."),
        ("Status", "The socket that answers tracklog(1)."),
        ("Log", "What is said in the journal."),
    ]

    /// The setting named `Section.Key`, or by its key alone when only one section has it.
    public static func setting(_ name: String) -> Setting? {
        if let exact = all.first(where: { $0.name == name }) { return exact }
        let lower = name.lowercased()
        let found = all.filter { $0.name.lowercased() == lower || $0.key.lowercased() == lower }
        return found.count == 1 ? found[0] : nil
    }

    /// The setting a person most likely meant.
    public static func nearest(to name: String) -> Setting? {
        let key = name.split(separator: ".").last.map(String.init) ?? name
        return Spelling.nearest(to: name, among: all.map(\.name)).flatMap { setting($0) }
            ?? Spelling.nearest(to: key, among: all.map(\.key)).flatMap { best in
                all.first { $0.key == best }
            }
    }

    private static let source = [
        Setting(
            "Source", "Gpsd", \.source.gpsd,
            ValueKind(
                expects: "host or host:port, IPv6 in brackets as [::1]:2947",
                parse: { HostPort($0) }, format: { $0.text }),
            shapesTrack: false,
            "Where gpsd listens. The connection is made again for ever when it breaks.",
            advice: "Change it when gpsd runs on another machine or port."),
        Setting(
            "Source", "Device", optional: \.source.device,
            .text("a device name as gpsd shows it, as /dev/ttyACM0"), shapesTrack: false,
            "The only receiver of gpsd to listen to. Empty listens to any.",
            advice: "Set it when gpsd serves several receivers and one of them is yours."),
        Setting(
            "Source", "Prefer", list: \.source.prefer,
            .text("a device name as gpsd shows it, as /dev/ttyACM0"), shapesTrack: false,
            "The receiver whose fixes make the track while it has any; the best one first.",
            advice: "Set it when gpsd serves several receivers of which one is better."),
        Setting(
            "Source", "FallBackAfter", \.source.fallBackAfter,
            .duration(.seconds(1) ... .seconds(3600)), shapesTrack: false,
            "How long the receiver that makes the track may be without a fix before another one does.",
            advice: "Raise it where the better receiver is often blind for a moment."),
        Setting(
            "Source", "FailBackAfter", \.source.failBackAfter,
            .duration(.seconds(1) ... .seconds(3600)), shapesTrack: false,
            "How long a better receiver must have had fixes before it makes the track again.",
            advice: "Raise it where the better receiver comes and goes."),
        Setting(
            "Source", "Replay", list: \.source.replay,
            .text("a file name, or - for standard input"),
            shapesTrack: false,
            "A log to replay instead of listening to gpsd: NMEA 0183 or gpsd JSON, compressed by gzip or not. "
                + "Several logs are one history in the order of their times.",
            advice: "Mostly given as --replay on the command line."),
        Setting(
            "Source", "MissingChecksum", \.source.missingChecksum, .word,
            "What happens to NMEA sentences without a checksum: auto takes them until the source has "
                + "shown a checksum and refuses them from then on, admit takes them, refuse does not.",
            advice:
                "Set refuse for a noisy serial line, admit for a log whose checksums were cut off."),
        Setting(
            "Source", "DateFloor", optional: \.source.dateFloor, day,
            "The day before which no fix can be. Dates of receivers whose week count rolled over are moved "
                + "forward by 1024 weeks until they are not before it. Empty takes the first day of the "
                + "year of this version for a live receiver, and leaves the dates of a replay as they are.",
            advice: "Set it to replay a log of a receiver that rolled over."),
        Setting(
            "Source", "SilenceTimeout", \.source.silenceTimeout,
            .duration(.seconds(2) ... .seconds(3600)),
            "How long a source may say nothing before it counts as lost and is connected again.",
            advice: "Raise it for a receiver that reports more seldom than every five seconds."),
        Setting(
            "Source", "DrainEvery", \.source.drainEvery,
            .duration(.seconds(0) ... .seconds(60)), shapesTrack: false,
            "How long gpsd's reports may wait in the socket while nobody watches, so that the machine "
                + "sleeps longer. 0s reads each as it comes. Silence is noticed all the same: every ten seconds it "
                + "is looked whether reports come, and none is read. What waits is lost with the power, as "
                + "what waits for its commit is.",
            advice: "Keep it at or below CommitEvery=; raise both on a battery."),
    ]

    /// A date without a time of day.
    static let day = ValueKind<UTCTime>(
        expects: "a day, as 2026-01-01",
        parse: { text in text.utf8.count == 10 ? UTCTime(text) : nil },
        format: { String($0.description.prefix(10)) })

    private static let tracking = [
        Setting(
            "Tracking", "GapAfter", \.tracking.gapAfter,
            .duration(.seconds(1) ... .seconds(86_400)),
            "Time without a good fix after which a segment ends and a gap is recorded with its reason.",
            advice: "Raise it for receivers that report seldom.")
    ]

    private static let store = [
        Setting(
            "Store", "Database", \.store.database, .text("a file name"), shapesTrack: false,
            "The SQLite file that holds the track. It is made when it is not there.",
            advice: "Put it on the medium that wears best."),
        Setting(
            "Store", "CommitEvery", \.store.commitEvery,
            .duration(.seconds(0.1) ... .seconds(3600)),
            shapesTrack: false,
            "How long a fix may wait until it is safe on the medium. A power cut loses at most this much.",
            advice: "60s to 300s spare an SD card; 1s loses least; below 5 % of battery nothing "
                + "waits longer than 10s."),
        Setting(
            "Store", "CommitCount", \.store.commitCount, .integer(1...100_000, unit: "fixes"),
            shapesTrack: false,
            "How many fixes may wait for their commit; reaching it commits at once.",
            advice: "Change it only when measurements ask for it."),
    ]

    /// A user, or a group after @.
    private static let member = ValueKind<String>(
        expects: "a user, or @ and a group, by name or number",
        parse: { text in
            let name = text.hasPrefix("@") ? text.dropFirst() : text[...]
            return name.isEmpty || name.utf8.contains { $0 <= 0x20 || ":,@".utf8.contains($0) }
                ? nil : text
        }, format: { $0 })

    private static let status = [
        Setting(
            "Status", "Socket", \.status.socket,
            .text("a path, or @name in the abstract namespace"), shapesTrack: false,
            "The Unix socket where the daemon answers.",
            advice: "Change it to run a second daemon."),
        Setting(
            "Status", "Group", optional: \.status.group, .text("the name of a group"),
            shapesTrack: false,
            "The group whose members may ask for the position. Empty leaves the socket's group as it is.",
            advice: "Add people to the group rather than change it."),
        Setting(
            "Status", "MaxClients", \.status.maxClients, .integer(1...1000, unit: "connections"),
            shapesTrack: false,
            "How many connections are served at a time; the next one is told and closed.",
            advice: "Lower it on small machines."),
        Setting(
            "Status", "Readers", list: \.status.readers, member, shapesTrack: false,
            "Who may look. Without any, everybody who may open the socket.",
            advice: "Set it for an abstract socket, which everybody may open."),
        Setting(
            "Status", "Controllers", list: \.status.controllers, member, shapesTrack: false,
            "Who may also change things, beside root and the user of the daemon: pause, mark, set and the like.",
            advice:
                "Name the group whose members drive, as @drivers. The packaged service cannot tell who somebody is: "
                + "there make them members of the group tracklog-control."),
        Setting(
            "Status", "Redact", \.status.redact, .boolean, shapesTrack: false,
            "Whether coordinates, heights, speeds and courses are withheld from those who may only look.",
            advice:
                "Set it where monitoring may see how the daemon is and not where. Who may read the "
                + "database sees it all: give the socket another Group= then."),
    ]

    private static let log = [
        Setting(
            "Log", "Level", \.log.level, .word, shapesTrack: false,
            "The least important level that is written to the journal.",
            advice: "debug writes coordinates: use it for a short time.")
    ]
}
