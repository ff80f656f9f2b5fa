public import GNSS
public import NMEA

/// Recorded logs as one history, in the order of their times.
///
/// Files, pipes and standard input (`-`) hold NMEA 0183 or gpsd JSON, as they are or as gzip; what they are is told by
/// their content. However long they are, they take the memory of the logs that overlap at one time.
public final class ReplaySource {
    /// How logs are read.
    public struct Settings: Sendable {
        /// The format of all logs; `nil` recognises each by its content.
        public var format: LogFormat?
        /// How sentences are decoded.
        public var nmea = NMEADecoder.Settings()
        /// How far to look for the first date of a log that begins without one, bytes.
        public var headSize = 64 * 1024 * 1024
        /// Whether a pipe that is still written is waited for; see ``ReplaySource/starved``.
        public var waits = true
        /// Which of the receivers that one log names makes the track; `nil` gives the fixes of all.
        public var choice: DeviceChooser.Settings?
        /// The only receiver whose fixes are taken of a log that names receivers.
        public var device: String?

        /// Everything by content.
        public init() {}
    }

    /// The logs, as given; the index is the `log` of other calls.
    public let paths: [String]
    /// What a person should know of the logs, as far as they were read.
    public private(set) var warnings: [ReplayWarning] = []
    /// What each log was taken for; `nil` for one that is empty.
    public private(set) var formats: [LogFormat?] = []
    /// The log of the last epoch that was taken.
    public private(set) var lastLog = 0

    /// The descriptor of a pipe that had nothing to give when the last epoch was asked for, and may have more later;
    /// `nil` when logs are waited for, and at their end.
    public private(set) var starved: Int32?

    private enum Place {
        /// Begins at that time and is closed again.
        case waiting(UTCTime?)
        case open(ReplayLog)
        case ended(InputCounts, ReplayProgress)
    }

    private let settings: Settings
    private let devices = DeviceTable()
    private var places: [Place] = []
    private var lastSky = SkyView()

    /// Opens the logs and looks what they are.
    ///
    /// A log that is in the list twice is left out and warned of.
    /// - Throws: ``ReplayError`` for the first one that cannot be replayed; nothing was read then.
    public init(paths: [String], settings: Settings = Settings()) throws(ReplayError) {
        self.paths = paths
        self.settings = settings
        var known: [FileIdentity: Int] = [:]
        for (index, path) in paths.enumerated() {
            let log = try ReplayLog(path: path, settings: settings, devices: devices)
            formats.append(log.format)
            if log.format == nil { warnings.append(.empty(path: log.reader.input.path)) }
            if let identity = log.reader.input.identity {
                if let other = try twin(of: log, identity, in: known) {
                    warnings.append(.duplicate(path: path, of: paths[other]))
                    places.append(.ended(InputCounts(), ReplayProgress()))
                    continue
                }
                known[identity] = index
            }
            // Many files at once would take many descriptors and buffers: they wait for their turn.
            if paths.count > 1, log.reader.input.identity != nil {
                places.append(.waiting(try log.nextTime()))
            } else {
                places.append(.open(log))
            }
        }
    }

    /// Takes the next epoch of the history.
    ///
    /// - Returns: false when all logs are at their end, or one is ``starved``; `epoch` is as it was then.
    public func next(into epoch: inout Epoch) throws(ReplayError) -> Bool {
        starved = nil
        while let index = try earliest() {
            guard case .open(let log) = places[index] else { return false }
            if try log.take(into: &epoch) {
                lastLog = index
                return true
            }
            if log.isStarved {
                starved = log.reader.input.descriptor
                return false
            }
            warnings += log.warnings
            lastSky = log.sky
            places[index] = .ended(log.counts, log.progress)
        }
        return false
    }

    /// Waits until the starved pipe has more to give, or has ended.
    public func wait() {
        for case .open(let log) in places where log.isStarved { log.reader.input.wait() }
    }

