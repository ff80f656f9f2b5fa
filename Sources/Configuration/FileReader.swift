import Glibc

/// A file or folder that cannot be read.
struct FileError: Error, Equatable {
    var path: String
    var reason: String
    /// Whether it is simply not there.
    var isAbsence = false

    init(path: String, errno code: Int32) {
        self.path = path
        reason = unsafe String(cString: strerror(code))
        isAbsence = code == ENOENT || code == ENOTDIR
    }

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// Small files, read whole.
enum FileReader {
    /// The bytes of a file that has at most `limit`.
    static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
        // A pipe would wait for a writer, perhaps for ever.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw FileError(path: path, errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw FileError(path: path, errno: errno)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileError(path: path, errno: EISDIR)
        // /dev/null, device 1:3, which a drop-in is linked to so that it says nothing.
        case S_IFCHR where status.st_rdev == 0x103: break
        default: throw FileError(path: path, reason: "not a regular file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(path: path, errno: errno) }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= limit else {
                throw FileError(path: path, reason: "larger than \(limit) bytes")
            }
        }
    }

    /// The names in a folder, in no order.
    static func list(_ path: String) throws(FileError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw FileError(path: path, errno: errno) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            names.append(
                unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                    unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
        return names
    }
}
