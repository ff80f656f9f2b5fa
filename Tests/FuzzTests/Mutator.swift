import Foundation

/// Damaged inputs, the same ones each time: seeds of the fuzzers, changed by chance.
struct Mutator {
    private let seeds: [[UInt8]]
    private var state: UInt64

    /// What parsers stumble over.
    private static let words: [[UInt8]] =
        [
            "\"", "\\", "{", "}", "[", "]", "<", ">", "</", "<!--", "<![CDATA[", "&a;", ",", ";",
            "\n", "\r",
            "\0", "-", "+", ".", "e", "0", "9", "1e308", "1e999", "-0", "NaN", "180", "-180.1",
            "null",
            "9223372036854775807", "99999999999999999999", "\u{FEFF}", "\\u0000", "\\ud800", "lat",
            "lon",
            "time", "\"jsonrpc\":\"2.0\"", "coordinates", "coordTimes", "2026-02-30T25:61:61Z",
        ].map { Array($0.utf8) } + [[0xFF], [0xFE, 0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]]

    /// - Parameter name: the fuzzer in `Benchmarks/Fuzz` whose seeds are taken.
    init(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Benchmarks/Fuzz/Seeds/\(name)").standardizedFileURL
        seeds = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
            Array(try Data(contentsOf: folder.appending(path: $0)))
        }
        state = UInt64(name.utf8.reduce(7) { $0 &* 31 &+ Int($1) })
    }

    /// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    private mutating func chance(_ below: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(max(1, below)))
    }

    /// The next input.
    mutating func next() -> [UInt8] {
        var bytes = seeds[chance(seeds.count)]
        for _ in 0...chance(6) {
            let place = chance(bytes.count + 1)
            let end = min(bytes.count, place + 1 + chance(chance(2) == 0 ? 4 : 64))
            switch chance(7) {
            case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(chance(8))
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: chance(bytes.count + 1))
            case 3: bytes.removeSubrange(place...)
            case 4:
                let other = seeds[chance(seeds.count)]
                let from = chance(other.count + 1)
                bytes.insert(
                    contentsOf: other[from..<min(other.count, from + chance(200))], at: place)
            case 5:
                let piece = Array(bytes[place..<end])
                for _ in 0..<chance(40) { bytes.insert(contentsOf: piece, at: place) }
            default: bytes.insert(contentsOf: Mutator.words[chance(Mutator.words.count)], at: place)
            }
            if bytes.count > 8192 { bytes.removeSubrange(8192...) }
        }
        return bytes
    }
}
