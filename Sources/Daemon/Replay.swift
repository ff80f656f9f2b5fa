import GNSS
import Receiver
import Scheduling
import Storage

/// Recorded logs driven through the pipeline on virtual time.
///
/// The fixes of each log that an earlier replay has stored are passed over, so a replay can be repeated and
/// one that was cut short goes on; so are those that another log, an import or the daemon has stored.
final class Replay {
    /// What became of one step.
    enum Progress: Equatable {
        /// An epoch was taken.
        case took
        /// The next epoch is due at that virtual time.
        case waits(BootTime)
        /// A pipe has nothing to give until that descriptor can be read.
        case starved(Int32)
        /// The logs are at their end.
        case ended
    }

    /// Virtual time; its timers fire on the way.
    let loop: VirtualLoop

    private let source: ReplaySource
    private let store: TrackStore
    private let pipeline: Pipeline
    private let conductor: Conductor
    private var clock: VirtualClock
    private var epoch = Epoch.noFix(nil)
    private var pending: BootTime?
    private var logs: [Log]
    private let stored: StoredPlaces
    private let forgotten: ForgottenTimes?
    /// Fixes, new to the database, of times of which fixes were forgotten.
    private(set) var forgottenFixes: Int64 = 0

    /// One log and what the store knows of it.
    private struct Log {
        var storedID: Int32?
        var known: Int64 = 0
        var seen: Int64 = 0
    }

    /// The decoder settings that decide which fixes a log gives; logs are recognised only under the same.
    private let settings: String

    init(
        _ source: ReplaySource, settings: String, store: TrackStore, pipeline: Pipeline,
        conductor: Conductor, on loop: VirtualLoop, noLaterThan limit: UTCTime
    ) throws {
        clock = VirtualClock(limit: limit)
        self.loop = loop
        self.conductor = conductor
        self.source = source
        self.settings = settings
        self.store = store
        self.pipeline = pipeline
        stored = try store.storedPlaces()
        forgotten = try store.forgottenTimes()
        let sources = try store.storedSources(settings: settings)
        let candidates = sources.map {
            ReplayProgress(bytes: $0.bytes, digest: $0.hash, fixes: $0.fixes)
        }
        logs = []
        for index in source.paths.indices {
            var log = Log()
            if let match = try source.resumePoint(ofLog: index, candidates: candidates) {
                log.storedID = sources[match].id
                log.known = sources[match].fixes
            }
            logs.append(log)
        }
    }

    /// Takes the next epoch if it is due by `limit`, moving virtual time to it; `nil` has no limit.
    func step(until limit: BootTime?) throws -> Progress {
        if pending == nil {
            guard try source.next(into: &epoch) else {
                return source.starved.map(Progress.starved) ?? .ended
            }
            pending = clock.arrival(of: &epoch)
        }
        guard let due = pending else { return .ended }
        if let limit, due > limit {
            loop.advance(to: limit)
            return .waits(due)
        }
        pending = nil
        loop.advance(to: due)
        let index = source.lastLog
        var known: Int64?
        if case .fix(let fix) = epoch {
            logs[index].seen += 1
            if logs[index].seen <= logs[index].known {
                known = 0
            } else if let time = fix.time, stored.mayHave(time) {
                known = try stored.sequence(of: fix)
            }
        }
        // A receiver that is off says nothing.
        guard conductor.isOn else { return .took }
        if known == nil, case .fix(let fix) = epoch, let time = fix.time,
            forgotten?.contains(time) == true
        {
            forgottenFixes += 1
        }
        pipeline.take(&epoch, at: due, known: known)
        return .took
    }

    /// Tells the store how far each log was taken; to be made durable with the fixes.
    func noteProgress() {
        // What waits in the pipeline is not stored yet: the newest fixes of the last logs.
        var waiting = Int64(pipeline.unsettled)
        for index in logs.indices.reversed() where logs[index].seen > logs[index].known {
            let stored = max(logs[index].known, logs[index].seen - waiting)
            waiting -= logs[index].seen - stored
            guard stored > logs[index].known else { continue }
            let progress = source.progress(ofLog: index)
            let id =
                logs[index].storedID
                ?? store.addSource(
                    kind: "replay", name: source.paths[index], settings: settings)
            logs[index].storedID = id
            store.updateSource(
                id, bytes: progress.bytes, hash: progress.digest, fixes: stored)
        }
    }

    /// What was read, of all logs.
    var counts: InputCounts {
        source.counts
    }

    /// The satellites last seen.
    var sky: SkyView {
        source.sky
    }
}
