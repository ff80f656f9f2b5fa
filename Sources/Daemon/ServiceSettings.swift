import Configuration
import Correction
import DutyCycle
import GNSS
import NMEA
import Platform
import Quality
import Receiver
import Scheduling
import StatusServer
import Storage
import Tracking

/// What each part is told, made from the settings.
enum ServiceSettings {
    static func replay(_ options: DaemonOptions) -> ReplaySource.Settings {
        var settings = ReplaySource.Settings()
        settings.format = options.format
        settings.nmea = nmea(options)
        settings.waits = false
        settings.choice = choice(options)
        settings.device = options.settings.settings.source.device
        return settings
    }

    private static func choice(_ options: DaemonOptions) -> DeviceChooser.Settings {
        let source = options.settings.settings.source
        var choice = DeviceChooser.Settings()
        choice.preferred = source.prefer
        choice.fallsBackAfter = source.fallBackAfter
        choice.failsBackAfter = source.failBackAfter
        return choice
    }

    static func nmea(_ options: DaemonOptions) -> NMEADecoder.Settings {
        var settings = NMEADecoder.Settings()
        settings.floor = options.floor
        settings.missingChecksum =
            switch options.settings.settings.source.missingChecksum {
            case .auto: .untilShown
            case .admit: .admit
            case .refuse: .refuse
            }
        return settings
    }

    /// Everything that decides which fixes a log gives; a log is recognised only under the same.
    static func decoderIdentity(_ options: DaemonOptions) -> String {
        let checksum = options.settings.settings.source.missingChecksum.rawValue
        let floor = options.floor.map(\.description) ?? "none"
        let format = options.format?.rawValue ?? "auto"
        let source = options.settings.settings.source
        let others =
            source.device == nil && choice(options) == DeviceChooser.Settings()
            ? ""
            : " receiver=\(source.device ?? "any") prefer=\(source.prefer.joined(separator: ","))"
                + " fallback=\(source.fallBackAfter.seconds) failback=\(source.failBackAfter.seconds)"
        return "checksum=\(checksum) floor=\(floor) format=\(format)" + others
    }

    static func quality(_ options: DaemonOptions) -> QualityGate.Settings {
        var settings = options.settings.settings.quality
        if !options.replay.isEmpty {
            settings.latestTime = latestPlausible
            // Nine hours at 1 Hz, half a megabyte.
            settings.remembered = 32_768
        } else {
            settings.floor = options.floor
            // Where no clock is trusted yet: no box with a clock of 1970 runs a program this old.
            let years: Int64 = 20
            settings.latestTime = UTCTime(
                milliseconds: latestPlausible.milliseconds + years * 365 * 86_400_000)
            // A receiver that hands out what it remembers; above the time reports wait in the socket.
            settings.maximumAge = settings.maximumAge ?? .seconds(600)
            // A feed that begins anew when the connection does, as gpsfake's: as much as that age, 10 KB.
            settings.remembered = 600
        }
        return settings
    }

    /// A fix that comes when it is due leaves no hole; one missed interval does.
    static func gapAfter(_ settings: Settings) -> TimeSpan {
        let interval = settings.dutyCycle.interval
        var spans = [settings.tracking.gapAfter]
        if settings.dutyCycle.policy == .interval { spans.append(interval + interval) }
        if let time = settings.recording.minimumTime { spans.append(time + time) }
        if let silence = settings.recording.maximumSilence { spans.append(silence + silence) }
        return spans.reduce(.seconds(0), max)
    }

    /// No recorded fix is from later: the present, with a day of grace for a clock set to another zone's time.
    static var latestPlausible: UTCTime {
        let now = max(SystemClock.wall, Product.released)
        return UTCTime(milliseconds: now.milliseconds + 86_400_000)
    }

    static func tracking(_ settings: Settings, isReplay: Bool) -> Tracker.Settings {
        var tracking = Tracker.Settings()
        tracking.gapAfter = gapAfter(settings)
        tracking.silence = isReplay ? .noData : .sourceLost
        return tracking
    }

    /// The chain, with the number the database knows it by.
    static func correction(_ settings: Settings, _ store: TrackStore) throws -> CorrectionChain {
        var chain = try CorrectionChain(settings.correction)
        guard !chain.isIdentity else { return chain }
        chain.id = try store.correction(digest: chain.digest, text: chain.canonicalText)
        return chain
    }

    static func gpsd(_ options: DaemonOptions) -> GPSDSource.Settings {
        let source = options.settings.settings.source
        var settings = GPSDSource.Settings()
        settings.address = .init(host: source.gpsd.host, port: source.gpsd.port)
        settings.device = source.device
        settings.choice = choice(options)
        settings.watchdog.silentAfter = source.silenceTimeout
        settings.seed = UInt64(bitPattern: SystemClock.now.nanoseconds)
        return settings
    }

    /// The switch of the receiver, with the lever that was asked for.
    static func receiverSwitch(
        _ settings: ReceiverSettings, _ source: GPSDSource, on loop: EventLoop
    ) -> ReceiverSwitch {
        var linger = TimeSpan.seconds(0)
        var lever: (any Lever)?
        switch settings.power {
        case .gpsd, .none: break
        case .hexdata:
            linger = .milliseconds(settings.sleepCommand.linger)
            lever = SleepCommandLever(
                settings.sleepCommand, ownOff: settings.sleepBytes, ownOn: settings.wakeBytes,
                source: source)
        case .modemmanager:
            lever = ModemLever(
                ModemPositioning(on: loop, path: settings.path, within: settings.switchTimeout))
        case .gnssDevice: lever = GNSSDeviceLever(path: settings.path ?? "/dev/gnss0")
        case .rfkill: lever = RadioSwitchLever(path: settings.path ?? "/dev/rfkill")
        case .gpio:
            lever = PinLever(pin: settings.path ?? "", activeLow: settings.activeLow)
        case .command:
            lever = CommandLever(
                off: settings.offCommand, on: settings.onCommand, limit: settings.switchTimeout,
                loop: loop)
        }
        return ReceiverSwitch(settings.power, lever, linger: linger, source: source, loop: loop)
    }

    static func store(_ settings: Settings, isLive: Bool) -> TrackStore.Options {
        var store = TrackStore.Options()
        // The database at its own place is the daemon's: a damaged one must not stop the recording.
        store.movesDamagedAside = isLive
        // A replay can be begun again when there is room; what is received now cannot.
        store.outlivesFailures = isLive
        // A replay writes in one go: moving its log into the file seldom saves writing pages twice.
        if !isLive { store.checkpointPages = 1000 }
        return store
    }

    static func filter(_ settings: Settings) -> RecordingFilter? {
        settings.recording == RecordingFilter.Settings()
            ? nil : RecordingFilter(settings.recording)
    }

    /// What a replay loses it can read again: larger batches, unless the settings say otherwise.
    static func commitCount(_ options: DaemonOptions) -> Int {
        let isAsked = options.settings.origins["Store.CommitCount"] != nil
        return !options.replay.isEmpty && !isAsked
            ? 3500 : options.settings.settings.store.commitCount
    }

    static func limits(_ options: DaemonOptions) -> ServerLimits {
        var limits = ServerLimits()
        limits.clients = options.settings.settings.status.maxClients
        return limits
    }
}
