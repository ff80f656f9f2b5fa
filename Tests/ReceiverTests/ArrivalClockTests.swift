import GNSS
import Scheduling
import Testing

@testable import Receiver

/// Boot time 1000 s is 2026-05-01T10:00:00Z by the receiver; an epoch takes 0.2 s to come unless told otherwise.
@Suite struct ArrivalClockTests {
    private var clock = ArrivalClock()

    private func at(_ second: Double) -> BootTime {
        BootTime(nanoseconds: 0) + .seconds(1000 + second)
    }

    private func time(_ second: Double) -> UTCTime {
        UTCTime(milliseconds: 1_777_629_600_000 + Int64(second * 1000))
    }

    /// Reads epochs `first` to `last` together at `now` and says when the first and the last of them came.
    private mutating func drain(_ first: Double, _ last: Double, at now: Double) -> [Double] {
        clock.note(newest: time(last), now: at(now))
        let came = [first, last].map { (clock.arrival(of: time($0), now: at(now)) - at(0)).seconds }
        clock.drained(at: at(now))
        return came
    }

    private func expect(_ came: [Double], _ right: [Double], within tolerance: Double = 0.01) {
        for (came, right) in zip(came, right) { #expect(abs(came - right) <= tolerance) }
    }

    @Test mutating func `epochs that waited came at the receiver's pace`() {
        expect(drain(0, 0, at: 0.2), [0.2, 0.2])
        expect(drain(1, 10, at: 10.9), [1.2, 10.2])
        expect(drain(11, 20, at: 20.4), [11.2, 20.2])
    }

    @Test mutating func `a receiver that fell silent did so when its last epoch came`() {
        expect(drain(0, 0, at: 0.2), [0.2, 0.2])
        expect(drain(1, 3, at: 10.9), [1.2, 3.2])
    }

    @Test mutating func `nothing came before the last drain or after now`() {
        clock.drained(at: at(0))
        expect(drain(-19, 0, at: 0.3), [0, 0.3])
        // The receiver's clock is set an hour ahead, then back.
        expect(drain(3591, 3600, at: 10.3), [1, 10.3], within: 1)
        expect(drain(11, 20, at: 20.3), [11.3, 20.3], within: 0.1)
        expect(drain(21, 30, at: 30.3), [21.3, 30.3], within: 0.1)
    }

    @Test mutating func `a time beyond what fits came now`() {
        clock.note(newest: UTCTime(milliseconds: .max), now: at(5))
        #expect(clock.arrival(of: UTCTime(milliseconds: .max), now: at(5)) == at(5))
        #expect(clock.arrival(of: nil, now: at(5)) == at(5))
    }
}
