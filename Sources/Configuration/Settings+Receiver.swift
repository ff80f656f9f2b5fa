import DutyCycle
import Scheduling

extension Settings {
    /// Settings of `[Receiver]` that do nothing or cannot work together.
    func receiverContradictions(
        _ isSet: (String) -> Bool
    ) -> [(name: String, message: String)] {
        var found: [(name: String, message: String)] = []
        func note(_ key: String, when condition: Bool, _ message: String) {
            if condition { found.append(("Receiver.\(key)", message)) }
        }
        let power = receiver.power
        func needs(_ key: String, _ levers: [PowerLever]) {
            let wanted = levers.map { "Power=\($0.rawValue)" }.joined(separator: " or ")
            note(
                key, when: isSet("Receiver.\(key)") && !levers.contains(power),
                "has no effect with Power=\(power.rawValue); set \(wanted)")
        }
        needs("SleepCommand", [.hexdata])
        needs("SleepBytes", [.hexdata])
        needs("WakeBytes", [.hexdata])
        needs("OffCommand", [.command])
        needs("OnCommand", [.command])
        needs("SwitchTimeout", [.command, .modemmanager])
        needs("PowerPath", [.gnssDevice, .gpio, .rfkill, .modemmanager])
        needs("ActiveLow", [.gpio])
        let isOwn = receiver.sleepCommand == .own
        if power == .hexdata {
            note(
                "SleepCommand", when: isOwn && receiver.sleepBytes.isEmpty,
                "own sends nothing without SleepBytes=")
            note(
                "SleepBytes", when: !isOwn && !receiver.sleepBytes.isEmpty,
                "has no effect with SleepCommand=\(receiver.sleepCommand.rawValue); set own")
            let shortest = TimeSpan.seconds(10)
            note(
                "SleepCommand",
                when: receiver.sleepCommand == .pairRTC && dutyCycle.keepOnBelow < shortest,
                "pair-rtc sleeps for 10s at least: the nearest workable KeepOnBelow= is 10s")
        }
        note(
            "Power",
            when: power == .command && (receiver.offCommand.isEmpty || receiver.onCommand.isEmpty),
            "command needs both OffCommand= and OnCommand=; nothing is switched without them")
        note(
            "Power", when: power == .gpio && receiver.path == nil,
            "gpio needs PowerPath=, as /dev/gpiochip0:17")
        note(
            "Power", when: power.touchesReceiver && policies.allSatisfy { $0 == .continuous },
            "nothing is switched off with Policy=continuous")
        guard dutyCycle.policy == .interval else { return found }
        let interval = dutyCycle.interval
        let hold = TimeSpan.seconds(62)
        if power.releasesDevice, interval <= hold,
            isSet("Receiver.Power") || isSet("DutyCycle.Interval")
        {
            found.append(
                (
                    "DutyCycle.Interval",
                    "saves nothing with Power=\(power.rawValue): gpsd holds a device for 60s after its "
                        + "last watcher; the nearest workable is \(DurationText.format(hold + .seconds(1)))"
                ))
        }
        if [.command, .modemmanager].contains(power) {
            note(
                "SwitchTimeout", when: receiver.switchTimeout >= interval,
                "switching may take longer than Interval=\(DurationText.format(interval)): the nearest "
                    + "workable is \(DurationText.format(max(.seconds(0.1), interval - .seconds(1))))"
            )
        }
        return found
    }
}
