import GNSS
import Scheduling
import StatusProtocol

/// Where epochs come from: a replay, or gpsd.
protocol Feed: AnyObject {
    /// The pipeline's time: virtual in a replay.
    var now: BootTime { get }
    /// The satellites last seen.
    var sky: SkyView { get }
    /// What status says of it.
    func report() -> SourceReport
    /// Begins to deliver.
    func start()
    /// Delivers nothing more, leaves the receiver on, and says when that is done.
    func stop(_ done: @escaping () -> Void)
    /// Switches the receiver, until then when that is known, as far as the source can.
    func setReceiver(isOn: Bool, until: BootTime?)
    /// How long reports may wait while nobody watches; 0 takes each as it comes.
    func setDrain(every: TimeSpan)
    /// Takes what waits, so that an answer is fresh.
    func refresh()
    /// Takes note whether anybody wants each fix at once.
    func setWatched(_ isWatched: Bool)
    /// Tells the store how far a log was taken, before a commit.
    func noteProgress()
    /// What a person should hear at the end.
    ///
    /// - Parameter stored: how many of the recorded fixes are safe.
    func summarise(_ tally: Pipeline.Tally, stored: Int64, _ say: FeedWords)
}

/// Where a feed says what a person should hear.
typealias FeedWords = (
    _ isWarning: Bool, _ event: String, _ fields: KeyValuePairs<String, String>
) -> Void
