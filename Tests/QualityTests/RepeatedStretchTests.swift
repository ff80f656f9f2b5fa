import GNSS
import Quality
import Scheduling
import Testing

/// A log that has a stretch twice: the second time it is no news.
@Suite struct RepeatedStretchTests {
    private func gate(remembering count: Int = 100) -> QualityGate {
        var settings = QualityGate.Settings()
        settings.remembered = count
        return QualityGate(settings)
    }

    private func judge(_ gate: inout QualityGate, _ seconds: some Sequence<Int>) -> [FixFlags] {
        seconds.map { second in
            var fix = Fix.drive(second)
            return gate.judge(&fix, at: BootTime(milliseconds: Int64(second) * 1000))
        }
    }

    @Test(arguments: [[0...49, 40...49, 50...59], [0...49, 0...49, 0...49, 50...59]])
    func `a stretch that comes again is rejected and the track goes on`(parts: [ClosedRange<Int>]) {
        var gate = gate()
        #expect(judge(&gate, parts[0]).allSatisfy { $0.isEmpty })
        for part in parts.dropFirst().dropLast() {
            #expect(judge(&gate, part).allSatisfy { $0 == .duplicateEpoch })
        }
        #expect(judge(&gate, parts[parts.count - 1]).allSatisfy { $0.isEmpty })
    }

    @Test func `another place at an earlier time is no repetition`() {
        var gate = gate()
        _ = judge(&gate, 0..<50)
        var fix = Fix.drive(45)
        fix.latitude += 1e-6
        #expect(gate.judge(&fix, at: BootTime(milliseconds: 49_000)) == .outOfOrder)
        // At the time of a fix that was left out, at the place of another.
        _ = judge(&gate, 60..<70)
        var late = Fix.drive(66)
        late.time = late.time?.after(0.5)
        #expect(gate.judge(&late, at: BootTime(milliseconds: 69_000)) == .outOfOrder)
    }

    @Test func `what lies further back than is remembered is judged as ever`() {
        var gate = gate(remembering: 10)
        _ = judge(&gate, 0..<50)
        #expect(judge(&gate, 40..<50).allSatisfy { $0 == .duplicateEpoch })
        #expect(judge(&gate, 39...39) != [.duplicateEpoch])
        var none = self.gate(remembering: 0)
        _ = judge(&none, 0..<50)
        #expect(judge(&none, 45...45) == [.outOfOrder])
    }

    @Test func `a receiver's repetition is not another's`() {
        var gate = gate()
        _ = judge(&gate, 0..<50)
        var other = Fix.drive(45)
        other.device = 1
        #expect(gate.judge(&other, at: BootTime(milliseconds: 49_000)).isKept)
    }

    /// 23:59:60 counts as the second after it; at rest both are one place.
    @Test func `the second after a leap second is no repetition`() {
        var gate = gate()
        _ = judge(&gate, 0..<50)
        for tenth in 0..<19 {
            var fix = Fix.drive(50)
            fix.time = fix.time?.after(Double(tenth % 10) / 10)
            if tenth < 10 { fix.notes = .leapSecond }
            let flags = gate.judge(&fix, at: BootTime(milliseconds: 50_000 + Int64(tenth) * 100))
            #expect(flags.isKept, "\(tenth): \(flags.names)")
        }
    }
}
