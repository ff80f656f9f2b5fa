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

    private func failure(_ code: Int32) -> Failure {
        Failure(
            "\(name): \(unsafe String(cString: strerror(code)))",
            code == EIO ? .inputOutput : .noInput)
    }
}
