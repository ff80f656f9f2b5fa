import Foundation
import GNSS
import Testing

@testable import Receiver

/// Lines that look as gpsd writes them and are not: none may pass unread.
@Suite struct PlainReportTests {
    private func decode(_ line: String) throws -> (epochs: [Epoch], counts: InputCounts) {
        let decoder = try GPSDDecoder()
        var epochs: [Epoch] = []
        // The receiver is known by then, which the short way asks for.
        let text = tpv(0) + line + "\r\n"
        Data(text.utf8).withUnsafeBytes { decoder.decode($0) { epochs.append($0) } }
        decoder.finish { epochs.append($0) }
        return (Array(epochs.dropFirst()), decoder.counts)
    }

    private let head = "{\"class\":\"TPV\",\"device\":\"/dev/gnss0\",\"mode\":3,"
    private let time = "\"time\":\"2026-05-01T10:00:05.000Z\","

    @Test(arguments: [
        "\"lat\":51.5,\"lon\":0.5", "\"lat\":51.5,\"wibble\":[1,[2]],\"lon\":0.5",
        "\"lat\":51.5,\"wibble\":{\"a\":1},\"lon\":0.5", "\"lat\":51.5,\"speed\":null,\"lon\":0.5",
        "\"lat\":51.5,\"lon\":0.5,\"depth\":3", "\"lat\":51.5,\"lon\":0.5,\"text\":\"}{\"",
    ])
    func `members that are not known cost no fix`(members: String) throws {
        let (epochs, counts) = try decode(head + time + members + "}")
        let fix = try #require(fixes(epochs).first)
        #expect(fix.latitude == 51.5)
        #expect(fix.longitude == 0.5)
        #expect(fix.second == 5)
        #expect(counts.malformed == 0)
    }

    /// What gpsd's own `json_read_object` takes: printf's words for no number as none.
    @Test(arguments: [
        "\"lat\":51.5,\"speed\":nan,\"lon\":0.5", "\"lat\":51.5,\"foo\":-Infinity,\"lon\":0.5",
        "\"lat\":51.5,\"lon\":0.5,\"alt\":-nan",
        "\"lon\":0.5,\"lat\":51.5,\"epx\":inf",
        "\"lat\":51.5,\"a\":\"\\\"nan\",\"b\":[NaN,inf],\"lon\":0.5",
    ])
    func `numbers that are none cost the value and no fix`(members: String) throws {
        let (epochs, counts) = try decode(head + time + members + "}")
        let fix = try #require(fixes(epochs).first)
        #expect(fix.latitude == 51.5)
        #expect(fix.longitude == 0.5)
        #expect(fix.speed == nil && fix.altitudeMSL == nil)
        #expect(counts.malformed == 0)
    }

    /// As `jq .` writes it.
    @Test func `a report may go over several lines`() throws {
        let spread = try (1..<20).map { second in
            let object = try JSONSerialization.jsonObject(with: Data(tpv(second).utf8))
            let text = try JSONSerialization.data(withJSONObject: object, options: .prettyPrinted)
            // The last brace of one is lost.
            return String(decoding: second == 5 ? text.dropLast() : text, as: UTF8.self)
        }
        let (epochs, counts) = try decode("\n" + spread.joined(separator: "\n"))
        #expect(fixes(epochs).map(\.second) == (1..<20).filter { $0 != 5 })
        #expect(counts.malformed == 1)
    }

    @Test func `a report without a time elsewhere than the next is a fix of its own`() throws {
        let untimed = (0..<4).map {
            head + "\"lat\":\(51.5 + Double($0) / 100),\"lon\":0.5}\r\n" + tpv($0 + 1)
        }
        let (epochs, _) = try decode(untimed.joined())
        #expect(fixes(epochs).map(\.second) == [nil, 1, nil, 2, nil, 3, nil, 4])
    }

    @Test(arguments: [
        "\"lat\":51.5,\"lon\":\"0.5\"}", "\"lat\":NaN,\"lon\":0.5}", "\"lat\":51.5,\"lon\":0.5",
        "\"lat\":51.5,\"lat\":-51.5,\"lo",
        "\"lat\":1e308,\"lon\":0.5}",
        "\"lat\":51.5,\"lon\":0.5,}", "\"lat\":91,\"lon\":0.5}", "\"lat\":51.5 \"lon\":0.5}",
    ])
    func `a broken position makes no fix`(members: String) throws {
        let (epochs, _) = try decode(head + time + members)
        #expect(fixes(epochs).isEmpty)
    }

