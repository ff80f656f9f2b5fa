import GNSS
import NMEA
import Testing

@Suite struct SkyTests {
    static let gga = sentence("GPGGA,100000,5100.0,N,00010.0,E,1,,0.9,50.0,M,47.0,M,,")

    @Test func `satellites in view add up over constellations and not over signals`() throws {
        let text =
            SkyTests.gga
            + [
                "GPGSV,3,1,11,01,34,302,25,02,45,015,24,09,08,332,40,13,06,195,45,1",
                "GPGSV,3,2,11,14,32,216,44,15,08,270,29,20,61,253,39,23,34,176,31,1",
                "GPGSV,3,3,11,25,33,235,32,26,07,213,41,27,17,095,43,1",
                "GPGSV,1,1,04,01,34,302,20,02,45,015,30,09,08,332,,13,06,195,,8",
                "GLGSV,1,1,03,65,34,302,25,66,45,015,24,67,08,332,40,1",
                "GAGSV,1,1,00,7",
            ].map(sentence).joined()
        let outcome = Outcome(text)
        #expect(outcome.fixes.first?.satellitesSeen == 14)
        #expect(outcome.sky.satellites.count == 14)
        // The stronger of two signals.
        #expect(outcome.sky.satellites.first { $0.prn == 1 }?.signal == 25)
        #expect(outcome.sky.satellites.first { $0.prn == 2 }?.signal == 30)
        #expect(outcome.sky.satellites.filter { $0.constellation == .glonass }.count == 3)
    }

    @Test func `the sky says which satellites are used`() throws {
        let text =
            SkyTests.gga
            + [
                "GNGSA,A,3,01,09,,,,,,,,,,,1.5,0.9,1.2,1", "GNGSA,A,3,65,,,,,,,,,,,,1.5,0.9,1.2,2",
                "GPGSV,1,1,03,01,34,302,25,02,45,015,24,09,08,360,",
                "GLGSV,1,1,02,65,34,302,25,66,95,400,24",
            ].map(sentence).joined()
        let outcome = Outcome(text)
        #expect(
            outcome.sky.satellites == [
                Satellite(
                    constellation: .gps, prn: 1, elevation: 34, azimuth: 302, signal: 25,
                    used: true),
                Satellite(
                    constellation: .gps, prn: 2, elevation: 45, azimuth: 15, signal: 24,
                    used: false),
                Satellite(
                    constellation: .gps, prn: 9, elevation: 8, azimuth: 0, signal: nil,
                    used: true),
                Satellite(
                    constellation: .glonass, prn: 65, elevation: 34, azimuth: 302, signal: 25,
                    used: true),
                Satellite(
                    constellation: .glonass, prn: 66, elevation: nil, azimuth: nil, signal: 24,
                    used: false),
            ])
        #expect(outcome.fixes.first?.satellitesUsed == 3)
        #expect(outcome.sky.dop.pdop == 1.5)
    }

    @Test func `a second cycle replaces the first`() {
        let outcome = Outcome(
            sentence("GPGSV,2,1,06,01,34,302,25,02,45,015,24,09,08,332,40,13,06,195,45")
                + sentence("GPGSV,2,2,06,14,32,216,44,15,08,270,29")
                + sentence("GPGSV,1,1,02,03,34,302,25,04,45,015,24") + SkyTests.gga)
        #expect(outcome.sky.satellites.map(\.prn) == [3, 4])
        #expect(outcome.fixes.first?.satellitesSeen == 2)
    }

    @Test(arguments: [
        ("PQ", 5, Constellation.beidou), ("BD", 5, .beidou), ("GB", 5, .beidou), ("GQ", 1, .qzss),
        ("GI", 1, .navic), ("GA", 1, .galileo), ("GP", 33, .sbas), ("GN", 70, .glonass),
        ("GN", 301, .galileo), ("GN", 401, .beidou), ("GP", 193, .qzss),
    ])
    func `talker and number tell the constellation`(
        _ talker: String, _ prn: Int16, _ constellation: Constellation
    ) {
        let text = sentence("\(talker)GSV,1,1,01,\(prn),34,302,25")
        #expect(Outcome(text).sky.satellites.map(\.constellation) == [constellation])
        #expect(Outcome(text).counts.accepted == 1)
    }

    @Test(arguments: [
        "GPGSV,,,,,", "GPGSV,,2,,9,39,95,39", "GPGSV,1,0,04,1", "GPGSV,9,12,300,1", "GPGSV,x,y,z",
        "GPGSA,A,", "GPGSA,,,,", "GPGSA",
    ])
    func `odd ones do no harm`(_ body: String) {
        let outcome = Outcome(sentence(body) + SkyTests.gga)
        #expect(outcome.fixes.map(\.satellitesSeen) == [nil])
        #expect(outcome.counts.malformed == 0)
        #expect(outcome.sky.satellites.isEmpty)
    }

    @Test func `GSA gives mode and DOP, and nought is unknown`() {
        func fix(_ body: String) -> Fix? { Outcome(SkyTests.gga + sentence(body)).fixes.first }
        #expect(fix("GPGSA,A,2,01,02,03,,,,,,,,,,3.5,3.4,1.0")?.mode == .twoD)
        #expect(fix("GPGSA,A,3,,,,,,,,,,,,,0.00,0.00,0.00")?.dop.pdop == nil)
        #expect(fix("GPGSA,A,3,,,,,,,,,,,,,0.00,0.00,0.00")?.dop.vdop == nil)
        #expect(fix("GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99")?.notes == .conflict)
    }
}
