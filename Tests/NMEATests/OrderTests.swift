import GNSS
import NMEA
import Testing

/// Sentences in the orders in which receivers send them; each epoch has values of its own.
@Suite struct OrderTests {
    /// The epochs of a receiver, each with its number in every value.
    private static func log(_ cycle: [String], epochs: Int = 12, before: [String] = []) -> String {
        let bodies = before + (1...epochs).flatMap { epoch in cycle.map { body($0, epoch) } }
        return bodies.map { sentence($0) }.joined()
    }

    private static func body(_ kind: String, _ epoch: Int) -> String {
        let two = epoch < 10 ? "0\(epoch)" : "\(epoch)"
        let time = "1000\(two).00"
        let place = "5100.00\(two),N,00010.0000,E"
        return switch kind {
        case "RMC": "GPRMC,\(time),A,\(place),,,010526,,,A"
        case "GGA": "GPGGA,\(time),\(place),1,08,0.9,50.0,M,47.0,M,,"
        case "GNS": "GNGNS,\(time),\(place),AA,08,0.9,50.0,47.0,,"
        case "GLL": "GPGLL,\(place),\(time),A,A"
        case "ZDA": "GPZDA,\(time),01,05,2026,00,00"
        case "VTG": "GPVTG,\(epoch).0,T,,M,\(epoch).0,N,,K,A"
        case "HDT": "GPHDT,\(epoch).0,T"
        case "GSV": "GPGSV,1,1,02,01,40,083,46,02,17,308,41"
        default: "GPGSA,A,\(epoch % 2 + 2),01,02,03,04,,,,,,,,,\(epoch).5,0.9,1.2"
        }
    }

    private func check(_ log: String, _ cycle: [String], epochs: Int = 12) {
        let fixes = Outcome(log).fixes
        #expect(fixes.count == epochs)
        for (index, fix) in fixes.enumerated() {
            let epoch = Double(index + 1)
            #expect(fix.timeOfDay == 36_000_000 + Int32(index + 1) * 1000)
            if cycle.contains("VTG") {
                // A knot is 1852 m in an hour.
                #expect(abs((fix.speed ?? -1) - epoch * 1852 / 3600) < 1e-6, "\(cycle) \(epoch)")
                #expect(fix.course == epoch)
            }
            if cycle.contains("HDT") { #expect(fix.heading == epoch, "\(cycle) \(epoch)") }
            if cycle.contains("GSA") {
                #expect(fix.dop.pdop == epoch + 0.5, "\(cycle) \(epoch)")
                #expect(fix.mode == ((index + 1) % 2 == 1 ? .threeD : .twoD))
            }
        }
    }

    @Test(arguments: [
        ["GGA", "VTG"], ["ZDA", "VTG", "GGA"], ["RMC", "VTG", "GGA", "GSA", "GSV", "GLL"],
        ["GGA", "GSA", "GSV", "RMC", "VTG"], ["GSV", "GGA", "VTG", "RMC", "GSA"],
        ["GNS", "GSA", "HDT"],
    ])
    func `sentences without a time belong to the position before them`(cycle: [String]) {
        check(OrderTests.log(cycle), cycle)
    }

    /// The first lines of a capture are the end of a cycle nobody has the beginning of.
    @Test(arguments: [["GGA", "GSA", "VTG", "GSV"], ["RMC", "GGA", "GSA"], ["RMC", "HDT"]])
    func `a log that begins within a cycle is read as one that begins with it`(cycle: [String]) {
        let late = [OrderTests.body(cycle.last { $0 != "GSV" } ?? "", 0)]
        check(OrderTests.log(cycle, before: late), cycle)
    }

    @Test func `a time that comes again at another place is a measurement of its own`() {
        // Seconds 1 and 2, then the receiver learns of a leap second and says 1 again.
        let places = [(1, 0), (2, 10), (1, 20), (2, 30), (3, 40)]
        let log = places.map { second, north in
            sentence(
                "GPRMC,10000\(second).00,A,5100.\(1000 + north),N,00010.0000,E,1.0,0,010526,,,A")
        }.joined()
        #expect(
            Outcome(log).fixes.map { $0.timeOfDay.map { $0 % 60_000 } } == [
                1000, 2000, 1000, 2000, 3000,
            ])
    }

