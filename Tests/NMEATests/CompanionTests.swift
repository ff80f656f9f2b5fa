import Foundation
import GNSS
import NMEA
import Testing

/// Two receivers on one line, each measuring once a second.
@Suite struct CompanionTests {
    private static func body(
        _ talker: String, _ time: Double, north: Double, east: Double
    ) -> String {
        // 1852 m in a minute; at 51° north a minute of longitude is 0.63 of that.
        let latitude = String(format: "51%08.5f", north / 1852)
        let longitude = String(format: "00010.%05.0f", east / 1852 / 0.629 * 100_000)
        let hour = 10 + Int(time) / 3600
        let clock = String(
            format: "%02d%02d%05.2f", hour % 24, Int(time) / 60 % 60,
            time.truncatingRemainder(dividingBy: 60))
        return "\(talker)GGA,\(clock),\(latitude),N,\(longitude),E,1,08,0.9,50.0,M,47.0,M,,"
    }

    /// Two antennas `apart` metres from each other on a car at 11 m/s.
    private static func log(
        _ talkers: [String], apart: Double, later: Double, from begin: Double = 0
    ) -> String {
        var log = ""
        for second in 0..<60 {
            for (index, talker) in talkers.enumerated() {
                let time = Double(second) + later * Double(index)
                let east = 50 + apart * Double(index)
                log += sentence(body(talker, begin + time, north: 11 * time, east: east))
            }
        }
        return log
    }

    @Test(arguments: [5.0, 30, 500], [0.2, 0.5])
    func `a second receiver is known by its talker and its place`(apart: Double, later: Double) {
        let fixes = Outcome(Self.log(["GP", "GN"], apart: apart, later: later)).fixes
        #expect(fixes.count == 120)
        for (index, fix) in fixes.enumerated() {
            // The first two of the second are not enough to tell.
            #expect(fix.device == (index % 2 == 1 && index > 3 ? 1 : 0))
        }
    }

    /// The first measures last before it, the second first behind it; and the other way round.
    @Test(arguments: [30, 30.25])
    func `midnight changes nothing`(ahead: Double) {
        let begin = 14 * 3600 - ahead
        let fixes = Outcome(Self.log(["GP", "GN"], apart: 30, later: 0.5, from: begin)).fixes
        #expect(fixes.count == 120)
        for (index, fix) in fixes.enumerated() {
            #expect(fix.device == (index % 2 == 1 && index > 3 ? 1 : 0))
        }
    }

    @Test func `a receiver that changes its talker with each fix is one`() {
        var log = ""
        for second in 0..<60 {
            let (time, wander) = (Double(second), Double(second * 7 % 5) / 2)
            let talker = second % 2 == 0 ? "GP" : "GN"
            log += sentence(Self.body(talker, time, north: 11 * time, east: 50 + wander))
        }
        #expect(Outcome(log).fixes.allSatisfy { $0.device == 0 })
    }

    @Test func `two talkers of one time are one receiver`() {
        var log = ""
        for second in 0..<20 {
            for talker in ["GP", "GN"] {
                let time = Double(second)
                log += sentence(Self.body(talker, time, north: 11 * time, east: 50))
            }
        }
        #expect(Outcome(log).fixes.count == 20)
        #expect(Outcome(log).fixes.allSatisfy { $0.device == 0 && $0.notes == [] })
    }

    @Test func `the second receiver goes on when the first falls silent`() {
        var log = Self.log(["GP", "GN"], apart: 30, later: 0.5)
        for second in 60..<90 {
            let time = Double(second) + 0.5
            log += sentence(Self.body("GN", time, north: 11 * time, east: 80))
        }
        let fixes = Outcome(log).fixes
        // Within ten seconds of the first one's last.
        #expect(fixes.suffix(20).allSatisfy { $0.device == 0 })
        #expect(fixes.filter { $0.device == 1 }.count == 58 + 9)
    }
}
