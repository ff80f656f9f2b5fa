import Foundation
import GNSS
import Quality
import Scheduling

/// A gate with a program clock that runs with the fixes.
struct Feed {
    var gate: QualityGate
    var at = BootTime(milliseconds: 1_000_000)
    private var latest: UTCTime?

    init(_ settings: QualityGate.Settings = .init()) {
        gate = QualityGate(settings)
    }

    /// Judges a fix that comes as much later as it says, two years at most, or a second after the last.
    mutating func judge(_ fix: Fix) -> FixFlags {
        var fix = fix
        return judge(&fix)
    }

    mutating func judge(_ fix: inout Fix) -> FixFlags {
        let step = fix.time.flatMap { time in latest.map { time - $0 } } ?? 1000
        at = at + .milliseconds(step > 0 && step < 2 * 366 * 86_400_000 ? step : 1000)
        let flags = gate.judge(&fix, at: at)
        if flags.isKept, let time = fix.time { latest = max(latest ?? time, time) }
        return flags
    }
}

extension UTCTime {
    static let start = UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000)

    func after(_ seconds: Double) -> UTCTime {
        UTCTime(milliseconds: milliseconds + Int64((seconds * 1000).rounded()))
    }
}

extension Fix {
    /// A fix some seconds after 2026-05-01T10:00:00Z with good quality.
    static func sample(
        _ seconds: Double, _ latitude: Double = 51, _ longitude: Double = 0.5,
        speed: Double? = nil, hdop: Double? = 0.9
    ) -> Fix {
        var fix = Fix(
            time: .start.after(seconds), latitude: latitude, longitude: longitude, mode: .threeD)
        fix.speed = speed
        fix.dop.hdop = hdop
        return fix
    }

    /// The honest drive of `faults/gpsdsim.py`: a circle of 0.01°, 11.1 m/s, an epoch a second.
    static func drive(_ second: Int) -> Fix {
        let angle = Double(second) * 0.01
        var fix = Fix.sample(
            Double(second), 51 + 0.01 * sin(angle), 0.5 + 0.01 * cos(angle), speed: 11.1)
        fix.errors.eph = 4.6
        fix.altitudeMSL = 50.1
        return fix
    }
}
