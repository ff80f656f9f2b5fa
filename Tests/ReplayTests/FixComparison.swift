import Foundation
import GNSS

/// An epoch as the corpus expects it (`nmea/README.md`, "Form of an expected record").
struct ExpectedFix: Decodable {
    var time: String?
    var tod: String?
    var lat: Double
    var lon: Double
    var alt_msl: Double?
    var speed: Double?
    var track: Double?
    var mode: Int
    var mode_soft: Bool?
    var time_optional: Bool?
    var optional: Bool?
    var tol: [String: Double]?
    var flag: [String]?

    /// Milliseconds since 1970.
    var milliseconds: Int64? { time.flatMap { UTCTime($0)?.milliseconds } }

    /// Milliseconds since midnight.
    var timeOfDay: Int64? {
        if let milliseconds { return milliseconds % FixComparison.day }
        return tod.flatMap { UTCTime("1970-01-01T\($0)")?.milliseconds }
    }

    static func read(_ data: Data) throws -> [ExpectedFix] {
        try data.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(ExpectedFix.self, from: Data($0))
        }
    }
}

/// The corpus's rules for comparing decoded fixes with expected ones (`compare_fixes.py`).
struct FixComparison {
    static let day: Int64 = 86_400_000
    private static let rollover: Int64 = 1024 * 7 * day
    /// Milliseconds two times may differ and be one.
    private static let timeTolerance: Int64 = 2
    private static let slack = 1e-9
    /// How far ahead a record without time is looked for.
    private static let window = 60

    var allowsRollover = false
    var merges = true

    /// Fixes paired with what was expected at the same index, by index.
    private(set) var pairs: [(fix: Fix, expected: Int?)] = []
    private(set) var matched = 0
    private(set) var extra: [String] = []
    private(set) var missing: [String] = []
    private(set) var wrong: [String] = []
    private(set) var incomplete: [String] = []

    /// Everything that is not as it should be.
    var complaints: [String] { extra + missing + wrong + incomplete }

    init(
        _ fixes: [Fix], _ expected: [ExpectedFix], allowsRollover: Bool = false,
        merges: Bool = true
    ) {
        self.allowsRollover = allowsRollover
        self.merges = merges
        let fixes = merges ? FixComparison.merged(fixes) : fixes
        match(fixes, expected)
        var taken = Set<Int>()
        for pair in pairs {
            guard let index = pair.expected else {
                extra.append("extra \(pair.fix.summary)")
                continue
            }
            taken.insert(index)
            if expected[index].optional != true { check(pair.fix, expected[index]) }
        }
        for (index, record) in expected.enumerated()
        where record.optional != true && !taken.contains(index) {
            missing.append("missing \(record.time ?? record.tod ?? "?")")
        }
    }

    /// Consecutive reports of one instant as one; later values win.
    private static func merged(_ fixes: [Fix]) -> [Fix] {
        var merged: [Fix] = []
        for fix in fixes {
            guard var last = merged.last else {
                merged.append(fix)
                continue
            }
            let same =
                if let a = last.time, let b = fix.time {
                    abs(a - b) <= timeTolerance
                } else {
                    last.time == nil && fix.time == nil && fix.timeOfDay != nil
                        && last.timeOfDay == fix.timeOfDay
                }
            guard same else {
                merged.append(fix)
                continue
            }
            last.latitude = fix.latitude
            last.longitude = fix.longitude
            last.mode = fix.mode
            last.altitudeMSL = fix.altitudeMSL ?? last.altitudeMSL
            last.speed = fix.speed ?? last.speed
            last.course = fix.course ?? last.course
            merged[merged.count - 1] = last
        }
        return merged
    }

