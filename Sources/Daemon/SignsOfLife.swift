import Scheduling

/// Says when a hole that lasts is written down again, so that the next start knows how long this run went on, whatever
/// ended it.
final class SignsOfLife {
    private let loop: any Loop
    private var timer: TimerID?

    init(on loop: any Loop) {
        self.loop = loop
    }

    /// Writes after that time; a sign that was due is not.
    func expect(after wait: TimeSpan, _ write: @escaping () -> Void) {
        cancel()
        timer = loop.schedule(
            loop.now + wait, slack: .milliseconds(min(wait.milliseconds / 4, 60_000))
        ) { [unowned self] in
            timer = nil
            write()
        }
    }

    func cancel() {
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    /// How long a change may wait to be written: while the receiver is on, as long as a fix may.
    ///
    /// While it is off the host sleeps: waiting for the disk wakes it twice more, and less than once a minute it may.
    static func afterChange(isOn: Bool, commitEvery: TimeSpan) -> TimeSpan {
        isOn ? commitEvery : max(commitEvery, .seconds(300))
    }

    /// How long the next sign may wait in a state of that age: a share of it, as each costs a card a page and a receiver
    /// that is off a wake-up.
    static func again(age: TimeSpan, isOn: Bool, commitEvery: TimeSpan) -> TimeSpan {
        let share = isOn ? age.milliseconds / 4 : 3 * min(age.milliseconds, 900_000)
        let most: Int64 = isOn ? 60_000 : 900_000
        let least = afterChange(isOn: isOn, commitEvery: commitEvery)
        return max(least, .milliseconds(min(share, most)))
    }
}
