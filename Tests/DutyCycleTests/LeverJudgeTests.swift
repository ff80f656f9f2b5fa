import DutyCycle
import Scheduling
import Testing

@Suite struct LeverJudgeTests {
    private func at(_ seconds: Double) -> BootTime {
        BootTime(nanoseconds: Int64(seconds * 1e9))
    }

    /// Tells the time whenever it is asked for, up to `end`, and gives what was to be done.
    private func run(_ judge: inout LeverJudge, to end: Double) -> [LeverJudge.Action] {
        var actions: [LeverJudge.Action] = []
        while let due = judge.nextCheck, due <= at(end) {
            guard let action = judge.tell(.time, at: due) else { continue }
            actions.append(action)
            if action == .ask { break }
        }
        return actions
    }

    @Test func `a device that gpsd closes after its hold proves the release`() {
        var judge = LeverJudge(.gpsd)
        #expect(judge.state == "untried")
        #expect(judge.tell(.off(until: at(300)), at: at(0)) == nil)
        #expect(judge.state == "checking")
        // What gpsd answers to the end of the watch, at once.
        _ = judge.tell(.device(isOpen: true, others: 0), at: at(0.1))
        #expect(judge.state == "checking")
        // gpsd.c of 3.22 to 3.27: RELEASE_TIMEOUT is 60 s; nothing can be said before.
        #expect(judge.nextCheck.map { $0 > at(60) } == true)
        #expect(run(&judge, to: 100) == [.ask])
        _ = judge.tell(.device(isOpen: false, others: 0), at: at(62))
        #expect(judge.verdict == .verified)
        #expect(judge.saving(device: "/dev/gnss0").contains("kernel switches it off"))
        #expect(judge.saving(device: "/dev/ttyUSB0").contains("draws its power on"))
    }

    @Test func `gpsd 3_22 closes when it is asked, and is asked again`() {
        var judge = LeverJudge(.gpsd)
        _ = judge.tell(.off(until: nil), at: at(0))
        #expect(run(&judge, to: 100) == [.ask])
        #expect(judge.tell(.device(isOpen: true, others: 0), at: at(62)) == nil)
        #expect(judge.state == "checking")
        #expect(run(&judge, to: 100) == [.ask])
        _ = judge.tell(.device(isOpen: false, others: 0), at: at(64))
        #expect(judge.verdict == .verified)
    }

    @Test(arguments: [
        (0 as Int?, LeverJudge.Verdict.alwaysOpen, "started with -n"),
        (nil, .heldOpen, "another client watches it, or it was started with -n"),
        (2, .shared(2), "2 other clients use gpsd"),
    ])
    func `a device that stays open is explained`(
        others: Int?, verdict: LeverJudge.Verdict, words: String
    ) {
        var judge = LeverJudge(.gpsd)
        _ = judge.tell(.off(until: nil), at: at(0))
        _ = run(&judge, to: 100)
        _ = judge.tell(.device(isOpen: true, others: others), at: at(62))
        _ = run(&judge, to: 100)
        let action = judge.tell(.device(isOpen: true, others: others), at: at(64))
        #expect(action == (others ?? 0 > 0 ? .ride : nil))
        #expect(judge.verdict == verdict)
        #expect(judge.state == "no_effect")
        #expect(judge.saving(device: nil).contains(words))
    }

    @Test func `off for less than gpsd holds a device saves host wake-ups only`() {
        var judge = LeverJudge(.gpsd)
        _ = judge.tell(.off(until: at(50)), at: at(0))
        #expect(judge.verdict == .brief)
        #expect(judge.nextCheck == nil)
        #expect(judge.saving(device: nil).hasPrefix("off saves host wake-ups only: gpsd keeps"))
    }