    private mutating func match(_ fixes: [Fix], _ expected: [ExpectedFix]) {
        var byTime: [Int64: [Int]] = [:]
        var byTimeOfDay: [Int64: [Int]] = [:]
        let tolerance = -FixComparison.timeTolerance...FixComparison.timeTolerance
        let times = expected.map(\.milliseconds)
        let timesOfDay = expected.map(\.timeOfDay)
        for index in expected.indices {
            if let time = times[index] {
                for shift in tolerance { byTime[time + shift, default: []].append(index) }
            } else if let time = timesOfDay[index] {
                for shift in tolerance {
                    byTimeOfDay[
                        (time + shift + FixComparison.day) % FixComparison.day, default: []
                    ].append(index)
                }
            }
        }
        var taken = [Bool](repeating: false, count: expected.count)
        var cursor = 0
        func nearest(_ candidates: [Int]?, _ fix: Fix) -> Int? {
            candidates?.filter { !taken[$0] }.min { a, b in
                let first = FixComparison.distance(fix, expected[a])
                let second = FixComparison.distance(fix, expected[b])
                return first == second ? a < b : first < second
            }
        }
        for fix in fixes {
            var found: Int?
            let ahead = cursor..<min(expected.count, cursor + FixComparison.window)
            if let time = fix.time?.milliseconds {
                found = nearest(byTime[time], fix)
                if found == nil, allowsRollover {
                    for eras: Int64 in [-1, 1, -2, 2] where found == nil {
                        found = nearest(byTime[time + eras * FixComparison.rollover], fix)
                    }
                }
                if found == nil {
                    let timeOfDay =
                        (time % FixComparison.day + FixComparison.day) % FixComparison.day
                    found = nearest(byTimeOfDay[timeOfDay], fix)
                }
            } else {
                if let time = fix.timeOfDay.map(Int64.init) {
                    found =
                        nearest(byTimeOfDay[time], fix)
                        ?? nearest(
                            ahead.filter {
                                expected[$0].time_optional == true && timesOfDay[$0] == time
                            }, fix)
                }
                found =
                    found
                    ?? ahead.first {
                        !taken[$0]
                            && (times[$0] == nil || expected[$0].time_optional == true)
                            && FixComparison.isNear(fix, expected[$0])
                    }
            }
            if let found {
                taken[found] = true
                cursor = max(cursor, found)
            }
            pairs.append((fix, found))
        }
    }

    private static func distance(_ fix: Fix, _ expected: ExpectedFix) -> Double {
        let sum =
            abs(fix.latitude - expected.lat) + difference(fix.longitude, expected.lon)
        return (sum * 1e9).rounded()
    }

    private static func isNear(_ fix: Fix, _ expected: ExpectedFix) -> Bool {
        abs(fix.latitude - expected.lat) <= (expected.tol?["lat"] ?? 1e-6) + slack
            && difference(fix.longitude, expected.lon) <= (expected.tol?["lon"] ?? 1e-6) + slack
    }

    /// The smaller angle between two, degrees.
    private static func difference(_ a: Double, _ b: Double) -> Double {
        let turn = (a - b).truncatingRemainder(dividingBy: 360)
        return min(abs(turn), 360 - abs(turn))
    }

    private mutating func check(_ fix: Fix, _ expected: ExpectedFix) {
        var bad: [String] = []
        var absent: [String] = []
        if abs(fix.latitude - expected.lat)
            > (expected.tol?["lat"] ?? 1e-6) + FixComparison.slack
        {
            bad.append("lat")
        }
        if FixComparison.difference(fix.longitude, expected.lon)
            > (expected.tol?["lon"] ?? 1e-6) + FixComparison.slack
        {
            bad.append("lon")
        }
        func compare(
            _ key: String, _ value: Double?, _ want: Double?, _ tolerance: Double,
            _ difference: (Double, Double) -> Double = { abs($0 - $1) }
        ) {
            guard let want else { return }
            guard let value else {
                if key == "track", (expected.speed ?? 0) < 0.5 { return }
                absent.append(key)
                return
            }
            let allowed = expected.tol?[key] ?? tolerance
            if difference(value, want) > allowed + FixComparison.slack * 1000 { bad.append(key) }
        }
        compare("alt_msl", fix.altitudeMSL, expected.alt_msl, 0.1)
        compare("speed", fix.speed, expected.speed, 0.05)
        compare("track", fix.course, expected.track, 0.1, FixComparison.difference)
        if expected.mode_soft != true, Int(fix.mode.rawValue) != expected.mode {
            bad.append("mode")
        }
        if !bad.isEmpty {
            wrong.append("wrong \(bad) \(fix.summary), expected \(expected)")
        } else {
            matched += 1
            if !absent.isEmpty { incomplete.append("absent \(absent) \(fix.summary)") }
        }
    }
}

extension Fix {
    /// For a failing test's message.
    var summary: String {
        var text = TextBuffer()
        text.appendMembers(of: self)
        text.appendMember(flags: notes)
        return text.string
    }
}
