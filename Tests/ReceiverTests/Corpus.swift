import Foundation
import GNSS
import Testing

@testable import Receiver

/// The shared corpus of recorded logs: `TRACKLOG_CORPUS`, or `../shared/corpus` beside the package.
enum Corpus {
    static let root: URL = {
        if let folder = ProcessInfo.processInfo.environment["TRACKLOG_CORPUS"] {
            return URL(fileURLWithPath: folder)
        }
        return URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("../shared/corpus").standardizedFileURL
    }()

    /// The files of a folder with that ending; a machine without the corpus skips, CI fails.
    static func files(_ folder: String, ending: String) throws -> [URL]? {
        let directory = root.appendingPathComponent(folder)
        guard FileManager.default.fileExists(atPath: directory.path) else {
            if ProcessInfo.processInfo.environment["CI"] == "true" {
                Issue.record("no corpus at \(root.path)")
            }
            print("skipped: no corpus")
            return nil
        }
        let files = try FileManager.default.contentsOfDirectory(
            at: directory, includingPropertiesForKeys: nil)
        return files.filter { $0.lastPathComponent.hasSuffix(ending) }
            .sorted { $0.path < $1.path }
    }
}

/// One line of an `.expect.jsonl`, by the rules of the corpus (`compare_fixes.py`).
struct ExpectedFix {
    let members: [String: Any]

    static func read(_ file: URL) throws -> [ExpectedFix] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            let object = try JSONSerialization.jsonObject(with: Data($0.utf8))
            return ExpectedFix(members: try #require(object as? [String: Any]))
        }
    }

    var time: UTCTime? { (members["time"] as? String).flatMap { UTCTime($0) } }
    var isOptional: Bool { members["optional"] as? Bool ?? false }
    var device: String? { members["device"] as? String }

    func number(_ name: String) -> Double? { (members[name] as? NSNumber)?.doubleValue }

    /// What differs beyond the tolerances of `compare_fixes.py`.
    func differences(from fix: Fix) -> [String] {
        var found: [String] = []
        let tolerances = members["tol"] as? [String: Double] ?? [:]
        func check(_ name: String, _ actual: Double?, _ tolerance: Double, around: Bool = false) {
            guard let expected = number(name) else { return }
            guard let actual else {
                let isSlow = (number("speed") ?? 0) < 0.5
                if name != "track" || !isSlow { found.append("\(name) absent") }
                return
            }
            var difference = abs(expected - actual)
            if around { difference = min(difference, 360 - difference) }
            if difference > (tolerances[name] ?? tolerance) + 1e-6 {
                found.append("\(name) \(expected) \(actual)")
            }
        }
        check("lat", fix.latitude, 1e-6)
        check("lon", fix.longitude, 1e-6, around: true)
        check("alt_msl", fix.altitudeMSL, 0.1)
        check("speed", fix.speed, 0.05)
        check("track", fix.course, 0.1, around: true)
        if members["mode_soft"] as? Bool != true, let mode = number("mode"),
            Int(mode) != Int(fix.mode.rawValue)
        {
            found.append("mode \(mode) \(fix.mode)")
        }
        return found
    }
}

/// Matches fixes with the expected ones, in order within one time.
func compare(_ fixes: [Fix], with expected: [ExpectedFix]) -> [String] {
    var problems: [String] = []
    var taken = Set<Int>()
    for fix in fixes {
        let place = expected.indices.first { index in
            guard !taken.contains(index) else { return false }
            guard let time = expected[index].time, let actual = fix.time else {
                return (expected[index].time == nil) == (fix.time == nil)
                    && expected[index].differences(from: fix).isEmpty
            }
            return abs(time - actual) <= 2
        }
        guard let place else {
            problems.append("extra \(fix.time.map { "\($0)" } ?? "undated")")
            continue
        }
        taken.insert(place)
        if !expected[place].isOptional {
            problems += expected[place].differences(from: fix)
                .map { "\(expected[place].time.map { "\($0)" } ?? "undated") \($0)" }
        }
    }
    for index in expected.indices where !taken.contains(index) && !expected[index].isOptional {
        problems.append("missing \(expected[index].time.map { "\($0)" } ?? "undated")")
    }
    return problems
}

/// Everything a source gives.
func drain(_ source: ReplaySource) throws -> [Epoch] {
    var epochs: [Epoch] = []
    var epoch = Epoch.noFix(nil)
    while try source.next(into: &epoch) { epochs.append(epoch) }
    return epochs
}

func fixes(_ epochs: [Epoch]) -> [Fix] {
    epochs.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
}

/// A folder of its own that is gone afterwards.
func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("tracklog-receiver-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
}
