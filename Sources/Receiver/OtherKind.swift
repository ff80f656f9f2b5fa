import Glibc

/// Counts what a log holds of the other kind than it is read as: two logs in one file, half of which nobody would see.
///
/// `gpspipe -w -r` writes everything in both kinds, a few lines of each in turn: only what comes at a stretch counts.
struct OtherKind {
    /// Lines of the other kind with a position that came at a stretch.
    private(set) var lines: Int64 = 0

    private let ours: UInt8
    private let format: LogFormat
    /// How many came since the last line of the log's own kind.
    private var stretch: Int64 = 0
    /// The beginning of a line that was cut by the end of a block.
    private var held: [UInt8] = []

    /// More than both kinds in turn have of one epoch.
    private static let shortest: Int64 = 8
    /// As much of a line tells: a time stamp of `gpspipe`, `{"class":"TPV"`.
    private static let head = 96

    init(besides format: LogFormat) {
        self.format = format
        ours = format == .nmea ? UInt8(ascii: "$") : UInt8(ascii: "{")
    }

    /// Looks at the next bytes.
    mutating func look(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        var place = 0
        while place < bytes.count {
            let rest = bytes.count - place
            let end = unsafe memchr(base + place, 0x0A, rest)
            let isWhole = unsafe end != nil
            let count = unsafe end.map { unsafe UnsafeRawPointer($0) - (base + place) } ?? rest
            if held.isEmpty, isWhole {
                if unsafe bytes[place] == ours {
                    stretch = 0
                } else {
                    unsafe judge(UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
                }
            } else {
                let wanted = min(count, max(0, OtherKind.head - held.count))
                unsafe held.append(contentsOf: bytes[place..<place + wanted])
                if isWhole {
                    let line = held
                    held.removeAll(keepingCapacity: true)
                    unsafe line.withUnsafeBytes { unsafe judge($0) }
                }
            }
            place += count + 1
        }
    }

    /// Takes what the log ends with for a line.
    mutating func finish() {
        let line = held
        held.removeAll()
        unsafe line.withUnsafeBytes { unsafe judge($0) }
    }

    private mutating func judge(_ line: UnsafeRawBufferPointer) {
        let head = unsafe UnsafeRawBufferPointer(rebasing: line.prefix(OtherKind.head))
        let start = unsafe head.firstIndex {
            $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "$")
        }
        guard let start else { return }
        if unsafe head[start] == ours {
            stretch = 0
            return
        }
        let line = unsafe Array(head[start...])
        guard format == .nmea ? OtherKind.isReport(line) : OtherKind.isSentence(line) else {
            return
        }
        stretch += 1
        if stretch == OtherKind.shortest {
            lines += stretch
        } else if stretch > OtherKind.shortest {
            lines += 1
        }
    }

    private static func isReport(_ line: [UInt8]) -> Bool {
        let name = Array("\"TPV\"".utf8)
        return line.indices.prefix(32).contains { line[$0...].starts(with: name) }
    }

    private static func isSentence(_ line: [UInt8]) -> Bool {
        guard line.count > 6, line[6] == UInt8(ascii: ",") else { return false }
        return ["RMC", "GGA", "GNS", "GLL"].contains { line[3..<6].elementsEqual($0.utf8) }
    }
}
