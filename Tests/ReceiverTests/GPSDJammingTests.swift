import Foundation
import GNSS
import Receiver
import Testing

/// What gpsd of 3.26 and later adds to TPV (`jam`, `ant`), and what libgps of 3.24 and later asks of SKY.
@Suite struct GPSDJammingTests {
    private func sky(after lines: String...) throws -> SkyView {
        let decoder = try GPSDDecoder()
        for line in lines {
            Array((line + "\r\n").utf8).withUnsafeBytes { decoder.decode($0) { _ in } }
        }
        return decoder.sky
    }

    private static let position =
        "{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":3,\"time\":\"2026-05-01T10:00:00.000Z\","
        + "\"lat\":51.0,\"lon\":0.5"

    @Test func `jamming and antenna are told once the receiver tells them`() throws {
        #expect(try sky(after: Self.position + "}").jamming == nil)
        let told = try sky(
            after: Self.position + ",\"jam\":230,\"ant\":2}", Self.position + ",\"speed\":1.0}")
        #expect(told.jamming == 230)
        #expect(told.antenna == 2)
    }

    @Test(arguments: ["-1", "300", "\"x\"", "null", "1.5"])
    func `jamming that cannot be is not told`(value: String) throws {
        let told = try sky(after: Self.position + ",\"jam\":\(value)}")
        #expect(told.jamming == nil || told.jamming == 255)
    }

    private func headings(_ lines: String...) throws -> [Double?] {
        let decoder = try GPSDDecoder()
        var headings: [Double?] = []
        func take(_ epoch: Epoch) { if case .fix(let fix) = epoch { headings.append(fix.heading) } }
        for line in lines {
            Array((line + "\r\n").utf8).withUnsafeBytes { decoder.decode($0, take) }
        }
        decoder.finish(take)
        return headings
    }

    @Test(arguments: [("123.5", 123.5), ("360", 0), ("-1", nil), ("\"x\"", nil), ("361", nil)])
    func `a heading belongs to the fix of its time`(value: String, heading: Double?) throws {
        let attitude = "{\"class\":\"ATT\",\"device\":\"/dev/a\",\"heading\":\(value)"
        let later = Self.position.replacingOccurrences(of: "10:00:00", with: "10:00:01") + "}"
        let told = try headings(
            attitude + ",\"time\":\"2026-05-01T10:00:00.000Z\"}", Self.position + "}", later)
        #expect(told == [heading, nil])
        let old = try headings(
            attitude + ",\"time\":\"2026-05-01T09:59:00.000Z\"}", Self.position + "}")
        #expect(old == [nil])
    }

    @Test func `each satellite of a list is seen, with counts beside it or without`() throws {
        let list =
            "\"satellites\":[{\"PRN\":5,\"ss\":40.0,\"used\":true},{\"PRN\":6,\"used\":false}]"
        for counts in ["", "\"nSat\":2,\"uSat\":1,", "\"nSat\":0,\"uSat\":0,"] {
            let seen = try sky(
                after: "{\"class\": \"SKY\",\"device\":\"/dev/a\",\(counts)\"hdop\":0.9,\(list)}")
            #expect(seen.satellites.map(\.prn) == [5, 6])
            #expect(seen.satellites.map(\.used) == [true, false])
        }
    }
}
