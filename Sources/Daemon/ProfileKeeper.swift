import Configuration
import DutyCycle
import GNSS
import Glibc
import Platform
import Scheduling

/// Puts the profile in force that fits what is so, and says each switch.
final class ProfileKeeper {
    /// Told the settings that hold from now on, and why.
    var onSwitch: (_ settings: DutyCycle.Settings, _ reason: String) -> Void = { _, _ in }

    private let loop: any Loop
    private let journal: Journal
    /// Whether the clock on the wall counts: not in a replay.
    private let hasWallClock: Bool
    private var settings: Settings
    private var chooser: ProfileChooser
    private var circumstances = Circumstances()
    private var timer: TimerID?

    init(_ settings: Settings, on loop: any Loop, _ journal: Journal, hasWallClock: Bool) {
        self.settings = settings
        self.loop = loop
        self.journal = journal
        self.hasWallClock = hasWallClock
        chooser = ProfileChooser(settings.profiles.map(\.rule))
    }

    deinit {
        if let timer { loop.cancel(timer) }
    }

    /// The settings in force.
    var inForce: DutyCycle.Settings {
        settings.dutyCycle(under: chooser.current.map { settings.profiles[$0] })
    }

    /// The name of the profile in force, for status.
    var name: String? { chooser.name }

    /// Takes other settings; tells nobody.
    func change(_ settings: Settings) {
        let isSame = settings.profiles == self.settings.profiles
        self.settings = settings
        guard !isSame else { return }
        chooser = ProfileChooser(settings.profiles.map(\.rule))
        judge()
    }

    /// Takes note of a kept fix.
    func see(_ fix: Fix) {
        guard !chooser.rules.isEmpty else { return }
        circumstances.fix = fix
        judge()
    }

    /// Takes note of the supply, as far as it is known.
    func see(isExternal: Bool?, battery: Double?) {
        circumstances.isExternal = isExternal
        circumstances.battery = battery
        judge()
    }

    /// Looks for the first time.
    func begin() {
        judge()
    }

    private func judge() {
        guard !chooser.rules.isEmpty else { return }
        let clock = hasWallClock ? Self.wallClock() : nil
        circumstances.minute = clock?.minute
        let before = chooser.name
        if chooser.judge(circumstances, at: loop.now) {
            let name = chooser.name
            let reason = name.map { "profile \($0)" } ?? "profile \(before ?? "") ended"
            journal.write(
                .notice, "profile switched",
                ["profile": name ?? "none", "before": before ?? "none"])
            onSwitch(inForce, reason)
        }
        plan(clock)
    }

    /// Looks again when a delay ends or a time of the week begins or ends.
    private func plan(_ clock: (minute: Int, second: Int)?) {
        var due = chooser.due
        if let clock, let minutes = chooser.minutesToChange(after: clock.minute) {
            // A clock that is set shows within the hour.
            let seconds = min(Double(minutes * 60 - clock.second), 3600)
            let next = loop.now + .seconds(max(1, seconds))
            due = due.map { min($0, next) } ?? next
        }
        if let timer { loop.cancel(timer) }
        timer = due.map {
            loop.schedule($0, slack: .seconds(1)) { [unowned self] in
                timer = nil
                judge()
            }
        }
    }

    /// The minute of the week, Monday 00:00 is 0, and the second in it; `nil` without a clock.
    private static func wallClock() -> (minute: Int, second: Int)? {
        guard SystemClock.wall > Product.released else { return nil }
        var now = time(nil)
        var parts = unsafe tm()
        guard unsafe localtime_r(&now, &parts) != nil else { return nil }
        let day = unsafe (Int(parts.tm_wday) + 6) % 7
        let minute = unsafe Int(parts.tm_hour) * 60 + Int(parts.tm_min)
        return unsafe (day * 1440 + minute, min(59, Int(parts.tm_sec)))
    }
}
