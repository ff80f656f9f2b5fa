import Configuration
import Glibc
import Storage

/// A file that is written beside its place and takes it when it is whole.
///
/// Nothing is ever seen under the final name but the old file or the whole new one.
final class AsideFile {
    let output: Output
    private let path: String
    private let place: FilePlace?
    /// `nil` when the path is a device, a pipe or an open file, which is written to as it is.
    private var aside: String?

    init(path: String) throws(Failure) {
        // A link goes on pointing to the file.
        let path = AsideFile.resolved(path)
        self.path = path
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        if exists, kind == S_IFDIR {
            throw Failure("\(path): is a directory", .cannotCreate)
        }
        if exists, kind != S_IFREG || path.hasPrefix("/dev/") || path.hasPrefix("/proc/") {
            aside = nil
            place = nil
        } else {
            do {
                place = try FilePlace(path, for: .other)
            } catch {
                throw Failure("\(error)", error.exitCode)
            }
            let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
            DatabaseFiles.removeLeftovers(of: path)
            aside = "\(path[..<slash]).\(path[slash...]).\(getpid()).part"
        }
        let flags = O_WRONLY | O_CLOEXEC | (aside == nil ? 0 : O_CREAT | O_EXCL)
        let descriptor = unsafe open(aside ?? path, flags, 0o666)
        guard descriptor >= 0 else { throw AsideFile.failure(path, errno) }
        // The rights of a file that is replaced stay.
        if exists, aside != nil { fchmod(descriptor, status.st_mode & 0o7777) }
        output = Output(descriptor: descriptor, path: path)
    }

    /// Makes the file durable and gives it its name.
    func finish() throws {
        try output.flush()
        guard let aside, let place else { return }
        guard fsync(output.descriptor) == 0 else {
            throw OutputError(path: path, code: errno)
        }
        try place.take(aside)
        self.aside = nil
    }

    deinit {
        close(output.descriptor)
        if let aside { unsafe unlink(aside) }
    }

    private static func resolved(_ path: String) -> String {
        guard !path.hasPrefix("/dev/"), let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private static func failure(_ path: String, _ code: Int32) -> Failure {
        let isRight = code == EACCES || code == EPERM || code == EROFS
        return Failure(
            "\(path): \(unsafe String(cString: strerror(code)))",
            isRight ? .noPermission : .cannotCreate)
    }
}
