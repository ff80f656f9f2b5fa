import GNSS
import NMEA
import Testing

/// A seeded source of chance (SplitMix64, Steele, Lea and Flood 2014).
struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Array {
    /// One of the elements.
    func any(_ chance: inout Chance) -> Element {
        self[Int.random(in: indices, using: &chance)]
    }
}

@Suite struct PropertyTests {
    /// Sound sentences of many kinds, damage, and other protocols.
    static func stream(_ chance: inout Chance) -> [UInt8] {
        var bytes: [UInt8] = []
        var second = Int.random(in: 0..<86_000, using: &chance)
        for _ in 0..<Int.random(in: 1..<60, using: &chance) {
            if Int.random(in: 0..<3, using: &chance) == 0 { second += 1 }
            let time =
                ("\(second / 3600 + 100)".dropFirst() + "\(second / 60 % 60 + 100)".dropFirst()
                    + "\(second % 60 + 100)".dropFirst())
            let bodies = [
                "GPRMC,\(time).00,A,5100.0\(second),N,00010.0,E,10.0,90.0,010526,,,A",
                "GPRMC,\(time),V,,,,,,,010526,,,N", "GNRMC,,V,,,,,,,,,,N",
                "GPGGA,\(time).00,5100.0\(second),N,00010.0,E,1,08,0.9,-5.25,M,47.0,M,,",
                "GNGNS,\(time),5100.0,S,17959.99999999,W,AAN,13,0.93,50.0,47.0,,,V",
                "GPGLL,5100.0000,N,00010.0000,E,\(time).123,A,A", "GPGLL,51,N,1,E",
                "GPZDA,\(time),01,05,2026,00,00", "GPVTG,54.7,T,34.4,M,5.5,N,10.2,K,A",
                "GNGSA,A,3,01,02,,,,,,,,,,,1.5,0.9,1.2,1", "GPGSA,A,2,,,,,,,,,,,,,9,8,7",
                "GPGSV,1,1,04,01,34,302,25,02,45,015,24,09,08,332,40,13,06,195,45,1",
                "GLGSV,1,1,00", "GPGST,\(time),1.2,,,,0.5,0.6,1.1", "HEHDT,123.4,T",
                "PUBX,00,\(time).00,5100.0,N,00010.0,E,97.0,G3,2.1,2.0,1.0,2.0,0.1,,1,1,1,9,0,0",
                "PGRME,15.0,M,45.0,M,25.0,M", "GPDTM,W84,,0.0,N,0.0,E,0.0,W84",
                "GPTXT,01,01,02,$!*",
            ]
            var line = Array(sentence(bodies.any(&chance)).utf8)
            switch Int.random(in: 0..<12, using: &chance) {
            case 0:
                line[Int.random(in: 0..<line.count, using: &chance)] = UInt8(chance.next() & 255)
            case 1: line.removeLast(Int.random(in: 1..<line.count, using: &chance))
            case 2: line += (0..<20).map { _ in UInt8(chance.next() & 255) }
            case 3: line = Array("\\s:r1*53\\".utf8) + line
            case 4: line = Array("!AIVDM,1,1,,A,13mi?p001j0l@G@PuPDuLbkP00RM,0*61\r".utf8) + line
            case 5: line = Array("# \u{e9}$GP\n".utf8) + line
            case 6: line += Array(repeating: UInt8(ascii: "0"), count: 1500)
            default: break
            }
            bytes += line
        }
        return bytes
    }

    @Test(arguments: 0..<150 as Range<UInt64>)
    func `it makes no difference where the input is cut`(_ seed: UInt64) {
        var chance = Chance(state: seed)
        let bytes = PropertyTests.stream(&chance)
        let whole = Outcome(bytes)
        let cuts = (0..<Int.random(in: 1..<40, using: &chance))
            .map { _ in Int.random(in: 0...bytes.count, using: &chance) }.sorted()
        for pieces in [cuts, Array(1..<bytes.count)] {
            let cut = Outcome(bytes, pieces: pieces)
            #expect(cut.epochs == whole.epochs)
            #expect(cut.counts == whole.counts)
            #expect(cut.sky == whole.sky)
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `any bytes are taken, and each begun sentence is counted once`(_ seed: UInt64) {
        var chance = Chance(state: seed &+ 1_000_000)
        let letters = Array("$$$!GPRMCGAGLVTZDS,,,,,,..0123456789NSEWAV*\r\n\\#\0\u{7f}".utf8)
        let bytes = (0..<20_000).map { _ in
            seed % 2 == 0 ? letters.any(&chance) : UInt8(chance.next() & 255)
        }
        for policy in NMEADecoder.MissingChecksum.allCases {
            var settings = NMEADecoder.Settings()
            settings.missingChecksum = policy
            let outcome = Outcome(bytes, settings)
            let counts = outcome.counts
            #expect(
                counts.lines == counts.accepted + counts.ignored + counts.badChecksum
                    + counts.missingChecksum + counts.malformed + counts.overlong)
            #expect(counts.bytes == 20_000)
            #expect(counts.fixes + counts.noFixes == outcome.epochs.count)
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `fixes are in range whatever is in the fields`(_ seed: UInt64) {
        var chance = Chance(state: seed &+ 2_000_000)
        let fields = [
            "", "0", "1", "-1", "100000", "235960", "5100.0", "00010.0", "9000.0", "18000.0", "N",
            "S", "E", "W", "A", "V", "M", "3", "99.99", "1e9", "999999999999", "010126", "320126",
            "-0.0", "360.0", "T", "K", "2026", "12", "G3", "00", ".", "+5",
        ]
        let names = [
            "GPRMC", "GPGGA", "GPGLL", "GNGNS", "GPVTG", "GPGSA", "GPGSV", "GPZDA", "GPGST",
            "GPGBS", "HEHDT", "GPTHS", "GPDTM", "PUBX,00", "PGRME",
        ]
        var text = ""
        for _ in 0..<3000 {
            let count = Int.random(in: 0..<20, using: &chance)
            let values = (0..<count).map { _ in fields.any(&chance) }
            text += sentence(
                ([names.any(&chance)] + values).joined(separator: ","))
        }
        for fix in Outcome(text).fixes {
            #expect(abs(fix.latitude) <= 90 && abs(fix.longitude) <= 180)
            #expect(fix.speed ?? 0 >= 0 && fix.speed ?? 0 <= 6000)
            #expect((0..<360).contains(fix.course ?? 0) && (0..<360).contains(fix.heading ?? 0))
            #expect(abs(fix.altitudeMSL ?? 0) <= 1e6 && abs(fix.altitudeHAE ?? 0) <= 2e6)
            #expect(fix.dop.hdop != 0 && fix.errors.eph != 0 && fix.errors.epv != 0)
        }
    }
}
