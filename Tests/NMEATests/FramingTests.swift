import Foundation
import GNSS
import NMEA
import Testing

@Suite struct FramingTests {
    static let first = sentence("GPRMC,100000.00,A,5100.0,N,00010.0,E,10.0,90.0,010526,,,A")
    static let second = sentence("GPRMC,100001.00,A,5100.0,N,00010.0,E,10.0,90.0,010526,,,A")

    @Test(arguments: ["\r\n", "\n", "\r", "\r\r\n", "", "  \r\n", "\0\0", "\t\n\n\n"])
    func `any line end will do`(_ end: String) {
        let text = [FramingTests.first, FramingTests.second]
            .map { $0.dropLast(1) + end }.joined()
        let outcome = Outcome(text)
        #expect(outcome.fixes.count == 2)
        #expect(outcome.counts.noise == 0)
    }

    @Test func `a sentence cut by the next one is refused and the next one read`() {
        let outcome = Outcome("$GPGGA,030130" + FramingTests.first + "$GPRMC,1000$GPG\r\n")
        #expect(outcome.fixes.count == 1)
        #expect(outcome.counts.badChecksum == 1)
        #expect(outcome.counts.missingChecksum == 2)
    }

    @Test func `a dollar inside a sentence with a right checksum is text`() {
        let outcome = Outcome(sentence("SDVLW,$SDVLW,,N,12.5,N") + FramingTests.first)
        #expect(outcome.fixes.count == 1)
        #expect(outcome.counts.ignored == 1)
        #expect(outcome.counts.lines == 2)
    }

    @Test func `a comment is passed over, whatever stands in it`() {
        let outcome = Outcome("# old: \(FramingTests.first)# \u{e9} $GAGSV\n" + FramingTests.second)
        #expect(outcome.fixes.count == 1)
        #expect(outcome.counts.lines == 1)
        #expect(outcome.counts.noise == 0)
    }

    @Test func `TAG blocks are passed over`() {
        let tag = "\\s:r3669961,c:1241544035*53\\"
        let outcome = Outcome(tag + FramingTests.first + tag + FramingTests.second + "\\x")
        #expect(outcome.fixes.count == 2)
        #expect(outcome.counts.noise == 2)
    }

    @Test func `encapsulated sentences are counted and never used`() {
        let outcome = Outcome(
            FramingTests.first + "!AIVDM,1,1,,A,13mi?p001j0l@G@PuPDuLbkP00RM,0*61\r\n")
        #expect(outcome.fixes.count == 1)
        #expect(outcome.counts.ignored == 1)
        #expect(outcome.counts.accepted == 1)
    }

    @Test func `binary between lines is noise`() {
        var bytes = Array(FramingTests.first.utf8)
        bytes += [0xB5, 0x62, 0x01, 0x07, 0x24, 0x0A, 0x24, 0x80, 0xFF, 0x00, 0x5C, 0x23, 0x01]
        bytes += Array(FramingTests.second.utf8)
        let outcome = Outcome(bytes)
        #expect(outcome.fixes.count == 2)
        #expect(outcome.counts.noise > 5)
    }

    @Test(arguments: [true, false], [true, false])
    func `UTF-16 is read with and without a mark, in both orders`(_ isLittle: Bool, _ hasMark: Bool)
    {
        var bytes: [UInt8] = hasMark ? (isLittle ? [0xFF, 0xFE] : [0xFE, 0xFF]) : []
        for unit in (FramingTests.first + FramingTests.second).utf16 {
            let pair = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            bytes += isLittle ? pair : pair.reversed()
        }
        #expect(Outcome(bytes).fixes.count == 2)
        #expect(Outcome(bytes, pieces: [1, 2, 3, 5, 8, 99, 101]).fixes.count == 2)
    }