    @Test(arguments: [
        ("2026-05-01T10:00:05Z", 5), ("2026-05-01T12:00:05.000+02:00", 5),
        ("2026-05-01T10:00:04.9996Z", 4),
    ])
    func `a time in another spelling is read for what it says`(text: String, second: Int) throws {
        let line = head + "\"time\":\"\(text)\",\"lat\":51.5,\"lon\":0.5}"
        #expect(fixes(try decode(line).epochs).first?.second == second)
    }

    @Test(arguments: [
        "garbage", "2026-13-01T10:00:05.000Z", "2026-05-01T25:00:05.000Z",
        "2026-05-01T10:00:05.000",
    ])
    func `a time that is none is not made one`(text: String) throws {
        let line = head + "\"time\":\"\(text)\",\"lat\":51.5,\"lon\":0.5}"
        let fix = fixes(try decode(line).epochs).first
        #expect(fix == nil || fix?.time == nil || text.hasSuffix("05.000"))
    }

    @Test func `second 60 is noted`() throws {
        let line = head + "\"time\":\"2016-12-31T23:59:60.000Z\",\"lat\":51.5,\"lon\":0.5}"
        let fix = try #require(fixes(try decode(line).epochs).first)
        #expect(fix.notes.contains(.leapSecond))
        #expect(fix.time == UTCTime(year: 2017, month: 1, day: 1))
    }

    @Test func `a stray brace is noise, whether the line comes in one piece or in two`() throws {
        let line = tpv(0) + head + time + "\"lat\":51.5,\"lon\":0.5}}\r\n"
        let bytes = Array(line.utf8)
        for place in [bytes.count, bytes.count - 8] {
            let decoder = try GPSDDecoder()
            var epochs: [Epoch] = []
            for piece in [bytes[..<place], bytes[place...]] {
                Array(piece).withUnsafeBytes { decoder.decode($0) { epochs.append($0) } }
            }
            decoder.finish { epochs.append($0) }
            #expect(fixes(epochs).map(\.latitude) == [51, 51.5])
            #expect(decoder.counts.noise == 1)
        }
    }

