import Scheduling
import Testing

@testable import DutyCycle

@Suite struct MotionSenseTests {
    /// What a sensor says, from rest on: seconds at which it turns.
    private func rest(_ turns: [Double], chosen: Double) -> ClosedRange<BootTime>? {
        var sense = MotionSense()
        sense.tell(true, 0)
        var isMoving = true
        for turn in turns {
            isMoving.toggle()
            sense.tell(isMoving, Int64(turn * 1000))
        }
        return sense.chosen(Int64(chosen * 1000))
    }

    private func seconds(_ low: Double, _ high: Double) -> ClosedRange<BootTime> {
        BootTime(milliseconds: Int64(low * 1000))...BootTime(milliseconds: Int64(high * 1000))
    }

    @Test func `a walk through the house does not end a rest of hours`() {
        // At rest from 100 s; a minute of motion after one hour, two of them with a moment between after three.
        let turns = [100.0, 3700, 3760, 10_000, 10_060, 10_080, 10_140, 14_402]
        #expect(rest(turns, chosen: 14_460) == seconds(100, 14_400))
    }

    @Test func `a way between two rests that took as long as they is one`() {
        #expect(rest([100, 402, 800, 1002], chosen: 1100) == seconds(100, 400))
    }

    @Test func `a halt on the way is not the rest it leads to`() {
        #expect(rest([100, 122, 180, 4002], chosen: 4100) == seconds(180, 4000))
    }
}
