import GNSS
import Receiver
import Scheduling
import Testing

@Suite struct SourceWatchdogTests {
    private var watchdog = SourceWatchdog()

    private func at(_ second: Double) -> BootTime {
        BootTime(nanoseconds: Int64(second * 1e9))
    }

    /// A source that streams since second 2.
    private mutating func stream(until last: Int) {
        _ = watchdog.tell(.connected, at: at(0))
        _ = watchdog.tell(.answer, at: at(0.1))
        _ = watchdog.tell(.receivers(1), at: at(0.1))
        for second in 2...last {
            _ = watchdog.tell(
                .epoch(hasFix: true, interval: .seconds(1)), at: at(Double(second)))
        }
    }

    /// What is done while nothing comes, second by second.
    private mutating func wait(
        _ seconds: Range<Int>
    ) -> [(second: Int, action: SourceWatchdog.Action)] {
        seconds.compactMap { second in
            watchdog.tell(.time, at: at(Double(second))).map { (second, $0) }
        }
    }

    @Test mutating func `a connection without a word is a gpsd that hangs`() {
        _ = watchdog.tell(.connected, at: at(0))
        #expect(watchdog.state == .greeting)
        let actions = wait(1..<6)
        #expect(watchdog.state == .gpsdSilent)
        #expect(actions.map(\.action) == [.reopen])
        // A new attempt changes nothing before gpsd answers.
        _ = watchdog.tell(.disconnected(.connecting), at: at(6))
        _ = watchdog.tell(.connected, at: at(7))
        #expect(watchdog.state == .gpsdSilent)
        #expect(watchdog.since == at(5))
        #expect(watchdog.state.gapReason == .sourceLost)
    }

    @Test func `an epoch without a fix is looked after when that has lasted too long`() {
        var settings = SourceWatchdog.Settings()
        settings.noFixAfter = .seconds(3)
        var watchdog = SourceWatchdog(settings: settings)
        _ = watchdog.tell(.connected, at: at(0))
        _ = watchdog.tell(.epoch(hasFix: true, interval: nil), at: at(1))
        _ = watchdog.tell(.epoch(hasFix: false, interval: .seconds(1)), at: at(2))
        #expect(watchdog.nextCheck == at(4))
        _ = watchdog.tell(.time, at: at(4))
        #expect(watchdog.state == .noFix)
    }

    @Test mutating func `a gpsd without a receiver is asked again once a minute`() {
        _ = watchdog.tell(.connected, at: at(0))
        _ = watchdog.tell(.receivers(0), at: at(0))
        #expect(watchdog.state == .noReceiver)
        let actions = wait(1..<62)
        #expect(actions.map(\.action) == [.watch])
        #expect(watchdog.state.gapReason == .noReceiver)
    }

    @Test mutating func `a receiver that falls silent is named within fifteen seconds`() {
        stream(until: 10)
        #expect(watchdog.state == .streaming)
        let question = wait(11..<16)
        #expect(question.map(\.second) == [15])
        #expect(question.map(\.action) == [.watch])
        #expect(watchdog.state == .streaming)
        _ = watchdog.tell(.answer, at: at(15))
        let first = wait(16..<20)
        #expect(first.map(\.second) == [19])
        #expect(first.map(\.action) == [.watch])
        #expect(watchdog.state == .receiverSilent)
        _ = watchdog.tell(.answer, at: at(19))
        let later = wait(20..<200)
        #expect(later.map(\.action) == [.reopen, .reopen, .reopen])
        _ = watchdog.tell(.epoch(hasFix: true, interval: nil), at: at(200))
        #expect(watchdog.state == .streaming)
    }

    @Test mutating func `silence without an answer to the question is gpsd's`() {
        stream(until: 10)
        let actions = wait(11..<21)
        #expect(actions.map(\.action) == [.watch, .reopen])
        #expect(actions.last?.second == 20)
        #expect(watchdog.state == .gpsdSilent)
    }

    @Test mutating func `a receiver without a fix is named, and a fix ends it`() {
        stream(until: 10)
        for second in 11..<20 {
            _ = watchdog.tell(
                .epoch(hasFix: false, interval: .seconds(1)), at: at(Double(second)))
            #expect(watchdog.state == (second < 18 ? .streaming : .noFix))
        }
        #expect(watchdog.state.gapReason == .noSky)
        _ = watchdog.tell(.epoch(hasFix: true, interval: .seconds(1)), at: at(20))
        #expect(watchdog.state == .streaming)
    }

