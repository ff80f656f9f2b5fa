import GNSS
import Glibc

/// Writing failed.
struct OutputError: Error, CustomStringConvertible {
    var path: String
    var code: Int32

    /// Whether whoever read it has gone, as `head` does when it has enough.
    var isReaderGone: Bool { code == EPIPE }

    var description: String {
        "\(path): \(unsafe String(cString: strerror(code)))"
    }
}

/// A descriptor that is written to in large pieces.
final class Output {
    /// What waits to be written; append here and call ``drain()`` now and then.
    var text = TextBuffer()
    let descriptor: Int32
    private let path: String

    private static let limit = 64 * 1024

    init(descriptor: Int32, path: String = "standard output") {
        self.descriptor = descriptor
        self.path = path
        text.bytes.reserveCapacity(Output.limit + 1024)
    }

    /// Whether it goes to a regular file, where half of an output would stay.
    var isFile: Bool {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Appends text.
    func print(_ text: String) {
        self.text.append(text: text)
    }

    /// Writes when there is enough of it.
    func drain() throws(OutputError) {
        if text.bytes.count >= Output.limit { try flush() }
    }

    /// Writes everything.
    func flush() throws(OutputError) {
        defer { text.bytes.removeAll(keepingCapacity: true) }
        let code = unsafe text.bytes.withUnsafeBytes { unsafe Output.write($0, to: descriptor) }
        if code != 0 { throw OutputError(path: path, code: code) }
    }

    /// Writes bytes whole.
    ///
    /// - Returns: 0 or the error number.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let count = unsafe Glibc.write(
                descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                if errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    unsafe poll(&waiting, 1, -1)
                    continue
                }
                return errno
            }
            unsafe rest = rest.dropFirst(count)
        }
        return 0
    }

    static func writeToStandardError(_ text: String) {
        var text = text
        _ = text.withUTF8 { unsafe write(UnsafeRawBufferPointer($0), to: 2) }
    }

    /// Ends as a program does that takes no notice of SIGPIPE: by it.
    static func endByBrokenPipe() -> Never {
        signal(SIGPIPE, SIG_DFL)
        raise(SIGPIPE)
        exit(74)
    }
}
