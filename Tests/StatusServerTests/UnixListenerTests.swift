import Foundation
import Platform
import StatusProtocol
import StatusServer
import Testing

@Suite final class UnixListenerTests {
    let folder: String
    var path: String { folder + "/s" }

    init() throws {
        folder = NSTemporaryDirectory() + "tracklog-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func listen(_ path: String, group: String? = nil) throws -> UnixListener {
        try UnixListener(at: UnixAddress(path), group: group)
    }

    private func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }

    @Test func `the socket is open to its group alone, and goes away with the daemon`() throws {
        let listener = try listen(path)
        #expect(status(path).map { $0.st_mode } == S_IFSOCK | 0o660)
        listener.close()
        #expect(status(path) == nil)
    }

    // Bug corpus B083.
    @Test func `a socket file left behind is replaced, each time`() throws {
        for _ in 0..<3 {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            let address = try UnixAddress(path)
            #expect(address.withSockaddr { bind(descriptor, $0, $1) } == 0)
            close(descriptor)
            #expect(status(path) != nil)
            let listener = try listen(path)
            _ = try TestClient(path)
            listener.close()
        }
    }

    @Test func `a second daemon is told the process of the first, which goes on`() throws {
        let first = try listen(path)
        #expect(throws: ListenError.inUse(path: path, pid: getpid())) { try self.listen(self.path) }
        _ = try TestClient(path)
        first.close()
    }

    @Test(arguments: ["file", "symlink", "folder"])
    func `what is no socket is left alone`(kind: String) throws {
        switch kind {
        case "file": _ = FileManager.default.createFile(atPath: path, contents: Data([1]))
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        default: #expect(symlink("/nonexistent", path) == 0)
        }
        let before = status(path)?.st_ino
        #expect(throws: ListenError.notASocket(path: path)) { try self.listen(self.path) }
        #expect(status(path)?.st_ino == before)
    }

    @Test func `a file that somebody put in its place is not removed`() throws {
        let listener = try listen(path)
        #expect(unlink(path) == 0)
        _ = FileManager.default.createFile(atPath: path, contents: Data([1]))
        listener.close()
        #expect(status(path) != nil)
    }

    @Test func `a missing folder is an error that names the path`() throws {
        let path = folder + "/none/s"
        #expect(throws: ListenError.system(call: "bind", path: path, code: ENOENT)) {
            try self.listen(path)
        }
    }

    @Test func `a group that does not exist is passed over and told`() throws {
        let listener = try listen(path, group: "no-such-group-here")
        #expect(listener.hasGroup == false)
        #expect(status(path).map { $0.st_mode } == S_IFSOCK | 0o660)
    }

    @Test func `an abstract name leaves no file, and is taken once`() throws {
        let name = "@tracklog-\(UUID().uuidString)"
        let listener = try listen(name)
        _ = try TestClient(name)
        #expect(throws: ListenError.inUse(path: name, pid: getpid())) { try self.listen(name) }
        listener.close()
        let again = try listen(name)
        again.close()
    }

    @Test func `a relative path is one of the working folder`() async {
        await #expect(processExitsWith: .success) {
            let folder = NSTemporaryDirectory() + "tracklog-" + UUID().uuidString.prefix(8)
            guard mkdir(folder, 0o700) == 0, chdir(folder) == 0 else { exit(1) }
            let listener = try UnixListener(at: UnixAddress("s"))
            let isThere = access(folder + "/s", F_OK) == 0
            listener.close()
            rmdir(folder)
            exit(isThere ? 0 : 2)
        }
    }
}
