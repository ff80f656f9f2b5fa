import DutyCycle
import Scheduling
import Testing

@testable import Configuration

@Suite struct ProfileTests {
    func load(_ text: String) throws -> Settings {
        try SettingsLoader.read(Array(text.utf8), path: "t.conf").settings
    }

    @Test func `a profile changes what it names under its conditions`() throws {
        let settings = try load(
            """
            [DutyCycle]
            Policy=adaptive
            ErrorBound=50
            Profile=car Policy=continuous power=external on-delay=10s
            Profile=low ErrorBound=200 battery<20 speed>1.5 priority=3 off-delay=5min
            """)
        #expect(settings.profiles.map(\.rule.name) == ["car", "low"])
        #expect(settings.profiles[0].rule.conditions == [.externalPower(true)])
        #expect(settings.profiles[0].rule.onDelay == .seconds(10))
        #expect(settings.profiles[1].rule.conditions == [.batteryBelow(20), .speedAbove(1.5)])
        #expect(settings.profiles[1].rule.priority == 3)
        #expect(settings.dutyCycle(under: settings.profiles[0]).policy == .continuous)
        let low = settings.dutyCycle(under: settings.profiles[1])
        #expect(low.policy == .adaptive && low.errorBound == 200)
        #expect(settings.dutyCycle(under: nil).errorBound == 50)
    }

    @Test(arguments: [
        "night Policy=on-demand time=Mon,Tue/22:00-06:00",
        "home ErrorBound=100 zone=52.5163,13.3777,250 speed<1 battery>80 priority=-2",
        "day Interval=5min time=08:00-18:00 on-delay=1min",
    ])
    func `its text is read back as the same`(text: String) throws {
        let profile = try #require(Profile(text))
        #expect(profile.text == text)
        #expect(Profile(profile.text) == profile)
    }

    @Test(
        arguments: [
            ("Fri-Mon", 0b111_0001, 0, 1440), ("Sat,Sun/00:00-24:00", 0b110_0000, 0, 1440),
            ("mon-fri/22:00-06:00", 0b001_1111, 1320, 360), ("08:30-09:00", 0x7F, 510, 540),
        ] as [(String, UInt8, Int, Int)])
    func `times of the week are read`(text: String, days: UInt8, from: Int, to: Int) {
        #expect(WeekTimeText.parse(text) == WeekTime(days: days, from: from, to: to))
    }

    @Test(arguments: [
        "", "night", "night time=22:00-06:00", "a=b Policy=interval", "x Policy=lazy",
        "x Nothing=1", "x Profile=y", "x Policy=interval power=solar",
        "x Policy=interval battery=3",
        "x Policy=interval speed<fast", "x Policy=interval time=Noday",
        "x Policy=interval time=25:00-01:00",
        "x Policy=interval time=08:00", "x Policy=interval zone=1,2",
        "x Policy=interval on-delay=2d",
        "x Policy=interval priority=high", "x Policy=interval and",
    ])
    func `what is no profile is refused with its place`(text: String) {
        #expect(Profile(text) == nil)
        guard !text.isEmpty else { return }
        #expect(throws: SettingsError.self) { try load("[DutyCycle]\nProfile=\(text)\n") }
    }
}
