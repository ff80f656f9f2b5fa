import Foundation
import GNSS
import Receiver
import Testing

@Suite struct OtherKindTests {
    /// Two sentences a second from 12:00:00 on, 2026-03-01.
    private func sentences(_ seconds: Range<Int>) -> String {
        seconds.map { second in
            let time = "1200\(second < 10 ? "0" : "")\(second).00"
            return [
                "GPGGA,\(time),4800.0000,N,01100.0000,E,1,08,1.0,100.0,M,47.0,M,,",
                "GPRMC,\(time),A,4800.0000,N,01100.0000,E,10.0,90.0,010326,,,A",
            ].map { body in
                let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
                return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
            }.joined()
        }.joined()
    }

    private func replay(_ text: String) throws -> (fixes: Int, warnings: [ReplayWarning]) {
        var result = (fixes: 0, warnings: [ReplayWarning]())
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("log").path
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let source = try ReplaySource(paths: [path])
            result = (fixes(try drain(source)).count, source.warnings)
            for warning in result.warnings { #expect("\(warning)".hasPrefix(path + ": ")) }
        }
        return result
    }

    /// How many lines were passed over, and what the log was read as.
    private func passedOver(_ warnings: [ReplayWarning]) -> (Int64, LogFormat)? {
        guard case .otherKind(_, let lines, let format)? = warnings.first else { return nil }
        return (lines, format)
    }

    @Test func `reports behind sentences are warned of, longer than a block too`() throws {
        let found = try replay(sentences(0..<60) + log(0..<2000))
        #expect(found.fixes == 60)
        let other = try #require(passedOver(found.warnings))
        #expect(other == (2000, .nmea) && found.warnings.count == 1)
    }

    @Test func `sentences behind reports are warned of`() throws {
        let found = try replay(log(0..<30) + sentences(0..<30))
        #expect(found.fixes == 30)
        let other = try #require(passedOver(found.warnings))
        #expect(other == (60, .gpsd))
    }

    @Test func `what gpspipe writes in both kinds at once is one log`() throws {
        let both = (0..<50).map { sentences($0..<$0 + 1) + tpv($0) }.joined()
        #expect(try replay(both).warnings == [])
        let greeting = "{\"class\":\"VERSION\",\"release\":\"3.22\"}\r\n"
        #expect(try replay(greeting + sentences(0..<30)).warnings == [])
    }
}