    /// What was read, of all logs.
    public var counts: InputCounts {
        var sum = InputCounts()
        for place in places {
            switch place {
            case .open(let log): sum += log.counts
            case .ended(let counts, _): sum += counts
            case .waiting: break
            }
        }
        return sum
    }

    /// The satellites last seen in the log of the last epoch.
    public var sky: SkyView {
        if lastLog < places.count, case .open(let log) = places[lastLog] { return log.sky }
        return lastSky
    }

    /// The receivers that gpsd's reports name, by first appearance; `Fix.device` is an index into it.
    ///
    /// It is empty while only NMEA was read, which names none.
    public var deviceNames: [String] { devices.names }

    /// How far a log was read, to be remembered with what was stored of it.
    public func progress(ofLog index: Int) -> ReplayProgress {
        switch places[index] {
        case .open(let log): log.progress
        case .ended(_, let progress): progress
        case .waiting: ReplayProgress()
        }
    }

    /// Which earlier replay this log is the continuation of, or a repetition.
    ///
    /// To be asked before the first epoch is taken. The first ``ReplayProgress/fixes`` fixes of the log are those that
    /// were delivered then.
    /// - Returns: the index of the longest of `candidates` that the log begins with; `nil` when it begins otherwise.
    public func resumePoint(
        ofLog index: Int, candidates: [ReplayProgress]
    ) throws(ReplayError) -> Int? {
        let order = candidates.indices.sorted { candidates[$0].bytes < candidates[$1].bytes }
        guard !order.isEmpty else { return nil }
        let log: ReplayLog
        switch places[index] {
        case .open(let open): log = open
        case .waiting:
            log = try ReplayLog(path: paths[index], settings: settings, devices: devices)
        case .ended: return nil
        }
        let digests = try log.digests(at: order.map { candidates[$0].bytes })
        return zip(order, digests).reversed().first { candidates[$0].digest == $1 }?.0
    }

    /// The open log whose next epoch is the earliest, after opening those whose time has come.
    private func earliest() throws(ReplayError) -> Int? {
        if places.count == 1 {
            if case .open = places[0] { return 0 }
            return nil
        }
        while true {
            var first: (index: Int, time: Int64)?
            for (index, place) in places.enumerated() {
                let time: Int64
                switch place {
                case .open(let log):
                    time = try log.nextTime()?.milliseconds ?? Int64.min
                    // What it will give may be the earliest.
                    if log.isStarved { return index }
                case .waiting(let begin): time = begin?.milliseconds ?? Int64.min
                case .ended: continue
                }
                if time < first?.time ?? Int64.max || first == nil { first = (index, time) }
            }
            guard let index = first?.index else { return nil }
            guard case .waiting = places[index] else { return index }
            places[index] = .open(
                try ReplayLog(path: paths[index], settings: settings, devices: devices))
        }
    }

    /// The earlier log that is the same file as this one or holds the same bytes.
    private func twin(
        of log: ReplayLog, _ identity: FileIdentity, in known: [FileIdentity: Int]
    ) throws(ReplayError) -> Int? {
        if let same = known[identity] { return same }
        // Only a file of the same length is worth reading.
        for (other, index) in known where other.size == identity.size && identity.size > 0 {
            let twin = try ReplayLog(path: paths[index], settings: settings, devices: devices)
            if try log.reader.holdsSame(as: twin.reader) { return index }
        }
        return nil
    }
}

/// How far a log was replayed: what an idempotent replay remembers of it.
public struct ReplayProgress: Equatable, Sendable {
    /// Decompressed bytes read, from the beginning.
    public var bytes: Int64
    /// ``LogDigest/value`` of those bytes.
    public var digest: UInt64
    /// Fixes that were taken.
    public var fixes: Int64

    /// Nothing replayed, or what was remembered.
    public init(bytes: Int64 = 0, digest: UInt64 = LogDigest().value, fixes: Int64 = 0) {
        self.bytes = bytes
        self.digest = digest
        self.fixes = fixes
    }
}
