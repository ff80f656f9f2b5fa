import Receiver
import Scheduling
import Testing

@Suite struct LossLinesTests {
    private var lines = LossLines()

    private func at(_ second: Double) -> BootTime {
        BootTime(nanoseconds: Int64(second * 1e9))
    }

    @Test mutating func `a loss has a line at its beginning and one at its end`() {
        #expect(lines.found() == false)
        #expect(lines.lost(at: at(1)) == 0)
        for second in 2..<4000 { #expect(lines.lost(at: at(Double(second))) == nil) }
        #expect(lines.found() == true)
        #expect(lines.found() == false)
    }

    @Test mutating func `fifty losses in twenty minutes have two lines each`() {
        for loss in 0..<50 {
            #expect(lines.lost(at: at(Double(loss) * 24)) == 0)
            #expect(lines.found() == true)
        }
    }

    @Test
    mutating func `a source that flickers for a day fills no log, and what is unsaid is counted`() {
        var said = 0
        var counted: Int64 = 0
        for second in stride(from: 0.0, to: 86_400, by: 10) {
            if let unsaid = lines.lost(at: at(second)) {
                said += 1
                counted += unsaid + 1
            }
            if lines.found() { said += 1 }
        }
        #expect(said <= 2 * (60 + 24 * 10))
        #expect(said > 500)
        #expect(counted > 8600 - 40 && counted <= 8640)
    }
}
