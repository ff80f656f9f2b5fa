import Foundation
import GNSS
import NMEA
import Receiver
import Testing

@Suite struct NMEALogTests {
    @Test func `every NMEA log of the corpus is recognised and reads as from memory`() throws {
        guard let logs = try Corpus.files("nmea", ending: ".nmea") else { return }
        for log in logs {
            let source = try ReplaySource(paths: [log.path])
            let read = try drain(source)
            let bytes = try Data(contentsOf: log)
            var settings = NMEADecoder.Settings()
            var finder = StartDayFinder(settings)
            bytes.withUnsafeBytes { _ = finder.scan($0) }
            finder.finish()
            settings.startDay = finder.startDay
            var decoder = NMEADecoder(settings)
            var whole: [Epoch] = []
            bytes.withUnsafeBytes { decoder.decode($0) { whole.append($0) } }
            decoder.finish { whole.append($0) }
            let isSame = read == whole
            #expect(isSame, "\(log.lastPathComponent)")
            #expect(source.counts == decoder.counts)
        }
    }

    @Test func `a log that begins without a date has it from the first sentence with one`() throws {
        // The rule of the corpus: "a log that begins without a date fills it in when it comes".
        let undated = sentence("GPGGA,235958.00,5100.0000,N,00030.0000,E,1,08,0.9,50.1,M,45.1,M,,")
        let dated = sentence("GPRMC,000001.00,A,5100.0000,N,00030.0000,E,0.36,0.0,020526,,,A")
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("undated").path
            try (undated + dated).write(toFile: path, atomically: true, encoding: .utf8)
            let read = fixes(try drain(try ReplaySource(paths: [path])))
            #expect(read.first?.time == UTCTime("2026-05-01T23:59:58Z"))
            #expect(read.last?.time == UTCTime("2026-05-02T00:00:01Z"))
        }
    }

    private func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0) { $0 ^ $1 }
        return "$\(body)*\(String(format: "%02X", sum))\r\n"
    }
}
