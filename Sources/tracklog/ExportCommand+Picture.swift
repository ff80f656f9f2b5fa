import Configuration
import Export
import GNSS
import Storage
import Tracking

extension ExportCommand {
    /// Draws the track as a picture or a page.
    ///
    /// - Returns: how many fixes were drawn.
    static func draw(
        _ kind: ExportKind, _ reader: TrackReader, _ query: FixQuery, _ editor: TrackEditor,
        _ info: ExportInfo, _ choice: CoordinateChoice, _ target: String?,
        _ arguments: ParsedArguments, _ output: Output
    ) throws -> Int64 {
        let zone = try Zone(arguments)
        let units = Units(arguments)
        let source = try arguments.value("tiles").map { try TileSource($0) }
        let gaps = try reader.gaps()
        var picture = TrackPicture(gaps: gaps)
        var statistics = TrackStatistics()
        // What a private zone hides goes into no sum either.
        var first = editor
        func measure(_ result: TrackEditor.Result) {
            guard case .fix(let record) = result else { return picture.breakLine() }
            picture.measure(record.shown)
            statistics.add(record)
        }
        try reader.forEach(query) { first.take(choice.place($0), .corrected, measure) }
        first.finish(measure)
        var second = editor
        func add(_ result: TrackEditor.Result) {
            guard case .fix(let record) = result else { return picture.breakLine() }
            picture.add(record.shown)
        }
        try reader.forEach(query) { second.take(choice.place($0), .corrected, add) }
        second.finish(add)
        picture.finish()

        let file = try target.map { try AsideFile(path: $0) }
        let destination = file?.output ?? output
        let words = words(zone, units)
        let tiles = picture.tiles(zooms: source?.zooms ?? 0...0)
        let drawn = source == nil ? [] : tiles
        var failure: (any Error)?
        func address(_ tile: MapTile) -> String? {
            do {
                return try source?.address(of: tile)
            } catch {
                failure = error
                return nil
            }
        }
        let sums = sums(statistics, units)
        if kind == .svg {
            let line = sums.prefix(4).map { "\($0.0) \($0.1)" }.joined(separator: "  ·  ")
            SVGPicture(picture, info, words).append(
                to: &destination.text, subtitle: line, credit: source?.credit, tiles: drawn,
                tile: address)
        } else {
            HTMLPage(picture, info, words).append(
                to: &destination.text, sums: sums, origin: source?.origin, credit: source?.credit,
                tiles: drawn, tile: address)
        }
        if let failure { throw failure }
        try destination.flush()
        try file?.finish()
        if second.hidden > 0 {
            Tool.complain("\(second.hidden) fixes in private zones left out")
        }
        return statistics.kept
    }

    /// Words and units for pictures.
    static func words(_ zone: Zone, _ units: Units) -> PictureWords {
        var words = PictureWords()
        words.speedUnit = units.speedUnit
        switch units {
        case .metric: words.speedFactor = 3.6
        case .imperial: words.speedFactor = 3600 / 1609.344
        case .nautical: words.speedFactor = 3600 / 1852.0
        }
        if units == .imperial {
            words.heightFactor = 1 / 0.3048
            words.heightUnit = "ft"
        }
        words.distance = { units.roundDistance($0) }
        words.moment = { zone.text(UTCTime(milliseconds: $0.milliseconds / 1000 * 1000)) }
        words.span = { span(milliseconds: $0) }
        words.offset = { zone.offset(at: $0) }
        return words
    }

    private static func sums(_ statistics: TrackStatistics, _ units: Units) -> [(String, String)] {
        var sums = [("Distance", units.distance(statistics.distance))]
        if statistics.movingTime > 0 {
            sums.append(("Moving", span(milliseconds: statistics.movingTime)))
            let mean = statistics.distance / (Double(statistics.movingTime) / 1000)
            sums.append(("Average", units.speed(mean)))
        }
        if let top = statistics.topSpeed { sums.append(("Top speed", units.speed(top))) }
        if let ascent = statistics.ascent, let descent = statistics.descent {
            sums.append(("Climb", "↑\(units.length(ascent)) ↓\(units.length(descent))"))
        }
        sums.append(("Fixes", "\(statistics.kept)"))
        return sums
    }
}

extension RecordedFix {
    /// The record with the position that is shown as its only one.
    fileprivate var shown: RecordedFix {
        ExportPoint(self, .corrected).record
    }
}

/// Where the tiles of a map come from (`--tiles`).
private struct TileSource {
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
