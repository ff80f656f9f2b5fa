import GNSS
import Glibc

/// Measures what correcting costs and tries its rules on a million positions.
///
/// Prints a table; exits with 1 when a limit or a rule does not hold.
@main
struct Main {
    static func main() {
        var sound = true
        for cost in Costs().all() {
            let slow = cost.limit.map { cost.nanoseconds > $0 } ?? false
            sound = sound && !slow
            var line = TextBuffer()
            line.append(cost.nanoseconds, decimals: 1)
            while line.bytes.count < 9 { line.bytes.insert(32, at: 0) }
            line.append(text: " ns  \(cost.name)")
            if let limit = cost.limit {
                line.append(text: "  (limit \(Int(limit)) ns\(slow ? ", TOO SLOW" : ""))")
            }
            print(line.string)
        }
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
        let start = Costs.now()
        var properties = Properties()
        properties.run(count: count)
        let seconds = (Costs.now() - start) / 1_000_000_000
        for failure in properties.failures { print("failed: \(failure)") }
        print("\(count) positions, \(properties.failures.count) failures, \(seconds) s")
        exit(sound && properties.failures.isEmpty ? 0 : 1)
    }
}
