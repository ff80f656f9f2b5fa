import Glibc

/// The pages of a database file as they lie on the disk, with those of its write-ahead log laid over them.
///
/// It trusts nothing: a damaged header gives the ordinary page size, a damaged log gives the pages that its
/// checksums vouch for. SQLite, "Database File Format", sections 1.3 and 4.
final class PageImage {
    /// Bytes of a page.
    let pageSize: Int
    /// Bytes of a page that hold content.
    let usable: Int
    /// Pages of the file and of the log.
    let count: Int
    /// `user_version` of the first page; 0 when it makes no sense.
    var version: Int { headerNumber(60) }
    /// Pages of the log that are committed and whole.
    var pagesFromLog: Int { overlay.count }

    private let file: Int32
    private let log: Int32
    /// Where in the log the newest whole version of a page begins.
    private var overlay: [UInt32: Int] = [:]

    /// The letters every database begins with.
    private static let magic = Array("SQLite format 3\0".utf8)

    init(path: String) throws(StoreError) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StoreLock.error(path, "open") }
        self.file = file
        log = unsafe open(path + "-wal", O_RDONLY | O_CLOEXEC)
        let size = Int(StoreFile.size(of: path))
        let header = PageImage.read(file, at: 0, 100) ?? []
        let frames = LogFrames(log)
        let told = header.count == 100 ? Int(header[16]) << 8 | Int(header[17]) : 0
        let named = told == 1 ? 65536 : told
        // The log repeats the page size.
        pageSize = PageImage.valid(named) ?? PageImage.valid(frames.pageSize) ?? 4096
        // No database of ours reserves any of it; what the header says may be damage.
        usable = pageSize
        overlay = frames.newest(pageSize: pageSize)
        count = max((size + pageSize - 1) / pageSize, Int(overlay.keys.max() ?? 0))
    }

    deinit {
        close(file)
        if log >= 0 { close(log) }
    }

    /// The bytes of a page, numbered from 1; `nil` when they cannot be read.
    func page(_ number: Int) -> [UInt8]? {
        if let offset = overlay[UInt32(truncatingIfNeeded: number)],
            let bytes = PageImage.read(log, at: offset, pageSize)
        {
            return bytes
        }
        guard number > 0 else { return nil }
        return PageImage.read(file, at: (number - 1) * pageSize, pageSize)
    }

    /// A number of the file's header, by its offset, big-endian.
    func headerNumber(_ offset: Int) -> Int {
        guard let first = page(1), first.starts(with: PageImage.magic) else { return 0 }
        return Int(first.bigEndian32(offset))
    }

    private static func valid(_ size: Int) -> Int? {
        size >= 512 && size <= 65536 && size & (size - 1) == 0 ? size : nil
    }

    /// Reads that many bytes; `nil` when there are fewer.
    static func read(_ descriptor: Int32, at offset: Int, _ count: Int) -> [UInt8]? {
        guard descriptor >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(
                    descriptor, buffer.baseAddress.map { unsafe $0 + done }, count - done,
                    offset + done)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}

extension [UInt8] {
    /// Four bytes as a big-endian number; 0 beyond the end.
    func bigEndian32(_ offset: Int) -> UInt32 {
        guard offset >= 0, offset + 4 <= count else { return 0 }
        return UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16
            | UInt32(self[offset + 2]) << 8 | UInt32(self[offset + 3])
    }
}

/// The frames of a write-ahead log.
private struct LogFrames {
    private let log: Int32
    private let header: [UInt8]

    init(_ log: Int32) {
        self.log = log
        header = PageImage.read(log, at: 0, 32) ?? []
    }

    /// As the log's header tells it; 0 when it does not.
    var pageSize: Int {
        header.count == 32 ? Int(header.bigEndian32(8)) : 0
    }

    /// Where the newest whole and committed version of each page begins.
    ///
    /// A frame's checksum goes on from the one before it as that stands in the file, so a damaged frame costs itself
    /// and the one after it at most, where SQLite stops at the first.
    func newest(pageSize: Int) -> [UInt32: Int] {
        guard header.count == 32 else { return [:] }
        // The last bit of the magic number says how the bytes were summed.
        let isBig = header.bigEndian32(0) & 1 == 1
        var salts = (header.bigEndian32(16), header.bigEndian32(20))
        var sum = Checksum(header.bigEndian32(24), header.bigEndian32(28))
        if Checksum(0, 0).adding(header[..<24], bigEndian: isBig) != sum,
            let first = PageImage.read(log, at: 32, 24)
        {
            salts = (first.bigEndian32(8), first.bigEndian32(12))
        }
        var whole: [(page: UInt32, offset: Int)] = []
        var committed = 0
        var offset = 32
        while let frame = PageImage.read(log, at: offset, 24 + pageSize) {
            // What stands after it is of an older round.
            guard (frame.bigEndian32(8), frame.bigEndian32(12)) == salts else { break }
            let computed = sum.adding(frame[..<8], bigEndian: isBig)
                .adding(frame[24...], bigEndian: isBig)
            sum = Checksum(frame.bigEndian32(16), frame.bigEndian32(20))
            if computed == sum { whole.append((frame.bigEndian32(0), offset + 24)) }
            if frame.bigEndian32(4) != 0 { committed = whole.count }
            offset += 24 + pageSize
        }
        var newest: [UInt32: Int] = [:]
        for frame in whole[..<committed] { newest[frame.page] = frame.offset }
        return newest
    }
}

/// The sum SQLite keeps over a log ("Database File Format", section 4.2).
private struct Checksum: Equatable {
    private var first: UInt32
    private var second: UInt32

    init(_ first: UInt32, _ second: UInt32) {
        self.first = first
        self.second = second
    }

    func adding(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> Checksum {
        var sum = self
        var index = bytes.startIndex
        while index + 8 <= bytes.endIndex {
            sum.first &+= Checksum.word(bytes, index, bigEndian) &+ sum.second
            sum.second &+= Checksum.word(bytes, index + 4, bigEndian) &+ sum.first
            index += 8
        }
        return sum
    }

    private static func word(_ bytes: ArraySlice<UInt8>, _ at: Int, _ isBig: Bool) -> UInt32 {
        let four = (
            UInt32(bytes[at]), UInt32(bytes[at + 1]), UInt32(bytes[at + 2]), UInt32(bytes[at + 3])
        )
        return isBig
            ? four.0 << 24 | four.1 << 16 | four.2 << 8 | four.3
            : four.3 << 24 | four.2 << 16 | four.1 << 8 | four.0
    }
}
