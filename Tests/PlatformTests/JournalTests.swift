import Foundation
import Platform
import Testing

@Suite struct JournalTests {
    private func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func withPipe(_ body: (_ read: Int32, _ write: Int32) -> Void) {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        for end in ends { #expect(fcntl(end, F_SETFL, O_NONBLOCK) == 0) }
        body(ends[0], ends[1])
        ends.forEach { close($0) }
    }

    // The prefix is that of sd-daemon(3).
    @Test func `a line has its level, its event and its fields in order`() {
        withPipe { input, output in
            let journal = Journal(identifier: "test", threshold: .info, to: output)
            journal.write(.notice, "receiver asleep", ["reason": "stationary", "wake_in": "300s"])
            journal.write(.debug, "not wanted")
            journal.write(.error, "store failed", ["path": "/a b", "why": "\"x\"\n", "empty": ""])
            #expect(
                read(input) == """
                    <5>receiver asleep reason=stationary wake_in=300s
                    <3>store failed path="/a b" why="\\"x\\"\\n" empty=""

                    """)
        }
    }

    @Test func `a reader that does not read costs lines, not time, and is told how many`() {
        withPipe { input, output in
            let journal = Journal(identifier: "test", to: output)
            for number in 0..<2000 {
                journal.write(
                    .info, "event", ["text": String(repeating: "x", count: 100 + number % 9)])
            }
            let written = read(input).split(separator: "\n").count
            #expect(written < 2000)
            journal.write(.info, "after")
            #expect(
                read(input) == "<4>log lines lost count=\(2000 - written)\n<6>after\n")
        }
    }

    @Test func `a line is cut where a pipe would no longer take it whole`() {
        withPipe { input, output in
            let journal = Journal(identifier: "test", to: output)
            journal.write(.info, String(repeating: "y", count: 10_000))
            #expect(read(input).utf8.count == 4096)
        }
    }
}
