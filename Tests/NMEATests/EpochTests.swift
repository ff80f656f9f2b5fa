import GNSS
import NMEA
import Testing

@Suite struct EpochTests {
    static let rmc = "GPRMC,100000.00,A,5100.0000,N,00010.0000,E,010.0,090.0,010526,,,A"
    static let next = "GPRMC,100001.00,A,5100.0000,N,00010.0000,E,010.0,090.0,010526,,,A"
    static let gga = "GPGGA,100000.00,5100.0000,N,00010.0000,E,1,08,0.9,50.0,M,47.0,M,,"

    @Test func `sentences of one time are one fix in any order`() throws {
        let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,1.5,0.9,1.2"
        let sentences = [EpochTests.rmc, EpochTests.gga, gsa]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let text = order.map { sentence(sentences[$0]) }.joined()
            let fix = try #require(Outcome(text).fixes.first)
            #expect(fix.time == UTCTime("2026-05-01T10:00:00Z"))
            #expect(fix.altitudeMSL == 50)
            #expect(fix.altitudeHAE == 97)
            #expect(fix.mode == .threeD)
            #expect(fix.dop.pdop == 1.5)
            #expect(fix.dop.hdop == 0.9)
            #expect(fix.dop.vdop == 1.2)
            #expect(fix.satellitesUsed == 8)
            #expect(fix.notes == [])
        }
    }
}
