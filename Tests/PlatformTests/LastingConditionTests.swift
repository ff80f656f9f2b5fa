import Platform
import Scheduling
import Testing

@Suite struct LastingConditionTests {
    private func at(_ seconds: Double) -> BootTime {
        BootTime(nanoseconds: 0) + .seconds(seconds)
    }

    @Test func `the first time is said at once and the rest is counted`() {
        var condition = LastingCondition()
        #expect(condition.occurred(at: at(100)) == .first)
        for second in 101..<130 {
            #expect(condition.occurred(at: at(Double(second))) == .nothing)
        }
        #expect(condition.occurred(at: at(130)) == .again(count: 30, over: .seconds(30)))
        #expect(condition.occurred(at: at(131)) == .nothing)
        #expect(condition.ended(at: at(140)) == .over(count: 1, .seconds(10)))
        #expect(condition.ended(at: at(141)) == .nothing)
    }

    @Test func `what was over for an hour is news again`() {
        var condition = LastingCondition()
        _ = condition.occurred(at: at(0))
        _ = condition.ended(at: at(1))
        #expect(condition.occurred(at: at(2)) == .nothing)
        #expect(condition.occurred(at: at(3602)) == .first)
    }

    // Reliability promise: at most 20 lines an hour for one lasting condition.
    @Test(arguments: [(1.0, 0.0), (1.0, 0.5), (10, 9), (31, 1), (61, 60), (600, 1), (1801, 1)])
    func `no hour has more than 20 lines`(period: Double, length: Double) {
        var condition = LastingCondition()
        var lines: [Double] = []
        var time = 0.0
        while time < 6 * 3600 {
            if condition.occurred(at: at(time)) != .nothing { lines.append(time) }
            if length > 0, condition.ended(at: at(time + length)) != .nothing {
                lines.append(time + length)
            }
            time += period
        }
        #expect(!lines.isEmpty)
        for (index, line) in lines.enumerated() where index >= 20 {
            #expect(line - lines[index - 20] > 3600)
        }
    }
}
