public import Correction
public import DutyCycle
public import GNSS
public import Quality
public import Scheduling

/// Everything that can be set, as plain values.
public struct Settings: Equatable, Sendable {
    /// `[Source]`.
    public var source = SourceSettings()
    /// `[Receiver]`.
    public var receiver = ReceiverSettings() {
        didSet {
            let usual = DutyCycle.Settings().drawOn
            dutyCycle.drawOn = receiver.draw.map { max($0.acquiring, $0.tracking) } ?? usual
        }
    }
    /// `[DutyCycle]`.
    public var dutyCycle = DutyCycle.Settings()
    /// `[Recording]`.
    public var recording = RecordingFilter.Settings()
    /// Circles inside of which nothing is recorded, of `[Recording]`.
    public var noRecordZones: [NoRecordZone] = []
    /// Sets of duty-cycle settings with the conditions they hold under.
    public var profiles: [Profile] = []
    /// `[Quality]`.
    public var quality = QualityGate.Settings()
    /// `[Correction]`.
    public var correction = CorrectionSettings()
    /// `[Tracking]`.
    public var tracking = TrackingSettings()
    /// `[Store]`.
    public var store = StoreSettings()
    /// `[Status]`.
    public var status = StatusSettings()
    /// `[Log]`.
    public var log = LogSettings()

    /// The defaults.
    public init() {}

    /// The settings that can change a track, one `Section.Key=value` a line in the order of the catalogue.
    public var canonicalText: String {
        SettingCatalog.all.filter(\.shapesTrack).map { setting in
            setting.texts(self).map { "\(setting.name)=\($0)\n" }.joined()
        }.joined()
    }

    /// A number that is the same for the same ``canonicalText``, on every machine and in every version.
    ///
    /// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv).
    public var digest: UInt64 {
        Settings.hash(canonicalText)
    }

    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

/// Where fixes come from.
public struct SourceSettings: Equatable, Sendable {
    /// gpsd's address.
    public var gpsd = HostPort()
    /// The only receiver of gpsd to listen to; `nil` for any.
    public var device: String?
    /// The receivers to prefer, the best one first.
    public var prefer: [String] = []
    /// How long the receiver that makes the track may be without a fix before another one does.
    public var fallBackAfter = TimeSpan.seconds(10)
    /// How long a better receiver must have had fixes before it makes the track again.
    public var failBackAfter = TimeSpan.seconds(30)
    /// Logs to replay instead of listening to gpsd.
    public var replay: [String] = []
    /// What happens to NMEA sentences without a checksum.
    public var missingChecksum = ChecksumPolicy.auto
    /// The day before which no fix can be: receivers whose week count rolled over are set right by it.
    ///
    /// `nil` takes the day the program was built for a live receiver, and repairs nothing in a replay.
    public var dateFloor: UTCTime?
    /// How long a source may say nothing before it counts as lost.
    public var silenceTimeout = TimeSpan.seconds(9)
    /// How long gpsd's reports may wait in the socket while nobody watches; 0 reads each as it comes.
    public var drainEvery = TimeSpan.seconds(10)

    /// What happens to NMEA sentences without a checksum.
    public enum ChecksumPolicy: String, CaseIterable, Sendable {
        /// Taken until the source has shown a checksum, refused from then on.
        case auto
        /// Taken.
        case admit
        /// Refused.
        case refuse
    }
}

/// Host and port of a server, gpsd's unless said otherwise.
public struct HostPort: Equatable, Sendable {
    /// A name or an address, IPv6 without brackets.
    public var host = "localhost"
    /// A TCP port; the default is gpsd's (IANA, gpsd-json).
    public var port: UInt16 = 2947

    /// localhost:2947.
    public init() {}

    /// The address of `host`, `host:port`, `[::1]:2947` or a bare IPv6 literal; `nil` for anything else.
    public init?(_ text: String) {
        var host = text[...]
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1,
            let colon = text.firstIndex(of: ":")
        {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        let isSound = host.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (48...57).contains(byte) || ".:-_%".utf8.contains(byte)
        }
        guard isSound, !host.isEmpty, host.utf8.count <= 255 else { return nil }
        self.host = String(host)
        guard let port else { return }
        guard let number = UInt16(port), number > 0 else { return nil }
        self.port = number
    }

    /// `host:port`, IPv6 in brackets.
    public var text: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

/// How fixes become segments.
public struct TrackingSettings: Equatable, Sendable {
    /// Time without a kept fix after which a segment ends.
    public var gapAfter = TimeSpan.seconds(10)
}

/// The database.
public struct StoreSettings: Equatable, Sendable {
    /// Its file.
    public var database = "/var/lib/tracklog/track.db"
    /// How long a fix may wait for its commit.
    public var commitEvery = TimeSpan.seconds(10)
    /// How many fixes may wait for their commit.
    public var commitCount = 1000
    /// How long fixes are kept; `nil` for ever.
    public var keepFor: TimeSpan?
    /// How many fixes are kept; `nil` for no limit.
    public var keepRows: Int?
    /// How large the content of the file may grow; `nil` for no limit.
    public var keepBytes: Int64?
    /// How old fixes are thinned; `nil` for never.
    public var thinAfter: TimeSpan?
    /// How far the thinned track may be from any fix, metres.
    public var thinBound = 10.0
    /// How old closed days are sealed; `nil` for never.
    public var sealAfter: TimeSpan?
}

/// The status socket.
public struct StatusSettings: Equatable, Sendable {
    /// Its path; a leading `@` is Linux's abstract namespace.
    public var socket = "/run/tracklog/tracklogd.sock"
    /// The group whose members may read; `nil` leaves the group as it is.
    public var group: String? = "tracklog"
    /// Connections at a time.
    public var maxClients = 64
    /// Who may look, users and `@group`s; empty lets everybody who may open the socket.
    public var readers: [String] = []
    /// Who may change things.
    public var controllers: [String] = []
    /// Whether readers are not told coordinates.
    public var redact = false
}

/// What the daemon says in the journal.
public struct LogSettings: Equatable, Sendable {
    /// The least important level that is said.
    public var level = Level.info

    /// How important a log line is; the numbers are those of syslog (RFC 5424, table 2).
    public enum Level: String, CaseIterable, Sendable {
        /// Something is lost or will be unless a person acts.
        case error
        /// Something is wrong and is being coped with.
        case warning
        /// An event a person may want to know of.
        case notice
        /// Steps of normal work.
        case info
        /// Anything, coordinates included.
        case debug

        /// The number of syslog: 3 for an error to 7 for debug.
        public var priority: UInt8 {
            switch self {
            case .error: 3
            case .warning: 4
            case .notice: 5
            case .info: 6
            case .debug: 7
            }
        }
    }
}
