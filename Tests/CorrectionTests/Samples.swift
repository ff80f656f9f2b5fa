import Foundation
import GNSS
import Testing

/// A CSV file of the coordinate fixtures, as rows of cells by column name.
func coordinateRows(_ name: String) throws -> [[String: String]] {
    let lines = try coordinateLines(name)
        .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let header = try #require(lines.first)
    try #require(lines.count > 20)
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(header, $0)) }
}

/// The lines of a CSV file of the coordinate fixtures, its header first.
func coordinateLines(_ name: String) throws -> [Substring] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "GeodesyTests/Fixtures/\(name).csv")
    return try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
}

extension [String: String] {
    func number(_ name: String) throws -> Double {
        try #require(self[name].flatMap { Double($0) }, "column \(name)")
    }
}

extension Fix {
    static func at(
        _ latitude: Double, _ longitude: Double, time: Int64? = 1_700_000_000_000
    ) -> Fix {
        Fix(
            time: time.map { UTCTime(milliseconds: $0) }, latitude: latitude,
            longitude: longitude, mode: .threeD)
    }
}

/// Steele, Lea and Flood's SplitMix64: the same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
