import Foundation
import GNSS
import NMEA
import Testing

@Suite struct CorpusNMEATests {
    /// What the corpus says about one log.
    struct Record: Decodable {
        var compare_args: [String]?
        var required: Int
    }

    @Test func `every real NMEA log gives the fixes that gpsd and the log itself give`() throws {
        guard let folder = try Corpus.require("nmea") else { return }
        let manifest = try JSONDecoder().decode(
            [String: Record].self,
            from: Data(contentsOf: folder.appendingPathComponent("manifest.json")))
        try #require(manifest.count == 89)
        for (id, record) in manifest.sorted(by: { $0.key < $1.key }) {
            let log = try Data(contentsOf: folder.appendingPathComponent("\(id).nmea"))
            let expected = try ExpectedFix.read(
                Data(contentsOf: folder.appendingPathComponent("\(id).expect.jsonl")))
            var admittedExtra = 0
            var allowsRollover = false
            for argument in record.compare_args ?? [] {
                if argument == "--rollover" {
                    allowsRollover = true
                } else if argument.hasPrefix("--max-extra=") {
                    admittedExtra = try #require(Int(argument.dropFirst(12)))
                } else {
                    Issue.record("\(id): argument \(argument) is not known here")
                }
            }
            for decoded in [Decoded(log), Decoded(replaying: log)] {
                let result = FixComparison(
                    decoded.fixes, expected, allowsRollover: allowsRollover)
                let isGood =
                    result.missing.isEmpty && result.wrong.isEmpty && result.incomplete.isEmpty
                    && result.extra.count <= admittedExtra && result.matched == record.required
                #expect(
                    isGood,
                    """
                    \(id): \(result.matched) of \(record.required), \
                    \(result.complaints.count) complaints
                    \(result.complaints.prefix(4).joined(separator: "\n"))
                    """)
                #expect(decoded.counts.bytes == log.count, "\(id)")
            }
        }
    }

    @Test func `no epoch of a real log is handed over twice`() throws {
        guard let folder = try Corpus.require("nmea") else { return }
        for url in try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        where url.pathExtension == "nmea" {
            let fixes = try Decoded(Data(contentsOf: url)).fixes
            for (fix, next) in zip(fixes, fixes.dropFirst()) where fix.timeOfDay != nil {
                #expect(
                    fix.timeOfDay != next.timeOfDay || fix.time != next.time,
                    "\(url.lastPathComponent): \(fix.summary)")
            }
        }
    }
}
