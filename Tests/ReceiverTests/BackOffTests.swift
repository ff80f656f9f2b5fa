import Receiver
import Scheduling
import Testing

@Suite struct BackOffTests {
    @Test func `waits grow from one second to one minute and no further`() {
        var backOff = BackOff(seed: 7)
        let waits = (0..<200).map { _ in backOff.next().seconds }
        #expect(waits[0] >= 0.8 && waits[0] <= 1.2)
        #expect(waits.allSatisfy { $0 >= 0.8 && $0 <= 72 })
        #expect(waits.suffix(100).allSatisfy { $0 >= 48 })
        #expect(Set(waits.suffix(100)).count > 90)
    }

    @Test func `what comes back within a minute is tried within five seconds`() {
        for seed in 0..<200 {
            var backOff = BackOff(seed: UInt64(seed))
            var time = 0.0
            while time < 60 { time += backOff.next().seconds }
            #expect(time < 65)
        }
    }

    @Test func `a success begins again, and one seed gives one series`() {
        var a = BackOff(seed: 3)
        var b = BackOff(seed: 3)
        let first = (0..<20).map { _ in a.next() }
        let second = (0..<20).map { _ in b.next() }
        #expect(first == second)
        a.reset()
        let wait = a.next()
        #expect(wait <= .seconds(1.2))
    }
}
