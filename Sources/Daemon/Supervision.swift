import Platform
import Scheduling

/// What the service manager hears of a run: that it is ready, what it is doing, that it makes progress.
final class Supervision {
    private let notifier = ServiceNotifier()
    private let loop: EventLoop
    private var isReady = false
    private var told = ""
    private var timer: TimerID?

    /// How soon a watchdog that was not fed is looked at again: after a suspend all timers are late at once.
    private static let lookAgain = TimeSpan.seconds(1)

    init(on loop: EventLoop) {
        self.loop = loop
    }

    /// Start-up is complete.
    func ready(_ doing: String) {
        isReady = true
        told = doing
        notifier.ready(doing)
    }

    /// Tells in one line what the program is doing, when that has changed.
    func doing(_ text: String) {
        guard isReady, notifier.isSupervised, text != told else { return }
        told = text
        notifier.status(text)
    }

    /// Tells of a reload while it lasts.
    ///
    /// - Parameter reload: reads the settings again and returns what to show from now on.
    func reloading(_ reload: () -> String) {
        notifier.reloading()
        ready(reload())
    }

    /// The end has begun.
    func stopping(_ doing: String) {
        isReady = false
        if let timer { loop.cancel(timer) }
        timer = nil
        notifier.stopping(doing)
    }

    /// Feeds the watchdog as long as the loop turns and `isWell`, when the service manager keeps one.
    ///
    /// The wake-up is a timer of the loop with a wide slack: it joins others and proves that timers fire.
    func keepWatchdog(_ isWell: @escaping () -> Bool) {
        guard let interval = notifier.watchdogInterval else { return }
        // Half of it at first, three quarters with the slack (sd_watchdog_enabled(3) asks for half).
        let half = TimeSpan(nanoseconds: interval.nanoseconds / 2)
        let slack = TimeSpan(nanoseconds: interval.nanoseconds / 4)
        func feed() {
            let fed = isWell()
            if fed { notifier.alive() }
            timer = loop.schedule(
                loop.now + (fed ? half : min(half, Supervision.lookAgain)),
                slack: fed ? slack : .seconds(0), feed)
        }
        feed()
    }
}
