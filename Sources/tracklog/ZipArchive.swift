import Configuration
import GNSS
import Glibc

/// A zip archive that somebody packed a track into, as KMZ is one.
///
/// Format: PKWARE, APPNOTE.TXT 6.3.3, sections 4.3 and 4.4.
struct ZipArchive {
    /// One file in it.
    struct Entry: Equatable {
        var name: String
        var flags: UInt16
        var method: UInt16
        var checksum: UInt32
        var packed: UInt32
        var size: UInt32
        var offset: UInt32
    }

    /// The files in it, in the order of its directory.
    let entries: [Entry]
    private let descriptor: Int32
    /// The name in messages.
    private let name: String

    /// How a zip archive begins that holds anything.
    static let signature: [UInt8] = [0x50, 0x4B, 3, 4]

    /// The file in it that is read: KML as Google has it, else the first track of any format.
    var track: Entry? {
        let endings = [
            ".kml", ".gpx", "records.json", ".geojson", ".json", ".jsonl", ".csv", ".rec", ".nmea",
        ]
        for ending in endings {
            if let entry = entries.first(where: { $0.name.lowercased().hasSuffix(ending) }) {
                return entry
            }
        }
        return nil
    }

    /// Reads the directory at the end of an open file.
    init(_ descriptor: Int32, name: String) throws(Failure) {
        self.descriptor = descriptor
        self.name = name
        let size = lseek(descriptor, 0, SEEK_END)
        // The end record: 22 bytes and a comment of 64 KiB at most.
        let tailSize = min(size, 22 + 65_535)
        let tail = try ZipArchive.read(descriptor, size - tailSize, tailSize, name)
        guard
            let end = tail.indices.dropLast(21).last(where: {
                tail[$0...].starts(with: [0x50, 0x4B, 5, 6])
            })
        else { throw Failure("\(name): half a zip archive", .dataError) }
        let count = tail.little16(end + 10)
        let directory = try ZipArchive.read(
            descriptor, Int(tail.little32(end + 16)), Int(tail.little32(end + 12)), name)
        var entries: [Entry] = []
        var place = 0
        while entries.count < count, place + 46 <= directory.count,
            directory[place...].starts(with: [0x50, 0x4B, 1, 2])
        {
            let length = Int(directory.little16(place + 28))
            let next =
                place + 46 + length + Int(directory.little16(place + 30))
                + Int(directory.little16(place + 32))
            guard next <= directory.count else { break }
            entries.append(
                Entry(
                    name: String(
                        decoding: directory[(place + 46)..<(place + 46 + length)], as: UTF8.self),
                    flags: directory.little16(place + 8), method: directory.little16(place + 10),
                    checksum: directory.little32(place + 16),
                    packed: directory.little32(place + 20), size: directory.little32(place + 24),
                    offset: directory.little32(place + 42)))
            place = next
        }
        self.entries = entries
    }

    /// Writes a file of it as one that readers unpack and check: deflated data is what gzip holds too.
    ///
    /// RFC 1952, section 2.3.
    func copy(_ entry: Entry, to output: Output) throws {
        guard entry.flags & 1 == 0 else {
            throw Failure("\(name): \(entry.name) is encrypted", .dataError)
        }
        guard entry.packed != .max, entry.offset != .max else {
            throw Failure("\(name): \(entry.name) is too large for this; unpack it", .dataError)
        }
        guard entry.method == 0 || entry.method == 8 else {
            throw Failure("\(name): \(entry.name) is packed in an unknown way", .dataError)
        }
        let header = try ZipArchive.read(descriptor, Int(entry.offset), 30, name)
        guard header.starts(with: ZipArchive.signature) else {
            throw Failure("\(name): a damaged zip archive", .dataError)
        }
        var place =
            Int(entry.offset) + 30 + Int(header.little16(26)) + Int(header.little16(28))
        if entry.method == 8 { output.text.bytes += [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255] }
        var rest = Int(entry.packed)
        while rest > 0 {
            let piece = try ZipArchive.read(descriptor, place, min(rest, 1 << 16), name)
            output.text.bytes += piece
            try output.flush()
            place += piece.count
            rest -= piece.count
        }
        if entry.method == 8 {
            for word in [entry.checksum, entry.size] {
                output.text.bytes += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
            }
        }
        try output.flush()
    }

    private static func read(
        _ descriptor: Int32, _ offset: Int, _ count: Int, _ name: String
    ) throws(Failure) -> [UInt8] {
        // No directory of anything here is larger; a damaged one may say so.
        guard count <= 1 << 24 else { throw Failure("\(name): a damaged zip archive", .dataError) }
        var bytes = [UInt8](repeating: 0, count: count)
        let found = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, count, offset)
        }
        guard found == count else { throw Failure("\(name): a damaged zip archive", .dataError) }
        return bytes
    }
}

extension [UInt8] {
    fileprivate func little16(_ place: Int) -> UInt16 {
        UInt16(self[place]) | UInt16(self[place + 1]) << 8
    }

    fileprivate func little32(_ place: Int) -> UInt32 {
        UInt32(little16(place)) | UInt32(little16(place + 2)) << 16
    }
}
