import DutyCycle
import GNSS
import Scheduling
import Testing

@Suite struct ProfileTests {
    static func rule(
        _ name: String, _ conditions: ProfileRule.Condition..., priority: Int = 0,
        on: Double = 0, off: Double = 0
    ) -> ProfileRule {
        var rule = ProfileRule(name: name)
        rule.conditions = conditions
        rule.priority = priority
        rule.onDelay = .seconds(on)
        rule.offDelay = .seconds(off)
        return rule
    }

    static func time(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1000) }

    @Test func `what is not known is not so`() {
        var chooser = ProfileChooser([
            Self.rule("a", .externalPower(true)), Self.rule("b", .externalPower(false)),
            Self.rule("c", .batteryBelow(100)), Self.rule("d", .speedBelow(1000)),
        ])
        do {
            let isNew = chooser.judge(Circumstances(), at: Self.time(0))
            #expect(!isNew)
        }
        #expect(chooser.name == nil)
    }

    @Test func `of those that hold the highest priority is in force, of equals the first`() {
        var chooser = ProfileChooser([
            Self.rule("always"), Self.rule("low", .batteryBelow(20), priority: 5),
            Self.rule("lower", .batteryBelow(30), priority: 5),
        ])
        var now = Circumstances()
        do {
            let isNew = chooser.judge(now, at: Self.time(0))
            #expect(isNew)
            #expect(chooser.name == "always")
        }
        now.battery = 25
        do {
            let isNew = chooser.judge(now, at: Self.time(1))
            #expect(isNew)
            #expect(chooser.name == "lower")
        }
        now.battery = 15
        do {
            let isNew = chooser.judge(now, at: Self.time(2))
            #expect(isNew)
            #expect(chooser.name == "low")
        }
        now.battery = 80
        do {
            let isNew = chooser.judge(now, at: Self.time(3))
            #expect(isNew)
            #expect(chooser.name == "always")
        }
    }

    @Test func `delays hold a switch back and a flutter begins them anew`() {
        var chooser = ProfileChooser([Self.rule("car", .externalPower(true), on: 10, off: 60)])
        var now = Circumstances()
        now.isExternal = true
        do {
            let isNew = chooser.judge(now, at: Self.time(0))
            #expect(!isNew)
        }
        #expect(chooser.due == Self.time(10))
        now.isExternal = false
        do {
            let isNew = chooser.judge(now, at: Self.time(5))
            #expect(!isNew)
            #expect(chooser.due == nil)
        }
        now.isExternal = true
        do {
            let isNew = chooser.judge(now, at: Self.time(8))
            #expect(!isNew)
        }
        do {
            let isNew = chooser.judge(now, at: Self.time(17))
            #expect(!isNew)
        }
        do {
            let isNew = chooser.judge(now, at: Self.time(18))
            #expect(isNew)
            #expect(chooser.name == "car")
        }
        now.isExternal = false
        do {
            let isNew = chooser.judge(now, at: Self.time(20))
            #expect(!isNew)
        }
        do {
            let isNew = chooser.judge(now, at: Self.time(80))
            #expect(isNew)
            #expect(chooser.name == nil)
        }
    }

    @Test func `all conditions of one must be so`() {
        let home = NoRecordZone(latitude: 51, longitude: 0.5, radius: 200)
        var chooser = ProfileChooser([Self.rule("home", .inside(home), .speedBelow(1))])
        var now = Circumstances()
        now.fix = Fix(time: nil, latitude: 51.001, longitude: 0.5, mode: .threeD)
        do {
            let isNew = chooser.judge(now, at: Self.time(0))
            #expect(!isNew)
        }
        now.fix?.speed = 0.2
        do {
            let isNew = chooser.judge(now, at: Self.time(1))
            #expect(isNew)
        }
        // 0.01° of the meridian are 1.1 km.
        now.fix?.latitude = 51.01
        do {
            let isNew = chooser.judge(now, at: Self.time(2))
            #expect(isNew)
            #expect(chooser.name == nil)
        }
    }

    @Test func `a night over midnight belongs to the day it begins on`() {
        // Friday and Sunday, 22:00 to 06:00.
        let night = WeekTime(days: 0b101_0000, from: 22 * 60, to: 6 * 60)
        func minute(_ day: Int, _ hour: Int) -> Int { day * 1440 + hour * 60 }
        #expect(night.contains(minute(4, 22)) && night.contains(minute(5, 5)))
        #expect(!night.contains(minute(5, 6)) && !night.contains(minute(5, 23)))
        #expect(night.contains(minute(0, 3)) && !night.contains(minute(4, 3)))
        #expect(night.minutesToChange(after: minute(4, 20)) == 120)
        #expect(night.minutesToChange(after: minute(4, 22)) == 480)
        #expect(night.minutesToChange(after: minute(0, 6)) == minute(4, 16))
        #expect(WeekTime(days: 0x7F, from: 0, to: 1440).contains(3000))
    }
}
