import Compression
import Configuration
import GNSS

/// A zip archive with one KML document in it, written as it comes (KMZ).
///
/// Format: PKWARE, APPNOTE.TXT 6.3.3, sections 4.3 to 4.5: sizes and checksum stand behind the data.
struct KMZFile: ~Copyable {
    private static let name = Array("doc.kml".utf8)
    /// 1980-01-01, the earliest date a zip can have: an export depends on nothing but the track.
    private static let date: UInt16 = 1 << 5 | 1
    /// Deflated, sizes behind the data, names in UTF-8.
    private static let flags: UInt16 = 1 << 3 | 1 << 11

    private var deflater: Deflater
    private var hasBegun = false

    init() throws(Failure) {
        guard let deflater = Deflater() else { throw Failure("out of memory", .software) }
        self.deflater = deflater
    }

    /// Takes a piece of the document.
    mutating func add(_ bytes: [UInt8], to output: Output) {
        begin(output)
        deflater.deflate(bytes, into: &output.text.bytes)
    }

    /// Ends the archive.
    mutating func end(_ output: Output) throws(Failure) {
        begin(output)
        deflater.deflate([], isLast: true, into: &output.text.bytes)
        guard let taken = UInt32(exactly: deflater.taken), deflater.made < 4_294_000_000 else {
            throw Failure(
                "a KMZ file holds no more than 4 GiB; export a part of the track", .dataError)
        }
        let made = UInt32(deflater.made)
        let name = KMZFile.name
        // Data descriptor.
        output.text.append(little: UInt32(0x0807_4B50))
        output.text.append(little: deflater.checksum)
        output.text.append(little: made)
        output.text.append(little: taken)
        let directory = UInt32(30 + name.count) + made + 16
        // Central directory: one entry.
        output.text.append(little: UInt32(0x0201_4B50))
        for half in [20, 20, KMZFile.flags, 8, 0, KMZFile.date] as [UInt16] {
            output.text.append(little: half)
        }
        output.text.append(little: deflater.checksum)
        output.text.append(little: made)
        output.text.append(little: taken)
        for half in [UInt16(name.count), 0, 0, 0, 0] { output.text.append(little: half) }
        output.text.append(little: UInt32(0))
        output.text.append(little: UInt32(0))
        output.text.bytes += name
        // End of the central directory.
        output.text.append(little: UInt32(0x0605_4B50))
        for half in [0, 0, 1, 1] as [UInt16] { output.text.append(little: half) }
        output.text.append(little: UInt32(46 + name.count))
        output.text.append(little: directory)
        output.text.append(little: UInt16(0))
    }

    private mutating func begin(_ output: Output) {
        guard !hasBegun else { return }
        hasBegun = true
        output.text.append(little: UInt32(0x0403_4B50))
        for half in [20, KMZFile.flags, 8, 0, KMZFile.date] as [UInt16] {
            output.text.append(little: half)
        }
        // Checksum and sizes are not known yet.
        for _ in 0..<3 { output.text.append(little: UInt32(0)) }
        output.text.append(little: UInt16(KMZFile.name.count))
        output.text.append(little: UInt16(0))
        output.text.bytes += KMZFile.name
    }
}

extension TextBuffer {
    fileprivate mutating func append<Number: FixedWidthInteger>(little number: Number) {
        var rest = number
        for _ in 0..<(Number.bitWidth / 8) {
            append(byte: UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }
}
