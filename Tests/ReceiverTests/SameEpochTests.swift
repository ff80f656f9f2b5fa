import Foundation
import GNSS
import Receiver
import Testing

/// Reports of one epoch, as gpsd 3.27.5 gives them for the sentences named.
@Suite struct SameEpochTests {
    private func fixes(_ reports: [String]) throws -> [Fix] {
        let decoder = try GPSDDecoder()
        var fixes: [Fix] = []
        func take(_ epoch: Epoch) { if case .fix(let fix) = epoch { fixes.append(fix) } }
        for report in reports {
            let line = "{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":3,\(report)}\r\n"
            Array(line.utf8).withUnsafeBytes { decoder.decode($0, take) }
        }
        decoder.finish(take)
        return fixes
    }

    private func motion(_ second: Int, _ track: Double?, _ speed: Double) -> String {
        "\"time\":\"2017-03-31T11:02:\(second).000Z\",\"lat\":55.0965,\"lon\":38.9448"
            + (track.map { ",\"track\":\($0)" } ?? "") + ",\"speed\":\(speed)"
    }

    @Test func `a VTG before the RMC of its epoch leaves the epoch before alone`() throws {
        let fixes = try fixes([
            motion(43, 260.6, 53.142), motion(43, 260.6, 53.142), motion(43, 260.1, 52.731),
            motion(44, 260.1, 52.731), motion(44, 260.0, 51.496), motion(45, 260.0, 51.496),
        ])
        #expect(fixes.map(\.speed) == [53.142, 52.731, 51.496])
        #expect(fixes.map(\.course) == [260.6, 260.1, 260.0])
    }

    @Test func `a speed that gpsd made of two places gives way to the one measured`() throws {
        // GGA, GLL and RMC: the first two have no speed.
        let fixes = try fixes([
            motion(25, 180.2075, 0.185), motion(25, 0.0, 0.051), motion(26, nil, 0.185),
            motion(26, 180.2075, 0.185), motion(26, 0.0, 0.0),
        ])
        #expect(fixes.map(\.speed) == [0.051, 0.0])
        #expect(fixes.map(\.course) == [0.0, 0.0])
    }

    @Test func `a height that leaves the one above the ellipsoid alone is a barometer's`() throws {
        let place = "\"time\":\"2002-10-26T23:01:51.000Z\",\"lat\":33.8101,\"lon\":-118.3521"
        // GGA, then PGRMZ.
        let fixes = try fixes([
            place + ",\"altHAE\":16.8,\"altMSL\":49.2,\"geoidSep\":-32.4",
            place + ",\"altHAE\":16.8,\"altMSL\":49.0728,\"geoidSep\":-32.4",
        ])
        #expect(fixes.map(\.altitudeMSL) == [49.2])
    }
}
