import Configuration
import Export
import Storage

/// Where the tiles of a map come from (`--tiles`).
struct TileSource {
    /// Where they are fetched from by who looks at the picture; `nil` when they are in it.
    let origin: String?
    let credit: String
    let zooms: ClosedRange<Int>
    private let template: String
    private let archive: TileArchive?

    init(_ text: String) throws {
        template = text
        guard text.contains("://") else {
            let archive = try TileArchive(path: text)
            guard let zooms = try archive.zooms() else {
                throw Failure("\(text): holds no tiles", .dataError)
            }
            let kind = try archive.metadata("format") ?? "png"
            guard kind != "pbf" else {
                throw Failure("\(text): holds vector tiles; pictures are needed", .dataError)
            }
            let plain = try archive.metadata("attribution").map(TileSource.withoutMarkup)
            self.archive = archive
            self.zooms = zooms
            credit = plain ?? "map: \(text.split(separator: "/").last.map(String.init) ?? text)"
            origin = nil
            return
        }
        let rest = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard ["https:", "http:"].contains(rest[0].lowercased()), rest.count == 4, !rest[2].isEmpty,
            ["{z}", "{x}", "{y}"].allSatisfy({ text.contains($0) }),
            rest[2].utf8.allSatisfy({
                ($0 >= 48 && $0 <= 58) || ($0 | 32 >= 97 && $0 | 32 <= 122)
                    || [45, 46, 91, 93].contains($0)
            })
        else {
            throw UsageError(
                "bad value '\(text)' for --tiles: expected a .mbtiles file or an address as "
                    + "https://tile.example/{z}/{x}/{y}.png")
        }
        origin = "\(rest[0].lowercased())//\(rest[2])"
        // Its licence asks for the name; of others only the address is known.
        credit =
            rest[2].hasSuffix("openstreetmap.org")
            ? "© OpenStreetMap contributors" : "map: \(rest[2])"
        zooms = 0...19
        archive = nil
    }

    /// The address of a tile, or the tile itself; `nil` when there is none.
    func address(of tile: MapTile) throws -> String? {
        guard let archive else {
            return template.replacing("{z}", with: "\(tile.zoom)")
                .replacing("{x}", with: "\(tile.wrappedColumn)")
                .replacing("{y}", with: "\(tile.row)")
        }
        guard
            let bytes = try archive.tile(
                zoom: tile.zoom, column: tile.wrappedColumn, row: tile.row)
        else { return nil }
        let kind =
            bytes.starts(with: [0xFF, 0xD8])
            ? "jpeg" : bytes.starts(with: Array("RIFF".utf8)) ? "webp" : "png"
        return "data:image/\(kind);base64,\(TileSource.base64(bytes))"
    }

    private static func withoutMarkup(_ text: String) -> String {
        var plain = ""
        var isTag = false
        for character in text {
            if character == "<" { isTag = true }
            if !isTag { plain.append(character) }
            if character == ">" { isTag = false }
        }
        return plain.replacing("&copy;", with: "©").replacing("&amp;", with: "&")
    }

    /// RFC 4648, section 4.
    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            var word = 0
            for index in 0..<3 {
                word = word << 8 | (index < part.count ? Int(part[start + index]) : 0)
            }
            for index in 0..<4 {
                let letter = letters[word >> (18 - 6 * index) & 63]
                text.append(index <= part.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