    /// libgps 3.22 does not return from some lines of this kind.
    @Test func `a stream that is garbled byte by byte is read to its end`() throws {
        let decoder = try GPSDDecoder()
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random(_ limit: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(limit))
        }
        var epochs: [Epoch] = []
        for second in 0..<3000 {
            var bytes = Array(tpv(second).utf8)
            if second % 4 != 0 {
                for _ in 0...random(4) { bytes[random(bytes.count)] = UInt8(random(256)) }
            }
            bytes.withUnsafeBytes { decoder.decode($0) { epochs.append($0) } }
        }
        decoder.finish { epochs.append($0) }
        let read = fixes(epochs)
        #expect(read.count >= 700)
        #expect(read.allSatisfy { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 })
    }

    @Test func `satellites are counted at once and listed when asked for`() throws {
        let decoder = try GPSDDecoder()
        let text =
            tpv(0)
            + "{\"class\":\"SKY\",\"device\":\"/dev/gnss0\",\"hdop\":0.9,\"nSat\":2,\"uSat\":1,"
            + "\"satellites\":[{\"PRN\":5,\"el\":10.0,\"az\":20.0,\"ss\":30.0,\"used\":true,\"gnssid\":2,\"svid\":5},"
            + "{\"PRN\":70,\"el\":-1.0,\"az\":360.0,\"ss\":31.0,\"used\":false}]}\r\n"
        var epochs: [Epoch] = []
        Data(text.utf8).withUnsafeBytes { decoder.decode($0) { epochs.append($0) } }
        decoder.finish { epochs.append($0) }
        let fix = try #require(fixes(epochs).first)
        #expect(fix.satellitesSeen == 2)
        #expect(fix.satellitesUsed == 1)
        #expect(fix.dop.hdop == 0.9)
        let galileo = Satellite(
            constellation: .galileo, prn: 5, elevation: 10, azimuth: 20, signal: 30, used: true)
        let glonass = Satellite(
            constellation: .glonass, prn: 70, elevation: -1, azimuth: 0, signal: 31, used: false)
        #expect(decoder.sky.satellites == [galileo, glonass])
        #expect(decoder.sky.dop.hdop == 0.9)
    }

    /// Heads of SKY reports that are not as gpsd writes them, and numbers at the edge of what is read without libgps.
    @Test(arguments: [
        "\"hdop\":1.25,\"nSat\":2,\"uSat\":1", "\"hdop\":1.25", "\"nSat\":2,\"hdop\":1.25",
        "\"nSat\":2,\"uSat\":1,\"hdop\":1.25e0", "\"nSat\":2,\"uSat\":1,\"hdop\":12E-1",
        "\"nSat\":2,\"uSat\":1,\"hdop\":99.99", "\"nSat\":2,\"uSat\":1,\"hdop\":0",
        "\"nSat\":2,\"uSat\":1,\"hdop\":-1.25", "\"nSat\":2,\"uSat\":1,\"hdop\":\"1.25\"",
        "\"nSat\":2,\"uSat\":1,\"hdop\":null", "\"nSat\":2,\"uSat\":1,\"hdop\":NaN",
        "\"nSat\":2,\"uSat\":1,\"hdop\":1.2345678901234567890123",
        "\"nSat\":2,\"uSat\":1,\"hdop\":1.234567890123456,\"vdop\":0.1234567890123",
        "\"nSat\":2,\"uSat\":1,\"hdop\":1.25,\"hdop\":9.5",
        "\"nSat\":2,\"uSat\":1,\"h\\u0064op\":1.25", "\"nSat\":2,\"uSat\":1,\"HDOP\":1.25",
        "\"nSat\":2,\"uSat\":1,\"a\":{\"hdop\":1.25}", "\"nSat\":2,\"uSat\":1,\"a\":[1.25]",
        "\"nSat\":2.0,\"uSat\":1", "\"nSat\":-2,\"uSat\":1", "\"nSat\":2000,\"uSat\":1",
        "\"nSat\":2,\"uSat\":1,\"hdop\":01.25", "\"nSat\":02,\"uSat\":1",
        "\"nSat\":2,\"uSat\":1,\"hdop\":1.25,\"device\":\"/dev/gnss1\"",
        "\"nSat\":\"2\",\"uSat\":1", "\"nSat\":2,\"uSat\":1,\"xdop\":true,\"time\":\"x\"",
    ])
    func `the head of a sky report reads as by way of libgps`(head: String) throws {
        func decode(_ name: String, cut: Int) throws -> ([Epoch], DOP, InputCounts) {
            let decoder = try GPSDDecoder()
            let list =
                ",\"satellites\":[{\"PRN\":5,\"el\":1.0,\"az\":2.0,\"ss\":3.0,\"used\":true,\"hdop\":7.5},"
                + "{\"PRN\":6,\"used\":false,\"nSat\":9}]}"
            let sky = "{\(name),\"device\":\"/dev/gnss0\"," + head + list
            let text = tpv(0) + String(sky.dropLast(cut)) + "\r\n" + tpv(1)
            var epochs: [Epoch] = []
            Data(text.utf8).withUnsafeBytes { decoder.decode($0) { epochs.append($0) } }
            decoder.finish { epochs.append($0) }
            return (epochs, decoder.sky.dop, decoder.counts)
        }
        // Whole, cut within a satellite, and behind one.
        for cut in [0, 30, 34, 35] {
            let plain = try decode("\"class\":\"SKY\"", cut: cut)
            let long = try decode(" \"class\":\"SKY\"", cut: cut)
            #expect(plain.0 == long.0)
            #expect(plain.1 == long.1)
            #expect(plain.2.accepted == long.2.accepted)
            #expect(plain.2.malformed == long.2.malformed)
        }
    }

    @Test func `the numbers of a sky report are those that libgps makes of them`() throws {
        let library = try GPSDLibrary()
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        for _ in 0..<500 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(state >> 11) / 9_007_199_254_740_992 * 99
            let text = String(format: "%.\(state >> 32 % 14)f", value)
            let line =
                "{\"class\":\"SKY\",\"device\":\"/dev/gnss0\",\"hdop\":\(text),\"nSat\":0,\"uSat\":0,"
                + "\"satellites\":[]}"
            let decoder = try GPSDDecoder()
            Data((tpv(0) + line + "\r\n").utf8).withUnsafeBytes { decoder.decode($0) { _ in } }
            #expect(decoder.sky.dop.hdop == library.sky(Array(line.utf8))?.dop.hdop, "\(text)")
        }
    }

    @Test func `a position reads as by way of libgps`() throws {
        let members = [
            ("lat", 180.0), ("lon", 400), ("altHAE", 20_000), ("altMSL", 20_000), ("geoidSep", 500),
            ("track", 400), ("speed", 100), ("climb", 40), ("ept", 1), ("epv", 60), ("epd", 90),
            ("eps", 9), ("eph", 40), ("epx", 30), ("epy", 30), ("magvar", 40), ("depth", 100),
        ]
        var state: UInt64 = 0x2545_F491_4F6C_DD1D
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        func decode(_ name: String, _ rest: String) throws -> ([Epoch], InputCounts) {
            let decoder = try GPSDDecoder()
            var epochs: [Epoch] = []
            let line = tpv(0) + "{\(name),\"device\":\"/dev/gnss0\"" + rest + "}\r\n"
            Data(line.utf8).withUnsafeBytes { decoder.decode($0) { epochs.append($0) } }
            decoder.finish { epochs.append($0) }
            return (epochs, decoder.counts)
        }
        var read = 0
        for _ in 0..<500 {
            var rest =
                ",\"mode\":\(random(5)),\"time\":\"2026-05-01T10:00:05.\(100 + random(900))Z\""
            for (name, span) in members where random(10) != 0 {
                let value = (Double(random(1_000_000)) / 1_000_000 - 0.5) * span
                rest += String(format: ",\"%@\":%.*f", name, random(18), value)
            }
            if random(2) == 0 { rest += ",\"status\":\(random(12))" }
            let plain = try decode("\"class\":\"TPV\"", rest)
            let long = try decode(" \"class\":\"TPV\"", rest)
            #expect(plain.0 == long.0, "\(rest)")
            #expect(plain.1.accepted == long.1.accepted)
            read += fixes(plain.0).count - 1
        }
        #expect(read > 200)
    }

    /// Members that are not as gpsd writes them, or that say what cannot be.
    @Test(arguments: [
        "\"mode\":100", "\"mode\":255", "\"mode\":99", "\"mode\":03", "\"mode\":3,\"status\":100",
        "\"mode\":3,\"speed\":01", "\"mode\":3,\"speed\":00.5", "\"mode\":3,\"speed\":-07",
        "\"mode\":3,\"speed\":-0", "\"mode\":3,\"speed\":0.0", "\"mode\":3,\"foo\":012",
        "\"mode\":3,\"device\":\"/dev/gnss1\"", "\"mode\":3,\"class\":\"SKY\"",
        "\"mode\":3,\"time\":\"2026-02-30T10:00:05.000Z\"",
        "\"mode\":3,\"time\":\"2023-02-29T10:00:05.000Z\"",
        "\"mode\":3,\"time\":\"2024-02-29T10:00:05.000Z\"",
        "\"mode\":3,\"time\":\"2026-04-31T10:00:05.000Z\"",
    ])
    func `a strange position reads as by way of libgps`(members: String) throws {
        func decode(_ name: String) throws -> ([Epoch], InputCounts) {
            let decoder = try GPSDDecoder()
            var epochs: [Epoch] = []
            let line =
                tpv(0) + "{\(name),\"device\":\"/dev/gnss0\",\"lat\":51.5,\"lon\":0.5,"
                + members + "}\r\n"
            Data(line.utf8).withUnsafeBytes { decoder.decode($0) { epochs.append($0) } }
            decoder.finish { epochs.append($0) }
            return (epochs, decoder.counts)
        }
        let plain = try decode("\"class\":\"TPV\"")
        let long = try decode(" \"class\":\"TPV\"")
        #expect(plain.0 == long.0)
        #expect(plain.1.accepted == long.1.accepted)
        #expect(plain.1.malformed == long.1.malformed)
    }

    @Test func `what gpsd complains of is counted for itself`() throws {
        let (_, counts) = try decode(
            "{\"class\":\"ERROR\",\"message\":\"Unrecognized request '?{'\"}\r\n"
                + "{\"class\":\"ERROR\"}")
        #expect(counts.errors == 2)
        #expect(counts.accepted == 1)
        #expect(counts.malformed == 0)
        #expect(counts.lines == 3)
    }
}
