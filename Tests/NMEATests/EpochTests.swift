import GNSS
import NMEA
import Testing

@Suite struct EpochTests {
    static let rmc = "GPRMC,100000.00,A,5100.0000,N,00010.0000,E,010.0,090.0,010526,,,A"
    static let gga = "GPGGA,100000.00,5100.0000,N,00010.0000,E,1,08,0.9,50.0,M,47.0,M,,"
    static let next = "GPRMC,100001.00,A,5100.0000,N,00010.0000,E,010.0,090.0,010526,,,A"

    @Test func `sentences of one time are one fix in any order`() throws {
        let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,1.5,0.9,1.2"
        let sentences = [EpochTests.rmc, EpochTests.gga, gsa]
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let fixes = Outcome(order.map { sentence(sentences[$0]) }.joined()).fixes
            #expect(fixes.count == 1)
            let fix = try #require(fixes.first)
            #expect(fix.time == UTCTime("2026-05-01T10:00:00Z"))
            #expect(fix.latitude == 51)
            #expect(abs(fix.longitude - 1.0 / 6) < 1e-12)
            #expect(fix.altitudeMSL == 50)
            #expect(fix.altitudeHAE == 97)
            #expect(fix.geoidSeparation == 47)
            #expect(fix.mode == .threeD)
            #expect(fix.status == .gps)
            // 10 knots: 1852 m in 360 s.
            #expect(abs((fix.speed ?? 0) - 1852.0 / 360) < 1e-9)
            #expect(fix.course == 90)
            #expect(fix.dop.pdop == 1.5)
            #expect(fix.dop.hdop == 0.9)
            #expect(fix.dop.vdop == 1.2)
            #expect(fix.satellitesUsed == 8)
            #expect(fix.notes == [])
        }
    }

    @Test func `an epoch is handed over at the first sentence of the next`() {
        var decoder = NMEADecoder()
        var epochs = 0
        func feed(_ text: String) {
            let bytes = Array(text.utf8)
            bytes.withUnsafeBytes { decoder.decode($0) { _ in epochs += 1 } }
        }
        feed(sentence(EpochTests.rmc))
        feed(sentence(EpochTests.gga))
        #expect(epochs == 0)
        // Before its line end came.
        feed(String(sentence(EpochTests.next).dropLast(1)))
        #expect(epochs == 1)
        decoder.flush { _ in epochs += 1 }
        #expect(epochs == 2)
    }

    @Test func `what comes after a flush for the same time is passed over`() {
        var decoder = NMEADecoder()
        var fixes: [Fix] = []
        func take(_ epoch: Epoch) {
            if case .fix(let fix) = epoch { fixes.append(fix) }
        }
        func feed(_ body: String) {
            let bytes = Array(sentence(body).utf8)
            bytes.withUnsafeBytes { decoder.decode($0, take) }
        }
        feed(EpochTests.rmc)
        decoder.flush(take)
        feed(EpochTests.gga)
        decoder.flush(take)
        feed(EpochTests.next)
        decoder.finish(take)
        #expect(fixes.map(\.timeOfDay) == [36_000_000, 36_001_000])
        #expect(fixes.map(\.altitudeMSL) == [nil, nil])
    }

    @Test func `a half line survives a flush`() {
        let text = Array((sentence(EpochTests.rmc) + sentence(EpochTests.next)).utf8)
        var decoder = NMEADecoder()
        var fixes = 0
        text[..<100].withUnsafeBytes { decoder.decode($0) { _ in fixes += 1 } }
        decoder.flush { _ in fixes += 1 }
        text[100...].withUnsafeBytes { decoder.decode($0) { _ in fixes += 1 } }
        decoder.finish { _ in fixes += 1 }
        #expect(fixes == 2)
        #expect(decoder.counts.badChecksum == 0)
    }

    @Test(arguments: [
        ("GPGLL,5100.0000,N,00010.0000,E,100000.00,A,A", 2),
        ("GNGNS,100000.00,5100.0000,N,00010.0000,E,AAN,13,0.93,50.0,47.0,,,V", 3),
        ("GPGGA,100000.00,5100.0000,N,00010.0000,E,1,08,0.9,50.0,M,47.0,M,,", 3),
        ("PUBX,00,100000.00,5100.0000,N,00010.0000,E,97.0,G3,2.1,2.0,18,90,-1,,1,1,1,9,0,0", 3),
    ])
    func `one kind of sentence is enough`(_ body: String, _ mode: UInt8) throws {
        let fixes = Outcome(sentence(body)).fixes
        let fix = try #require(fixes.first)
        #expect(fix.latitude == 51)
        #expect(fix.timeOfDay == 36_000_000)
        #expect(fix.time == nil)
        #expect(fix.mode.rawValue == mode)
        #expect(fix.status == .gps)
    }

    @Test func `positions without any time come one by one`() {
        let old = ["GPGLL,5100.0000,N,00010.0000,E", "GPGLL,5100.0001,N,00010.0000,E"]
        let fixes = Outcome(old.map(sentence).joined()).fixes
        #expect(fixes.count == 2)
        #expect(fixes.allSatisfy { $0.time == nil && $0.timeOfDay == nil })
    }

    @Test(arguments: [("05", 50), ("1", 100), ("123", 123), ("1234", 123), ("999999", 999)])
    func `times have any number of decimals`(_ decimals: String, _ milliseconds: Int32) throws {
        let body = "GPRMC,100000.\(decimals),A,5100.0,N,00010.0,E,,,010526,,"
        let fix = try #require(Outcome(sentence(body)).fixes.first)
        #expect(fix.timeOfDay == 36_000_000 + milliseconds)
    }

    @Test func `twenty epochs a second stay apart`() {
        var text = ""
        for index in 0..<40 {
            let time = "10000\(index / 20).\(index % 20 * 5 + 100)".replacing(".1", with: ".")
            text += sentence("GPGGA,\(time),5100.0,N,00010.0,E,1,08,0.9,50.0,M,47.0,M,,")
            text += sentence("GPRMC,\(time),A,5100.0,N,00010.0,E,1.0,2.0,010526,,,A")
        }
        let fixes = Outcome(text).fixes
        #expect(fixes.map(\.timeOfDay) == (0..<40).map { 36_000_000 + $0 * 50 })
        #expect(fixes.allSatisfy { $0.altitudeMSL == 50 && $0.speed != nil })
    }

    @Test func `of two receivers in one stream no epoch comes twice`() {
        let other = "GPRMC,095959.80,A,5100.0100,N,00010.0000,E,010.0,090.0,010526,,,A"
        let otherGGA = "GPGGA,095959.80,5100.0100,N,00010.0000,E,1,08,0.9,60.0,M,47.0,M,,"
        let text = [EpochTests.rmc, other, EpochTests.gga, otherGGA, EpochTests.next]
            .map(sentence).joined()
        let fixes = Outcome(text).fixes
        #expect(fixes.map(\.timeOfDay) == [36_000_000, 35_999_800, 36_001_000])
    }

    @Test func `sentences that contradict each other are one fix with a note`() throws {
        let void = "GPGGA,100000.00,,,,,0,00,99.99,,,,,,"
        let fixes = Outcome(sentence(EpochTests.rmc) + sentence(void)).fixes
        #expect(fixes.map(\.notes) == [.conflict])
    }

    @Test func `the same position rounded is no contradiction and the finer one stays`() throws {
        let fine = "GPGGA,100000.00,5100.00004,N,00010.00004,E,1,08,0.9,50.0,M,47.0,M,,"
        for pair in [[EpochTests.rmc, fine], [fine, EpochTests.rmc]] {
            let fix = try #require(Outcome(pair.map(sentence).joined()).fixes.first)
            #expect(fix.notes == [])
            #expect(abs(fix.latitude - (51 + 0.00004 / 60)) < 1e-12)
        }
    }

    @Test func `a position without a fix is none`() {
        let bodies = [
            "GPRMC,100000.00,V,5100.0000,N,00010.0000,E,010.0,090.0,010526,,,A",
            "GPGGA,100001.00,5100.0000,N,00010.0000,E,0,08,0.9,50.0,M,47.0,M,,",
            "GPGGA,100002.00,5100.0000,N,00010.0000,E,,08,0.9,50.0,M,47.0,M,,",
            "GPGLL,5100.0000,N,00010.0000,E,100003.00,V,N",
            "GNGNS,100004.00,5100.0000,N,00010.0000,E,NNN,13,0.93,50.0,47.0,,",
            "PUBX,00,100005.00,5100.0,N,00010.0,E,97.0,NF,2.1,2.0,1,9,0,,1,1,1,9,0,0",
        ]
        let outcome = Outcome(bodies.map(sentence).joined())
        #expect(outcome.fixes.isEmpty)
        #expect(outcome.epochs.count == 6)
        #expect(outcome.counts.noFixes == 6)
        #expect(outcome.counts.malformed == 0)
    }

    @Test func `ZDA for the whole second belongs to an epoch just after it`() throws {
        let bodies = [
            "GPGGA,100000.02,5100.0000,N,00010.0000,E,1,08,0.9,50.0,M,47.0,M,,",
            "GPZDA,100000.00,01,05,2026,00,00", "GPGSA,A,3,01,,,,,,,,,,,,1.5,0.9,1.2",
        ]
        let fixes = Outcome(bodies.map(sentence).joined()).fixes
        #expect(fixes.map(\.time) == [UTCTime("2026-05-01T10:00:00.020Z")])
        #expect(fixes.first?.dop.pdop == 1.5)
    }
}
