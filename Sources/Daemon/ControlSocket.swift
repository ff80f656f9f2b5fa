import Glibc
import StatusProtocol
import StatusServer

/// The second socket of the daemon: the group of its folder says who may change things.
///
/// In a user namespace (`PrivateUsers=`) the kernel names nobody but root and the daemon's own user, so that names in
/// the settings say nothing of those who come; who may open a file it decides all the same.
enum ControlSocket {
    /// Listens there, when its folder is there and cannot have been made by just anybody.
    ///
    /// - Returns: `nil` when there is no such folder.
    static func open(beside path: String) throws(ListenError) -> UnixListener? {
        guard let address = (try? UnixAddress(path))?.control,
            let slash = address.text.lastIndex(of: "/")
        else { return nil }
        var folder = stat()
        guard unsafe stat(String(address.text[..<slash]), &folder) == 0,
            folder.st_mode & S_IFMT == S_IFDIR
        else { return nil }
        guard folder.st_uid == 0 || folder.st_uid == geteuid(), folder.st_mode & S_IWOTH == 0 else {
            throw .system(call: "owner of the folder", path: address.text, code: EPERM)
        }
        // A folder with the set-group-ID bit gives the file its group, which a confined service could not.
        return try UnixListener(at: address)
    }

    /// Whether every user of the machine has its number here; not in a user namespace.
    static var areAllUsersTold: Bool {
        let descriptor = unsafe Glibc.open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        // The first number inside, the first outside, how many (user_namespaces(7)).
        let words = bytes.prefix(max(0, count)).split { $0 <= 32 }.map {
            UInt64(String(decoding: $0, as: UTF8.self)) ?? 0
        }
        return words.count == 3 && words[0] == 0 && words[1] == 0 && words[2] >= 65_536
    }
}
