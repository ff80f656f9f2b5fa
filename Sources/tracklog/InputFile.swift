import Configuration
import Glibc

/// A file or standard input, read in blocks.
final class InputFile {
    /// The name in messages.
    let name: String
    private let descriptor: Int32
    private var block = [UInt8](repeating: 0, count: 128 * 1024)

    /// Opens a path, or standard input for `-`.
    init(_ path: String) throws(Failure) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? dup(0) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(errno) }
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            throw Failure("\(name): is a directory", .noInput)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The next bytes; empty at the end.
    func next() throws(Failure) -> ArraySlice<UInt8> {
        while true {
            let count = unsafe block.withUnsafeMutableBytes {
                unsafe read(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 { return block[..<count] }
            guard errno == EINTR else { throw failure(errno) }
        }
    }

    /// All bytes, at most `limit`.
    func all(limit: Int = 1 << 30) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let next = try next()
            guard !next.isEmpty else { return bytes }
            bytes += next
            guard bytes.count <= limit else {
                throw Failure("\(name): larger than \(limit) bytes", .dataError)
            }
        }
    }

    private func failure(_ code: Int32) -> Failure {
        Failure(
            "\(name): \(unsafe String(cString: strerror(code)))",
            code == EIO ? .inputOutput : .noInput)
    }
}

/// Lines of an input, without what ends them.
struct LineReader {
    private let input: InputFile
    private var rest: [UInt8]
    private var place = 0
    private var isAtEnd = false
    /// The number of the line last read, from 1.
    private(set) var number = 0

    private static let limit = 1 << 20

    /// Reads on behind bytes that were taken already.
    init(_ input: InputFile, after head: [UInt8] = []) {
        self.input = input
        rest = head
    }

    /// The next line; `nil` at the end.
    mutating func next() throws(Failure) -> ArraySlice<UInt8>? {
        var searched = place
        while true {
            if let end = rest[searched...].firstIndex(of: 0x0A) {
                defer { place = end + 1 }
                number += 1
                return rest[place..<end]
            }
            searched = rest.count
            if isAtEnd {
                guard place < rest.count else { return nil }
                defer { place = rest.count }
                number += 1
                return rest[place...]
            }
            guard rest.count - place <= LineReader.limit else {
                throw Failure(
                    "\(input.name): line \(number + 1) is longer than a mebibyte", .dataError)
            }
            rest.removeFirst(place)
            searched -= place
            place = 0
            let block = try input.next()
            if block.isEmpty { isAtEnd = true }
            rest += block
        }
    }
}
