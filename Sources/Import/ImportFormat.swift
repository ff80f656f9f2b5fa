/// The file formats that tracks are imported from, beside the logs that a replay takes.
public enum ImportFormat: String, CaseIterable, Sendable {
    /// GPX 1.0 and 1.1: track points; routes and waypoints are no places somebody has been.
    case gpx
    /// KML 2.2 and 2.3: `Track`, lines, and points with a time.
    case kml
    /// GeoJSON (RFC 7946), whole, as a sequence (RFC 8142) or in an Overland batch.
    case geojson
    /// Comma-separated values with a header that names `lat` and `lon`.
    case csv
    /// Google Takeout: `Records.json`, semantic history and the Timeline of Android and iOS.
    case takeout
    /// OwnTracks Recorder's `.rec`, or its JSON one object a line.
    case owntracks
    /// JSON Lines with `lat` and `lon`, as `tracklog export` and `tracklog decode` give.
    case jsonl
}

extension ImportFormat {
    /// How much of a file is looked at.
    public static let headSize = 64 * 1024

    /// Recognises a file by its content; `nil` when it is none of these.
    public static func guess(_ head: some Collection<UInt8>) -> ImportFormat? {
        // UTF-16 is ASCII with NULs between.
        var text = head.prefix(headSize).filter { $0 != 0 }[...]
        for mark: [UInt8] in [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
        where text.starts(with: mark) {
            text = text.dropFirst(mark.count)
        }
        text = text.drop { $0 <= 32 || $0 == 0x1E }
        switch text.first {
        case UInt8(ascii: "<"): return xml(text)
        case UInt8(ascii: "{"), UInt8(ascii: "["): return json(text)
        case nil: return nil
        default: break
        }
        let line = text.prefix { $0 != 10 && $0 != 13 }
        if OwnTracksLine.json(in: line) != nil { return .owntracks }
        return CSVHeader.find(in: text) == nil ? nil : .csv
    }

    private static func xml(_ text: ArraySlice<UInt8>) -> ImportFormat? {
        if let root = rootName(of: text), let format = ImportFormat(rawValue: root),
            format == .gpx || format == .kml
        {
            return format
        }
        if text.holds("<gpx") { return .gpx }
        return text.holds("<kml") || text.holds(":kml") ? .kml : nil
    }

    /// The name of the first element, without its prefix.
    private static func rootName(of text: ArraySlice<UInt8>) -> String? {
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            guard let first = rest.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?")
            else {
                let end: StaticString = rest.starts(with: "!--".utf8) ? "-->" : ">"
                guard let end = rest.range(of: end) else { return nil }
                rest = rest[end.upperBound...]
                continue
            }
            let name = rest.prefix { $0 > 32 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
            let local = name.split(separator: UInt8(ascii: ":")).last ?? name
            return String(decoding: local.prefix(16), as: UTF8.self).lowercased()
        }
        return nil
    }

    private static func json(_ text: ArraySlice<UInt8>) -> ImportFormat? {
        // Reports of gpsd are a log, and replayed.
        if text.holds("\"class\"") { return nil }
        let takeout: [StaticString] = [
            "latitudeE7", "latE7", "timestampMs", "semanticSegments", "timelineObjects",
            "timelinePath", "rawSignals", "topCandidate",
        ]
        if takeout.contains(where: { text.holds($0) }) { return .takeout }
        if text.holds("\"_type\"") { return .owntracks }
        if text.holds("\"Feature") || text.holds("\"coordinates\"") { return .geojson }
        return text.holds("\"lat\"") || text.holds("\"latitude\"") ? .jsonl : nil
    }
}

extension ArraySlice<UInt8> {
    /// Whether a word is in it somewhere.
    fileprivate func holds(_ word: StaticString) -> Bool { range(of: word) != nil }

    /// Where a word is.
    fileprivate func range(of word: StaticString) -> Range<Int>? {
        word.withUTF8Buffer { word in
            guard let first = unsafe word.first else { return startIndex..<startIndex }
            var rest = self
            while let place = rest.firstIndex(of: first) {
                rest = rest[place...]
                if unsafe rest.starts(with: word) { return place..<(place + word.count) }
                rest = rest.dropFirst()
            }
            return nil
        }
    }
}
