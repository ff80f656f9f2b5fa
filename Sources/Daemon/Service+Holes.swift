import Configuration
import GNSS
import Platform
import Scheduling
import Storage
import Tracking

/// The hole that lasts is written down with each commit and, where nothing is recorded, from time to time.
extension Service {
    /// The last fix of a run of this boot, where the boot's clock tells how long ago it was.
    static func ofThisBoot(_ previous: RecordedFix?, _ store: TrackStore) -> RecordedFix? {
        guard let previous, let boot = SystemClock.bootID,
            (try? store.bootOfLiveRun(previous.run)) == boot
        else { return nil }
        return previous
    }

    /// The present as the track counts time; `nil` where no clock tells.
    private var trackTime: UTCTime? {
        if let previousOfBoot, let time = previousOfBoot.fix.time {
            return UTCTime(
                milliseconds: time.milliseconds
                    &+ (feed.now.milliseconds &- previousOfBoot.receivedAt))
        }
        return SystemClock.isSynchronised == true ? SystemClock.wall : nil
    }

    /// The hole that lasts, in parts.
    var lastingHole: [Gap] {
        pipeline.lastingHole(at: feed.now, time: feed is GPSDFeed ? trackTime : nil)
    }

    /// Why no fixes are kept now, and since when that is the reason; `nil` while they are.
    var presentGap: (reason: GapReason, since: BootTime)? {
        if let reason = pipeline.reason { return (reason, pipeline.reasonSince) }
        let kept = pipeline.lastKeptAt
        guard let kept, feed.now - kept > ServiceSettings.gapAfter(options.settings.settings)
        else { return nil }
        // Nothing was told: what came since says why.
        return (pipeline.tracker.presentReason ?? .noSky, max(kept, pipeline.reasonSince))
    }

    /// Writes down what is known of the hole now; a replay has its log to read again.
    func noteHole() {
        guard feed is GPSDFeed else { return }
        pipeline.noteHole(at: feed.now, time: trackTime)
    }

    /// Closes the track.
    func endTrack() {
        signs.cancel()
        if feed is GPSDFeed {
            pipeline.end(at: feed.now, time: trackTime)
        } else {
            pipeline.end(at: feed.now)
        }
    }

    /// Writes a change soon.
    func reasonChanged() {
        guard feed is GPSDFeed else { return }
        guard pipeline.reason != nil, pipeline.hasTrack else { return signs.cancel() }
        signs.expect(
            after: SignsOfLife.afterChange(
                isOn: conductor.isOn, commitEvery: options.settings.settings.store.commitEvery)
        ) { [unowned self] in sign() }
    }

    private func sign() {
        guard pipeline.reason != nil else { return }
        commit()
        signs.expect(
            after: SignsOfLife.again(
                age: feed.now - pipeline.reasonSince, isOn: conductor.isOn,
                commitEvery: options.settings.settings.store.commitEvery)
        ) { [unowned self] in sign() }
    }
}