    @Test func `a time that comes again at its place is passed over`() {
        let first = EpochTests.rmc
        let log = [first, EpochTests.next, first, EpochTests.gga, EpochTests.next]
        #expect(Outcome(log.map { sentence($0) }.joined()).fixes.count == 2)
    }

    /// u-blox M8 receiver description, section 31.3.4.
    @Test func `PUBX,04 gives the date`() {
        let log =
            sentence("PUBX,04,100000.00,010526,208800.00,2304,18,1,2,3")
            + sentence(
                "PUBX,00,100000.00,5100.0000,N,00010.0000,E,97.0,G3,2.1,3.2,0.1,90.0,0.0,,0.9,1.2,0.8,8,0,0"
            )
        #expect(Outcome(log).fixes.map(\.time) == [UTCTime("2026-05-01T10:00:00Z")])
    }

    /// NMEA 0183 2.3: mode N is "data not valid".
    @Test func `an RMC that is valid by its status and not by its mode is in conflict`() {
        let log = sentence("GPRMC,100000.00,A,5100.0000,N,00010.0000,E,1.0,90.0,010526,,,N")
        #expect(Outcome(log).fixes.map(\.notes) == [.conflict])
    }

    /// A multiplexer puts the last position of another bus, without a time, beside each of this one's.
    @Test(arguments: [[1], [0], [1, 1], [0, 0, 0]])
    func `a position without a time neither moves one that has it nor makes another`(north: [Int]) {
        let log = (1...8).map { second in
            sentence("GPRMC,10000\(second).00,A,5100.000\(second),N,00010.0000,E,,,010526,,,A")
                + north.map { sentence("GPGLL,5100.000\(second + 3 * $0),N,00010.0000,E,,A,A") }
                .joined()
        }.joined()
        let fixes = Outcome(log).fixes.filter { $0.timeOfDay != nil }
        #expect(fixes.map { (($0.latitude - 51) * 600_000).rounded() } == (1...8).map(Double.init))
        if north.allSatisfy({ $0 == 0 }) { #expect(Outcome(log).fixes.count == 8) }
    }

    /// A talker without a clock: each of its sentences is a measurement.
    @Test func `positions of a log without any time are each their own`() {
        let log = String(repeating: sentence("GPGLL,5100.0000,N,00010.0000,E,,A,A"), count: 5)
        #expect(Outcome(log).fixes.count == 5)
    }

    /// A receiver of 5 Hz whose clock has whole seconds, or two receivers on one line.
    @Test(arguments: ["GP", "GN"])
    func `of the places of one time and one kind of sentence the first stays`(other: String) {
        let log = (0...7).map { second in
            sentence("GPRMC,10000\(second).00,A,5100.0000,N,00010.0000,E,1.0,90.0,010526,,,A")
                + sentence(
                    "\(other)RMC,10000\(second).00,A,5100.0110,N,00010.0000,E,5.0,80.0,010526,,,A")
        }.joined()
        let fixes = Outcome(log).fixes
        #expect(fixes.map(\.latitude) == [Double](repeating: 51, count: 8))
        #expect(fixes.map(\.course) == [Double](repeating: 90, count: 8))
        #expect(fixes.allSatisfy { $0.notes == [.conflict] })
    }

    /// A Magellan 315: its GLL is timed to the millisecond, the others to the hundredth.
    @Test func `a time that sentences round differently is one`() {
        let place = "3908.8200,N,00023.0832,W"
        let log = [("27.523", "27.52"), ("30.258", "30.26"), ("33.000", "33.00")].map {
            sentence("GPGLL,\(place),1208\($0.0),A")
                + sentence("GPGGA,1208\($0.1),\(place),1,06,2.1,00176,M,,,,")
                + sentence("GPRMC,1208\($0.1),A,\(place),00.0,000.0,010526,01.,W")
        }.joined()
        let fixes = Outcome(log).fixes
        #expect(
            fixes.map(\.time)
                == ["27.520", "30.260", "33.000"].map { UTCTime("2026-05-01T12:08:\($0)Z") })
        #expect(fixes.allSatisfy { $0.altitudeMSL == 176 && $0.speed == 0 && $0.notes == [] })
    }
}
