import Scheduling
import Testing

@testable import Daemon

@Suite struct CommitClockTests {
    private func at(_ seconds: Int64) -> BootTime { BootTime(milliseconds: seconds * 1000) }

    @Test func `the oldest record that waits says when`() {
        var clock = CommitClock(every: .seconds(300), count: 3)
        #expect(clock.due == nil)
        let full = [1, 2, 3].map { clock.recorded(at: at($0)) }
        #expect(full == [false, false, true])
        #expect(clock.due == at(301))
        #expect(!clock.isOverdue(at: at(311)) && clock.isOverdue(at: at(312)))
        clock.committed()
        #expect(clock.due == nil)
    }

    /// UPower calls less than 5 % critical by default (UPower.conf, PercentageCritical).
    @Test func `a battery that is nearly empty ends a long wait, once, until it is charged`() {
        var clock = CommitClock(every: .seconds(300), count: 1000)
        _ = clock.recorded(at: at(1))
        // What the supply says; whether nothing may wait from now on, and when the record is due.
        let steps: [(isExternal: Bool?, battery: Double?, isSudden: Bool, due: Int64)] = [
            (false, 5, false, 301), (false, 4.9, true, 11), (nil, 4.8, false, 11),
            (true, 4.8, false, 301), (false, 4.7, true, 11), (nil, nil, false, 301),
        ]
        for step in steps {
            let isSudden = clock.see(isExternal: step.isExternal, battery: step.battery)
            #expect(isSudden == step.isSudden && clock.due == at(step.due), "\(step)")
        }
    }

    @Test func `an urgent clock waits no longer than it was told to`() {
        var clock = CommitClock(every: .seconds(2), count: 1000)
        let isSudden = clock.see(isExternal: false, battery: 1)
        #expect(isSudden)
        _ = clock.recorded(at: at(1))
        #expect(clock.due == at(3))
    }
}