    @Test(arguments: [
        (true, SourceState.oldFixRepeated), (false, SourceState.timeStandsStill),
    ])
    mutating func `an epoch that comes again and again is named by what stands still`(
        samePosition: Bool, state: SourceState
    ) {
        stream(until: 10)
        var actions: [SourceWatchdog.Action] = []
        for second in 11..<100 {
            let action = watchdog.tell(
                .repeated(samePosition: samePosition), at: at(Double(second)))
            if let action { actions.append(action) }
        }
        #expect(watchdog.state == state)
        #expect(watchdog.since == at(20))
        #expect(actions == [.reopen, .reopen])
    }

    @Test mutating func `a slow receiver is not silent between its reports`() {
        _ = watchdog.tell(.connected, at: at(0))
        _ = watchdog.tell(.receivers(1), at: at(0))
        for second in stride(from: 10, to: 200, by: 10) {
            let fact = SourceWatchdog.Fact.epoch(hasFix: true, interval: .seconds(10))
            let first = watchdog.tell(fact, at: at(Double(second)))
            let second = watchdog.tell(.time, at: at(Double(second) + 9.9))
            #expect(first == nil && second == nil)
        }
        #expect(watchdog.state == .streaming)
    }

    @Test mutating func `epochs that are lost on the way make no receiver a slow one`() {
        stream(until: 10)
        var now = 10.0
        for interval in [7.0, 5, 1, 12, 6, 8, 1] {
            now += interval
            let fact = SourceWatchdog.Fact.epoch(hasFix: true, interval: .seconds(interval))
            _ = watchdog.tell(fact, at: at(now))
        }
        let asked = watchdog.tell(.time, at: at(now + 5))
        #expect(asked == .watch)
        _ = watchdog.tell(.answer, at: at(now + 5))
        _ = watchdog.tell(.time, at: at(now + 9))
        #expect(watchdog.state == .receiverSilent)
    }

    @Test mutating func `a receiver that becomes slower is not silent for long`() {
        stream(until: 10)
        var silences = 0
        for second in stride(from: 20, to: 200, by: 10) {
            _ = watchdog.tell(.time, at: at(Double(second)))
            silences += watchdog.state == .receiverSilent ? 1 : 0
            let fact = SourceWatchdog.Fact.epoch(hasFix: true, interval: .seconds(10))
            _ = watchdog.tell(fact, at: at(Double(second)))
        }
        #expect(silences <= 4)
        #expect(watchdog.state == .streaming)
    }

    /// A silence by our clock and by the receiver's.
    @Test(arguments: [
        (8.9, 8.9, SourceState.streaming), (9.1, 9.1, .receiverSilent), (30, 1, .streaming),
        (30, 1e9, .streaming), (30, -1e9, .streaming),
    ])
    mutating func `what waited shows a silence that is past, and asks for nothing`(
        silence: Double, interval: Double, state: SourceState
    ) {
        stream(until: 10)
        let action = watchdog.tell(.waited(interval: .seconds(interval)), at: at(10 + silence))
        #expect(action == nil)
        #expect(watchdog.state == state)
        if state == .receiverSilent { #expect(watchdog.since == at(19)) }
    }

    @Test
    mutating func `a silence that turns out to be a lost connection was so from its beginning`() {
        stream(until: 10)
        _ = watchdog.tell(.time, at: at(21))
        #expect(watchdog.state == .receiverSilent)
        _ = watchdog.tell(.disconnected(.unreachable), at: at(22))
        #expect(watchdog.since == at(21))
        #expect(watchdog.state.gapReason == .sourceLost)
    }

    @Test mutating func `a silence that turns out to be gpsd's was so from its beginning`() {
        stream(until: 10)
        // Nobody looked before, as where reports wait in the socket.
        let actions = wait(21..<27)
        #expect(actions.map(\.second) == [21, 26])
        #expect(actions.map(\.action) == [.watch, .reopen])
        #expect(watchdog.state == .gpsdSilent)
        #expect(watchdog.since == at(21))
    }

    @Test mutating func `a source that is off stays off whatever still comes in`() {
        stream(until: 5)
        _ = watchdog.tell(.disconnected(.off), at: at(6))
        let answer = watchdog.tell(.answer, at: at(6))
        let receivers = watchdog.tell(.receivers(0), at: at(7))
        #expect(answer == nil && receivers == nil)
        let later = wait(8..<100)
        #expect(later.isEmpty)
        #expect(watchdog.state == .off)
        #expect(watchdog.nextCheck == nil)
    }

    @Test func `every state has a name of its own and a reason or none`() {
        #expect(Set(SourceState.allCases.map(\.name)).count == SourceState.allCases.count)
        #expect(SourceState.allCases.filter { $0.gapReason == nil } == [.streaming])
    }
}
