import Scheduling
import Testing

@Suite struct VirtualLoopTests {
    @Test func `timers fire in the order of their due times, then of scheduling`() {
        let loop = VirtualLoop()
        var fired: [String] = []
        func at(_ seconds: Double, _ name: String) -> TimerID {
            loop.schedule(BootTime(nanoseconds: 0) + .seconds(seconds), slack: .seconds(0)) {
                fired.append(name)
            }
        }
        _ = at(2, "late")
        _ = at(1, "first")
        _ = at(1, "second")
        loop.cancel(at(1, "cancelled"))
        loop.advance(to: BootTime(nanoseconds: 1_500_000_000))
        #expect(fired == ["first", "second"])
        loop.advance(to: BootTime(nanoseconds: 2_000_000_000))
        #expect(fired == ["first", "second", "late"])
    }

    @Test func `a timer sees its own due time, and one it schedules fires in the same advance`() {
        let loop = VirtualLoop()
        var seen: [Int64] = []
        func tick() {
            seen.append(loop.now.milliseconds)
            if seen.count < 3 {
                _ = loop.schedule(loop.now + .seconds(1), slack: .seconds(0), tick)
            }
        }
        _ = loop.schedule(BootTime(milliseconds: 1000), slack: .seconds(0), tick)
        loop.advance(to: BootTime(milliseconds: 10_000))
        #expect(seen == [1000, 2000, 3000])
        #expect(loop.now.milliseconds == 10_000)
    }

    @Test func `time never goes back`() {
        let loop = VirtualLoop(now: BootTime(milliseconds: 5))
        loop.advance(to: BootTime(milliseconds: 1))
        #expect(loop.now.milliseconds == 5)
    }
}