    @Test func `a sentence may be as long as the limit and no longer`() {
        let body = "GPGGA,100000,5100.0,N,00010.0,E,1,08,0.9,50.0,M,47.0,M,,"
        let limit = NMEADecoder.longestSentence
        // The `$` and the star are the first and the last of it.
        let longest = body + String(repeating: "0", count: limit - 2 - body.utf8.count)
        #expect(Outcome(sentence(longest)).fixes.count == 1)
        let outcome = Outcome(sentence(longest + "0") + FramingTests.first)
        #expect(outcome.fixes.count == 1)
        #expect(outcome.counts.overlong == 1)
    }

    @Test func `a checksum may be in lower case`() {
        let body = "GPGGA,100000,5100.0,N,00010.0,E,1,08,0.9,50.0,M,47.0,M,,"
        let sum = body.utf8.reduce(0, ^)
        #expect(Outcome("$\(body)*\(String(format: "%02x", sum))\n").fixes.count == 1)
        #expect(Outcome("$\(body)*\(String(format: "%02x", sum ^ 1))\n").counts.badChecksum == 1)
        #expect(Outcome("$\(body)*\(String(format: "%01x", sum >> 4))\n").counts.badChecksum == 1)
        #expect(Outcome("$\(body)*\(String(format: "%01x", sum >> 4))").counts.badChecksum == 1)
    }

    @Test func `sentences without a checksum are admitted as the setting says`() {
        let bare = "$GPGGA,100000,5100.0,N,00010.0,E,1,08,0.9,50.0,M,47.0,M,,\r\n"
        let after = FramingTests.second + "$GPGLL,5100.0,N,00010.0,E,100002,A\r\n"
        func outcome(_ policy: NMEADecoder.MissingChecksum) -> (fixes: Int, refused: Int64) {
            var settings = NMEADecoder.Settings()
            settings.missingChecksum = policy
            let outcome = Outcome(bare + after, settings)
            return (outcome.fixes.count, outcome.counts.missingChecksum)
        }
        #expect(outcome(.untilShown) == (2, 1))
        #expect(outcome(.refuse) == (1, 2))
        #expect(outcome(.admit) == (3, 0))
        // Cut by the end of the input: it may have gone on.
        #expect(Outcome(String(bare.dropLast(2))).counts.missingChecksum == 1)
    }

    @Test func `a refused sentence changes nothing`() {
        let good = [FramingTests.first, FramingTests.second].joined()
        let bad = [
            "$GPRMC,100000.00,A,6100.0,N,00010.0,E,10.0,90.0,010526,,,A*00\r\n",
            sentence("GPRMC,100000.00,A,91"),
            sentence("GPRMC,100059,A,9100.0,N,00010.0,E,1,9,010126"),
            sentence("GPGGA,x"), sentence("GPZDA,100059,32,13,2026,,"), sentence("GPGLL,9999,N"),
            sentence("GNGNS,100059"), sentence("PUBX,00,100059"), sentence("GPGST,"),
        ]
        for (index, bad) in bad.enumerated() {
            let outcome = Outcome(FramingTests.first + bad + FramingTests.second)
            #expect(outcome.fixes == Outcome(good).fixes, "\(index)")
            #expect(outcome.counts.badChecksum + outcome.counts.malformed == 1, "\(index)")
        }
    }

    @Test func `memory does not grow with a line that never ends`() {
        var decoder = NMEADecoder()
        let piece = Array(repeating: UInt8(ascii: "A"), count: 1 << 20)
        Array("$GPGGA,".utf8).withUnsafeBytes { decoder.decode($0) { _ in } }
        let before = residentPages()
        for _ in 0..<8 { piece.withUnsafeBytes { decoder.decode($0) { _ in } } }
        decoder.finish { _ in }
        #expect(residentPages() - before < 512)
        #expect(decoder.counts.overlong == 1)
        #expect(decoder.counts.bytes == 8 << 20 + 7)
    }

    /// Pages of 4 KiB this process holds in memory.
    private func residentPages() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
