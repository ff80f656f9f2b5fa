/// What a log is written in.
public enum LogFormat: String, CaseIterable, Sendable {
    /// NMEA 0183 sentences.
    case nmea
    /// JSON as gpsd sends it, with or without `gpspipe`'s time stamps.
    case gpsd

    /// Its name for a person.
    var title: String { self == .nmea ? "NMEA 0183" : "gpsd JSON" }
    /// The one of the two that it is not.
    var other: LogFormat { self == .nmea ? .gpsd : .nmea }
}

/// What the beginning of a file says about it.
enum LogKind: Equatable {
    case log(LogFormat)
    case empty
    /// Something else, in words for a person.
    case other(String)
}

extension LogKind {
    /// How much of a file is looked at as a whole.
    static let headSize = 64 * 1024
    /// How far a sentence or report is looked for behind that, bytes.
    static let reach = 1024 * 1024
    /// How much of a block is looked at with the next: more than the beginning of a line that tells.
    static let overlap = 512

    /// Recognises a log by its content; names and extensions are not looked at.
    ///
    /// One sentence or report is enough, wherever it lies: a log may begin with binary or in mid-line.
    /// - Returns: `nil` when more of the log may tell, unless `isAll` says that there is no more to see.
    static func sniff(_ head: [UInt8], isAll: Bool) -> LogKind? {
        guard !head.isEmpty else { return isAll ? .empty : nil }
        if let name = signature(head) { return .other(name) }
        // UTF-16 is ASCII with NULs between; its byte order mark begins no sentence.
        let text = head.filter { $0 != 0 }
        guard !text.isEmpty else { return isAll ? .other("nothing but NUL bytes") : nil }
        let reports = reportClasses(text)
        // `gpspipe -r` has gpsd's greeting before the sentences, `-w -r` has both all along.
        if reports.measurements > 0 { return .log(.gpsd) }
        if hasSentence(text) { return .log(.nmea) }
        guard isAll else { return nil }
        if reports.others > 0 { return .log(.gpsd) }
        return .other(describe(text))
    }

    private static func signature(_ head: [UInt8]) -> String? {
        // The magic numbers of file(1); formats a person may take for a log.
        let signatures: [(place: Int, magic: StaticString, name: String)] = [
            (0, "SQLite format 3", "an SQLite database"),
            (0, "PK\u{3}\u{4}", "a zip archive (KMZ?)"),
            (8, ".FIT", "a Garmin FIT file"),
            (0, "%PDF", "a PDF document"),
            (0, "BZh", "a bzip2 file; unpack it first"),
            (0, "\u{7F}ELF", "a program"),
        ]
        for entry in signatures where starts(head, entry.magic, at: entry.place) {
            return entry.name
        }
        let binary: [(magic: [UInt8], name: String)] = [
            ([0x1F, 0x8B, 8], "gzip in gzip; unpack it once"),
            ([0x28, 0xB5, 0x2F, 0xFD], "a zstd file; unpack it first"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz file; unpack it first"),
        ]
        return binary.first { head.starts(with: $0.magic) }?.name
    }

    private static func describe(_ text: [UInt8]) -> String {
        let start = Array(text.prefix(4096))
        let words: [(word: StaticString, name: String)] = [
            ("<gpx", "a GPX file"), ("<kml", "a KML file"),
            ("<TrainingCenterDatabase", "a TCX file"), ("<html", "an HTML page"),
            ("\"FeatureCollection\"", "GeoJSON"),
        ]
        for entry in words where contains(start, entry.word) { return entry.name }
        if start.starts(with: [0xB5, 0x62]) || contains(text, bytes: [0xB5, 0x62, 0x01]) {
            return "binary u-blox (UBX) without NMEA; replay it through gpsd"
        }
        if start.starts(with: [0xA0, 0xA2]) {
            return "binary SiRF without NMEA; replay it through gpsd"
        }
        let odd = start.reduce(0) {
            $0 + ($1 < 9 || ($1 > 13 && $1 < 32) || $1 == 127 ? 1 : 0)
        }
        if odd * 10 > start.count { return "binary data" }
        let first = start.first { $0 > 32 }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return "other JSON" }
        if first == UInt8(ascii: "<") { return "XML" }
        return "plain text"
    }

