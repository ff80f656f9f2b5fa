import GNSS
import NMEA
import Testing

@Suite struct FieldTests {
    static func gga(_ latitude: String, _ longitude: String) -> Outcome {
        Outcome(sentence("GPGGA,100000,\(latitude),\(longitude),1,08,0.9,50.0,M,47.0,M,,"))
    }

    static let latitudes: [(String, Double)] = [
        ("5130.5", 51.508333333333), ("5130", 51.5), ("5130.", 51.5), ("130.5", 1.508333333333),
        ("30.5", 0.508333333333), ("0.000", 0.0), ("9000.0000", 90.0),
        ("5130.12345678", 51.502057613), ("5130.123456789", 51.502057613),
        ("5130.1234567", 51.502057611667),
    ]

    @Test(arguments: latitudes)
    func `latitudes are read whatever their width`(_ text: String, _ degrees: Double) throws {
        for (hemisphere, sign) in [("N", 1.0), ("S", -1.0)] {
            let outcome = FieldTests.gga("\(text),\(hemisphere)", "00010.0,E")
            let fix = try #require(outcome.fixes.first)
            #expect(abs(fix.latitude - sign * degrees) < 1e-11)
        }
    }

    static let longitudes: [(String, Double)] = [
        ("00010.0", 0.166666666667), ("0010.0", 0.166666666667), ("17959.9999", 179.999998333333),
        ("18000.0000", 180.0), ("1142.5722", 11.70953666666667), ("12345", 123.75),
    ]

    @Test(arguments: longitudes)
    func `longitudes are read whatever their width`(_ text: String, _ degrees: Double) throws {
        for (hemisphere, sign) in [("E", 1.0), ("W", -1.0)] {
            let outcome = FieldTests.gga("5100.0,N", "\(text),\(hemisphere)")
            let fix = try #require(outcome.fixes.first)
            #expect(abs(fix.longitude - sign * degrees) < 1e-11)
        }
    }

    @Test(arguments: [
        "9000.0001,N", "36000.0000,N", "5160.0,N", "5199.9,N", "51x0.0,N", "5100.0x,N", "-5100.0,N",
        "5100.0,", "5100.0,E", ",N", ",", "510000.0,N", "51 00.0,N", ".5,N",
    ])
    func `a latitude that is none refuses the sentence`(_ text: String) {
        let outcome = FieldTests.gga(text, "00010.0,E")
        #expect(outcome.epochs.isEmpty)
        #expect(outcome.counts.malformed == 1)
    }

    @Test(arguments: ["18000.0001,E", "72000.0000,E", "00060.0,E", "-10214.1,W", "00010.0,N", ","])
    func `a longitude that is none refuses the sentence`(_ text: String) {
        let outcome = FieldTests.gga("5100.0,N", text)
        #expect(outcome.epochs.isEmpty)
        #expect(outcome.counts.malformed == 1)
    }

    static let heights: [(String, Double?)] = [
        ("50.0", 50.0), ("-4.27", -4.27), ("+12.5", 12.5), ("0050.125", 50.125), ("8848", 8848.0),
        ("12345.6789", 12345.6789), ("50.00001", 50.0), ("", nil), ("1e3", nil), ("x", nil),
        ("123456789012345", nil), ("99999999.0", nil), ("--5", nil), ("5-", nil), (".5", 0.5),
    ]

    @Test(arguments: heights)
    func `heights are numbers in a range or unknown`(_ text: String, _ metres: Double?) throws {
        let body = "GPGGA,100000,5100.0,N,00010.0,E,1,08,0.9,\(text),M,47.0,M,,"
        let fix = try #require(Outcome(sentence(body)).fixes.first)
        #expect(fix.altitudeMSL == metres)
    }

    @Test func `feet are feet`() throws {
        let body = "GPGGA,100000,5100.0,N,00010.0,E,1,08,0.9,100.0,F,-10.0,f,,"
        let fix = try #require(Outcome(sentence(body)).fixes.first)
        // The international foot is 0.3048 m.
        #expect(fix.altitudeMSL == 30.48)
        #expect(fix.geoidSeparation == -3.048)
    }

    typealias Motion = (speed: String, course: String, metresPerSecond: Double?, degrees: Double?)
    static let motions: [Motion] = [
        ("-5.0", "90.0", nil, 90.0), ("99999999", "400.0", nil, nil), ("0.0", "360.0", 0.0, 0.0),
        ("", "", nil, nil), ("abc", "-10.0", nil, nil), ("0.063", "", 0.0324, nil),
    ]

    @Test(arguments: 0..<motions.count)
    func `speeds and courses out of range are unknown`(_ index: Int) throws {
        let (speed, course, metresPerSecond, degrees) = FieldTests.motions[index]
        let body = "GPRMC,100000,A,5100.0,N,00010.0,E,\(speed),\(course),010526,,,A"
        let fix = try #require(Outcome(sentence(body)).fixes.first)
        #expect((fix.speed == nil) == (metresPerSecond == nil))
        #expect(abs((fix.speed ?? 0) - (metresPerSecond ?? 0)) < 1e-4)
        #expect(fix.course == degrees)
    }

