import Foundation
import GNSS
import Scheduling
import Testing
import Tracking

/// The shared corpus, where it is.
enum Corpus {
    /// The text of one file; `nil`, said or recorded as a failure, without a corpus.
    static func text(_ path: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        let root = environment["TRACKLOG_CORPUS"] ?? "../shared/corpus"
        if let text = try? String(contentsOfFile: root + "/" + path, encoding: .utf8) {
            return text
        }
        if environment["CI"] == "true" { Issue.record("no corpus") }
        print("skipped: no corpus")
        return nil
    }

    /// The points of a recorded track (`tracks/*.csv`).
    static func track(_ name: String) throws -> [Fix]? {
        try text("tracks/\(name).csv")?.split(separator: "\n").dropFirst().map {
            let cells = $0.split(separator: ",", omittingEmptySubsequences: false)
            let seconds = try #require(Double(cells[0]))
            var fix = Fix(
                time: UTCTime(milliseconds: Int64((seconds * 1000).rounded())),
                latitude: try #require(Double(cells[1])),
                longitude: try #require(Double(cells[2])), mode: .threeD)
            fix.altitudeMSL = Double(cells[3])
            fix.speed = Double(cells[4])
            return fix
        }
    }
}

extension UTCTime {
    /// 2026-05-01T10:00:00Z.
    static let start = UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000)

    func after(_ seconds: Double) -> UTCTime {
        UTCTime(milliseconds: milliseconds + Int64((seconds * 1000).rounded()))
    }
}

extension Fix {
    static func sample(
        _ seconds: Double, _ latitude: Double = 51, _ longitude: Double = 0.5,
        speed: Double? = nil, altitude: Double? = nil
    ) -> Fix {
        var fix = Fix(
            time: .start.after(seconds), latitude: latitude, longitude: longitude, mode: .threeD)
        fix.speed = speed
        fix.altitudeMSL = altitude
        return fix
    }
}

/// A tracker and its statistics, on a clock that runs with the fixes.
struct Recorder {
    var tracker: Tracker
    var statistics = TrackStatistics()
    var gaps: [Gap] = []
    private var sequence: Int64 = 0

    init(_ tracker: Tracker = Tracker()) {
        self.tracker = tracker
    }

    /// Program time at that many seconds after the start.
    static func at(_ seconds: Double) -> BootTime {
        BootTime(milliseconds: 500_000 + Int64((seconds * 1000).rounded()))
    }

    @discardableResult
    mutating func follow(_ fix: Fix, flags: FixFlags = [], at: BootTime? = nil) -> TrackStep {
        sequence += 1
        let at = at ?? Self.at(Double((fix.time ?? .start) - .start) / 1000)
        let step = tracker.follow(fix, flags: flags, sequence: sequence, at: at)
        var record = RecordedFix(fix: fix, receivedAt: at.milliseconds, flags: flags)
        record.sequence = sequence
        record.segment = step.segment
        if let gap = step.gap {
            gaps.append(gap)
            statistics.add(gap)
        }
        statistics.add(record)
        return step
    }
}
