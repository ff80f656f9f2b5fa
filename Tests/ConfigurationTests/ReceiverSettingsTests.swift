import DutyCycle
import Scheduling
import Testing

@testable import Configuration

@Suite struct ReceiverSettingsTests {
    private func load(_ text: String) throws -> LoadedSettings {
        try SettingsLoader.read(Array(text.utf8), path: "t.conf")
    }

    @Test func `a lever with all it needs is taken as it stands`() throws {
        let loaded = try load(
            """
            [DutyCycle]
            Policy=interval
            Interval=5min
            [Receiver]
            Power=hexdata
            SleepCommand=own
            SleepBytes=b5 62 0A
            WakeBytes=ff
            Milliwatts=96 87 0.05
            """)
        let receiver = loaded.settings.receiver
        #expect(receiver.power == .hexdata)
        #expect(receiver.sleepBytes == [0xB5, 0x62, 0x0A])
        #expect(receiver.wakeBytes == [0xFF])
        #expect(receiver.draw == ReceiverDraw(acquiring: 96, tracking: 87, off: 0.05))
        #expect(loaded.warnings.isEmpty)
    }

    @Test func `a program has a path from the root on, and its arguments`() throws {
        let loaded = try load("[Receiver]\nOffCommand=/usr/bin/uhubctl  -a off -p 2")
        #expect(
            loaded.settings.receiver.offCommand == ["/usr/bin/uhubctl", "-a", "off", "-p", "2"])
    }

    @Test(arguments: [
        "Power=sleep", "SleepCommand=ubx", "SleepBytes=b56", "SleepBytes=zz", "SleepBytes=+1",
        "OffCommand=uhubctl -a off", "SwitchTimeout=0s", "SwitchTimeout=2min", "Milliwatts=m9",
        "Milliwatts=1 2", "ActiveLow=maybe",
    ])
    func `what is no value is refused`(line: String) {
        #expect(throws: SettingsError.self) { try load("[Receiver]\n\(line)") }
    }

    @Test(arguments: [
        ("Power=command\nOffCommand=/bin/x", "command needs both OffCommand= and OnCommand="),
        ("Power=gpio", "gpio needs PowerPath="),
        ("Power=hexdata\nSleepCommand=own", "own sends nothing without SleepBytes="),
        ("Power=hexdata\nSleepBytes=ff", "has no effect with SleepCommand=auto; set own"),
        ("SleepCommand=mtk", "has no effect with Power=gpsd; set Power=hexdata"),
        ("ActiveLow=yes", "has no effect with Power=gpsd; set Power=gpio"),
    ])
    func `settings that do nothing are warned of`(lines: String, warning: String) throws {
        let policy = "[DutyCycle]\nPolicy=interval\nInterval=5min\n[Receiver]\n"
        let warnings = try load(policy + lines).warnings.map(\.description)
        #expect(warnings.count == 1 && warnings[0].contains(warning), "\(warnings)")
    }

    @Test func `a lever that never gets to work is warned of with the nearest workable value`()
        throws
    {
        let never = try load("[Receiver]\nPower=rfkill").warnings.map(\.description)
        #expect(never.contains { $0.contains("nothing is switched off with Policy=continuous") })
        let brief = try load(
            "[DutyCycle]\nPolicy=interval\nInterval=30s\n[Receiver]\nPower=gpsd"
        ).warnings.map(\.description)
        #expect(brief.contains { $0.contains("saves nothing with Power=gpsd") })
        let slow = try load(
            "[DutyCycle]\nPolicy=interval\nInterval=20s\n[Receiver]\nPower=command\n"
                + "OffCommand=/bin/x\nOnCommand=/bin/x\nSwitchTimeout=30s"
        ).warnings.map(\.description)
        #expect(slow.count == 1)
        #expect(slow.allSatisfy { $0.hasPrefix("t.conf:8:1: Receiver.SwitchTimeout=") })
        #expect(slow.allSatisfy { $0.hasSuffix("the nearest workable is 19s") }, "\(slow)")
        let deaf = try load(
            "[DutyCycle]\nPolicy=interval\nKeepOnBelow=0s\n[Receiver]\nPower=hexdata\nSleepCommand=pair-rtc"
        ).warnings.map(\.description)
        #expect(deaf.contains { $0.contains("the nearest workable KeepOnBelow= is 10s") })
    }
}