    @Test func `silence after the command proves a lever that leaves the device open`() {
        var judge = LeverJudge(.hexdata)
        _ = judge.tell(.off(until: at(60)), at: at(0))
        _ = judge.tell(.carriedOut, at: at(0))
        // What was on the line already is no disobedience.
        #expect(judge.tell(.data, at: at(0.5)) == nil)
        #expect(run(&judge, to: 60) == [])
        #expect(judge.verdict == .verified)
        // Its timer wakes it when it is wanted.
        #expect(judge.tell(.data, at: at(59)) == nil)
        #expect(judge.verdict == .verified)
    }

    @Test
    func `a receiver that goes on sending makes the lever fall back, and after three times rest`() {
        var judge = LeverJudge(.hexdata)
        for round in 0..<3 {
            let start = Double(round) * 60
            _ = judge.tell(.off(until: at(start + 60)), at: at(start))
            #expect(judge.inForce(at: at(start)) == .hexdata)
            _ = judge.tell(.carriedOut, at: at(start))
            #expect(judge.tell(.data, at: at(start + 3.5)) == .fallBack)
            #expect(judge.tell(.data, at: at(start + 4.5)) == nil)
            #expect(judge.inForce(at: at(start + 5)) == .gpsd)
            _ = judge.tell(.on, at: at(start + 59))
        }
        #expect(judge.saving(device: nil).contains("went on sending after hexdata"))
        _ = judge.tell(.off(until: nil), at: at(200))
        #expect(judge.inForce(at: at(200)) == .gpsd)
        // A gpsd that keeps the device open leaves nothing that could work.
        _ = run(&judge, to: 300)
        _ = judge.tell(.device(isOpen: true, others: 0), at: at(262))
        _ = run(&judge, to: 300)
        _ = judge.tell(.device(isOpen: true, others: 0), at: at(264))
        #expect(judge.inForce(at: at(265)) == .none)
        // It is tried again after an hour.
        _ = judge.tell(.on, at: at(300))
        _ = judge.tell(.off(until: nil), at: at(4000))
        #expect(judge.inForce(at: at(4000)) == .hexdata)
    }

    @Test func `a receiver that wakes by itself too early is sent to sleep again, a few times`() {
        var judge = LeverJudge(.hexdata)
        _ = judge.tell(.off(until: at(10_000)), at: at(0))
        for round in 0..<3 {
            let start = Double(round) * 100
            _ = judge.tell(.carriedOut, at: at(start))
            _ = run(&judge, to: start + 50)
            #expect(judge.verdict == .verified)
            #expect(judge.tell(.data, at: at(start + 99)) == .again)
        }
        _ = judge.tell(.carriedOut, at: at(300))
        _ = run(&judge, to: 350)
        #expect(judge.tell(.data, at: at(399)) == .fallBack)
        #expect(judge.verdict == .talking)
    }

    @Test func `a lever that fails falls back and says why`() {
        var judge = LeverJudge(.command)
        _ = judge.tell(.off(until: nil), at: at(0))
        #expect(judge.tell(.failed("/x ended with 3"), at: at(1)) == .fallBack)
        #expect(judge.inForce(at: at(1)) == .gpsd)
        #expect(judge.saving(device: nil).hasSuffix("command failed: /x ended with 3"))
        #expect(judge.state == "failed")
        // Switching on may fail as well: there is nothing to fall back to.
        _ = judge.tell(.on, at: at(10))
        #expect(judge.tell(.failed("no"), at: at(11)) == nil)
    }

    @Test func `what cannot be seen is not proven`() {
        var judge = LeverJudge(.hexdata)
        _ = judge.tell(.off(until: nil), at: at(0))
        _ = judge.tell(.carriedOut, at: at(0))
        _ = judge.tell(.blind, at: at(7))
        #expect(judge.verdict == .blind)
        #expect(judge.state == "unknown")
        #expect(judge.nextCheck == nil)
    }

    @Test func `nothing is asked of a gpsd that does not answer for ever`() {
        var judge = LeverJudge(.gpsd)
        _ = judge.tell(.off(until: nil), at: at(0))
        var asked = 0
        for _ in 0..<20 where run(&judge, to: 1000) == [.ask] { asked += 1 }
        #expect(asked == 2)
        #expect(judge.verdict == .blind)
    }
}
