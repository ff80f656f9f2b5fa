import Foundation
import GNSS
import Receiver
import Testing

@Suite struct GPSDCorpusTests {
    @Test func `every recorded gpsd session gives the expected fixes, device by device`() throws {
        guard let logs = try Corpus.files("gpsd-json", ending: ".json") else { return }
        var compared = 0
        for log in logs where log.lastPathComponent != "manifest.json" {
            let name = log.deletingPathExtension().lastPathComponent
            let source = try ReplaySource(paths: [log.path])
            let decoded = fixes(try drain(source))
            let expected = try ExpectedFix.read(
                log.deletingLastPathComponent().appendingPathComponent("\(name).expect.jsonl"))
            for (index, device) in source.deviceNames.enumerated() {
                let problems = compare(
                    decoded.filter { Int($0.device) == index },
                    with: expected.filter { $0.device == nil || $0.device == device })
                #expect(problems.isEmpty, "\(name) \(device): \(problems.prefix(5))")
            }
            #expect(Int(source.counts.fixes) == decoded.count)
            #expect(source.counts.malformed == 0, "\(name)")
            compared += 1
        }
        #expect(compared > 0)
    }

    @Test(arguments: ["B053", "B058", "B059", "B065"])
    func `a bug report about gpsd's JSON gives the expected fixes`(id: String) throws {
        guard let files = try Corpus.files("bugs", ending: "\(id).gpsd.jsonl"),
            let log = files.first
        else { return }
        let source = try ReplaySource(paths: [log.path])
        let decoded = fixes(try drain(source))
        let expected = try ExpectedFix.read(
            log.deletingLastPathComponent().appendingPathComponent("\(id).expect.jsonl"))
        #expect(compare(decoded, with: expected) == [])
        #expect(source.sky.satellites.count <= SkyView.limit)
    }

    @Test func `sentences between the reports are counted and not used`() throws {
        guard
            let log = try Corpus.files("gpsd-json", ending: "nmea-and-json-mixed.json")?.first
        else { return }
        let source = try ReplaySource(paths: [log.path])
        _ = try drain(source)
        // 211 sentences by the table of the corpus.
        #expect(source.counts.ignored == 211)
        #expect(source.counts.noise == 0)
    }

    @Test func `a report reads the same as it came and by way of JSON`() throws {
        guard let logs = try Corpus.files("gpsd-json", ending: ".json") else { return }
        try withTemporaryFolder { folder in
            for log in logs where log.lastPathComponent != "manifest.json" {
                let text = try String(contentsOf: log, encoding: .utf8)
                let spaced = folder.appendingPathComponent(log.lastPathComponent)
                // libgps knows no class behind a space: this goes the long way.
                try text.replacing("\n{\"class\":", with: "\n{ \"class\":")
                    .write(to: spaced, atomically: true, encoding: .utf8)
                let plain = try ReplaySource(paths: [log.path])
                let long = try ReplaySource(paths: [spaced.path])
                let isSame = try drain(plain) == drain(long)
                #expect(isSame, "\(log.lastPathComponent)")
                #expect(plain.sky == long.sky)
                #expect(plain.counts.accepted == long.counts.accepted)
            }
        }
    }
}