    /// Whether a line begins as a sentence of a known kind, or any sentence has a right checksum.
    private static func hasSentence(_ text: [UInt8]) -> Bool {
        for place in 0..<text.count {
            let byte = text[place]
            guard byte == UInt8(ascii: "$") || byte == UInt8(ascii: "!") else { continue }
            let line = Array(text[(place + 1)...].prefix(256))
            if isSentence(line) { return true }
        }
        return false
    }

    private static func isSentence(_ line: [UInt8]) -> Bool {
        guard let comma = line.prefix(12).firstIndex(of: UInt8(ascii: ",")), comma >= 4
        else { return false }
        let address = line[..<comma]
        guard address.allSatisfy({ ($0 >= 65 && $0 <= 90) || ($0 >= 48 && $0 <= 57) })
        else { return false }
        if comma == 5 {
            let kinds: [StaticString] = [
                "RMC", "GGA", "GNS", "GLL", "VTG", "GSA", "GSV", "ZDA", "GST", "GBS", "VDM", "VDO",
            ]
            if kinds.contains(where: { starts(line, $0, at: 2) }) { return true }
        }
        var sum: UInt8 = 0
        for (place, byte) in line.enumerated() {
            if byte == UInt8(ascii: "*") {
                guard let high = hex(line, place + 1), let low = hex(line, place + 2)
                else { return false }
                return sum == high << 4 | low
            }
            if byte < 32 { return false }
            sum ^= byte
        }
        return false
    }

    private static func hex(_ line: [UInt8], _ place: Int) -> UInt8? {
        guard place < line.count else { return nil }
        switch line[place] {
        case let digit where digit >= 48 && digit <= 57: return digit - 48
        case let letter where letter >= 65 && letter <= 70: return letter - 55
        case let letter where letter >= 97 && letter <= 102: return letter - 87
        default: return nil
        }
    }

    /// Counts `"class":"…"`, the mark of every report of gpsd.
    private static func reportClasses(
        _ text: [UInt8]
    ) -> (measurements: Int, others: Int) {
        var found = (measurements: 0, others: 0)
        var place = 0
        while place + 12 < text.count {
            guard starts(text, "\"class\"", at: place) else {
                place += 1
                continue
            }
            place += 7
            while place < text.count, [32, UInt8(ascii: ":")].contains(text[place]) {
                place += 1
            }
            let measured: [StaticString] = ["\"TPV\"", "\"SKY\"", "\"GST\""]
            let others: [StaticString] = [
                "\"VERSION\"", "\"DEVICES\"", "\"DEVICE\"", "\"WATCH\"", "\"ERROR\"", "\"AIS\"",
                "\"ATT\"", "\"PPS\"", "\"TOFF\"", "\"SUBFRAME\"",
            ]
            if measured.contains(where: { starts(text, $0, at: place) }) {
                found.measurements += 1
            } else if others.contains(where: { starts(text, $0, at: place) }) {
                found.others += 1
            }
        }
        return found
    }

    private static func starts(
        _ text: [UInt8], _ word: StaticString, at place: Int
    ) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place + count <= text.count else { return false }
        return word.withUTF8Buffer { unsafe text[place...].starts(with: $0) }
    }

    private static func contains(_ text: [UInt8], _ word: StaticString) -> Bool {
        text.indices.contains { starts(text, word, at: $0) }
    }

    private static func contains(_ text: [UInt8], bytes: [UInt8]) -> Bool {
        text.indices.contains { place in
            text[place...].starts(with: bytes)
        }
    }
}