    @Test func `VTG gives what RMC does not`() throws {
        let gga = sentence("GPGGA,100000,5100.0,N,00010.0,E,1,08,0.9,50.0,M,47.0,M,,")
        let forms = [
            "GPVTG,054.7,T,034.4,M,005.5,N,010.2,K", "GPVTG,054.7,T,,M,005.5,N,,K,A",
            "GPVTG,054.7,034.4,005.5,010.2",
        ]
        for form in forms {
            let fix = try #require(Outcome(gga + sentence(form)).fixes.first)
            #expect(fix.course == 54.7)
            #expect(abs((fix.speed ?? 0) - 5.5 * 1852 / 3600) < 1e-9)
        }
        let kilometres = sentence("GPVTG,054.7,T,,M,,N,036.0,K,A")
        #expect(Outcome(gga + kilometres).fixes.first?.speed == 10)
        let invalid = sentence("GPVTG,054.7,T,,M,005.5,N,010.2,K,N")
        #expect(Outcome(gga + invalid).fixes.first?.speed == nil)
        let rmc = sentence("GPRMC,100000,A,5100.0,N,00010.0,E,10.0,90.0,010526,,,A")
        #expect(Outcome(rmc + sentence(forms[0])).fixes.first?.course == 90)
    }

    typealias Telling = (quality: String, letter: String, status: FixStatus)
    static let tellings: [Telling] = [
        ("1", "A", .gps), ("2", "D", .dgps), ("4", "R", .rtkFixed), ("5", "F", .rtkFloat),
        ("6", "E", .deadReckoning), ("7", "M", .surveyed), ("8", "S", .simulated),
        // RMC's letter knows less than GGA's digit, and the other way round.
        ("4", "D", .rtkFixed), ("2", "A", .dgps), ("1", "D", .dgps), ("1", "E", .deadReckoning),
        ("6", "A", .deadReckoning), ("1", "", .gps),
    ]

    @Test(arguments: 0..<tellings.count)
    func `the most telling sentence says how the fix was made`(_ index: Int) {
        let (quality, letter, status) = FieldTests.tellings[index]
        let gga = sentence("GPGGA,100000,5100.0,N,00010.0,E,\(quality),08,0.9,50.0,M,47.0,M,,")
        let rmc = sentence("GPRMC,100000,A,5100.0,N,00010.0,E,10.0,90.0,010526,,,\(letter)")
        #expect(Outcome(gga + rmc).fixes.map(\.status) == [status])
        #expect(Outcome(rmc + gga).fixes.map(\.status) == [status])
    }

    @Test func `error estimates are brought to 95 percent`() throws {
        let gga = sentence("GPGGA,100000,5100.0,N,00010.0,E,1,08,0.9,50.0,M,47.0,M,,")
        func errors(_ bodies: String...) throws -> ErrorEstimate {
            try #require(Outcome(gga + bodies.map(sentence).joined()).fixes.first).errors
        }
        // A circular normal error of 1 m in each axis: 95 % lie within sqrt(-2 ln 0.05) m.
        let gst = try errors("GPGST,100000,1.2,,,,1.0,1.0,1.0")
        #expect(abs((gst.eph ?? 0) - 2.4477) < 1e-3)
        #expect(abs((gst.epv ?? 0) - 1.96) < 1e-3)
        let gbs = try errors("GPGBS,100000,1.0,1.0,1.0,,,,")
        #expect(gbs == gst)
        // gpsd, driver_nmea0183.c: Garmin's values are 50 %.
        let pgrme = try errors("PGRME,10.0,M,20.0,M,25.0,M")
        #expect(abs((pgrme.eph ?? 0) - 20.789) < 1e-2)
        #expect(abs((pgrme.epv ?? 0) - 58.117) < 1e-2)
        #expect(try errors("GPGST,100000,1.2,,,,1.0,1.0,1.0", "PGRME,10.0,M,20.0,M,25.0,M") == gst)
        #expect(try errors("PGRME,0.0,M,,M,25.0,M") == ErrorEstimate())
    }

    @Test func `PUBX 00 gives what it knows`() throws {
        let body =
            "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,"
            + "-0.500,,0.92,1.19,0.77,9,0,0"
        let fix = try #require(Outcome(sentence(body)).fixes.first)
        #expect(fix.altitudeHAE == 546.589)
        #expect(fix.altitudeMSL == nil)
        #expect(fix.mode == .threeD)
        #expect(fix.climb == 0.5)
        #expect(abs((fix.speed ?? 0) - 0.007 / 3.6) < 1e-9)
        #expect(fix.course == 77.52)
        #expect(fix.dop.hdop == 0.92)
        #expect(fix.dop.vdop == 1.19)
        #expect(fix.dop.tdop == 0.77)
        #expect(fix.satellitesUsed == 9)
        #expect(abs((fix.errors.eph ?? 0) - 2.1 * 1.6215) < 1e-3)
    }

    @Test func `headings are those of the vehicle`() {
        let gga = sentence("GPGGA,100000,5100.0,N,00010.0,E,1,08,0.9,50.0,M,47.0,M,,")
        #expect(Outcome(gga + sentence("HEHDT,123.4,T")).fixes.first?.heading == 123.4)
        #expect(Outcome(gga + sentence("GPTHS,12.5,A")).fixes.first?.heading == 12.5)
        #expect(Outcome(gga + sentence("GPTHS,12.5,V")).fixes.first?.heading == nil)
        #expect(Outcome(gga + sentence("HEHDT,,T")).fixes.first?.heading == nil)
    }

    @Test func `another datum is noted until the receiver takes it back`() {
        func gga(_ second: Int) -> String {
            sentence("GPGGA,10000\(second),5100.0,N,00010.0,E,1,08,0.9,50.0,M,47.0,M,,")
        }
        let text =
            gga(0) + sentence("GPDTM,W84,,0.0,N,0.0,E,0.0,W84") + gga(1)
            + sentence("GPDTM,999,CH95,0.08,N,0.07,E,-47.7,W84") + gga(2) + gga(3)
            + sentence("GPDTM,W84,,0.0,N,0.0,E,0.0,W84")
        #expect(Outcome(text).fixes.map(\.notes) == [[], .otherDatum, .otherDatum, []])
    }
}
