import Glibc

/// What `doctor` reads of the machine it looks at: files, units and processes below one folder.
struct Machine {
    /// `/`, or where another machine's files are mounted.
    let root: String

    /// A process and what it is called.
    struct Process: Equatable {
        var pid: Int32
        var name: String
    }

    func path(_ absolute: String) -> String {
        root == "/" ? absolute : root + absolute
    }

    func exists(_ absolute: String) -> Bool {
        unsafe access(path(absolute), F_OK) == 0
    }

    /// The text of a small file, `nil` when it cannot be read.
    func text(_ absolute: String) -> String? {
        let descriptor = unsafe open(path(absolute), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    /// The names in a folder, none when it cannot be read.
    func names(in absolute: String) -> [String] {
        guard let folder = unsafe opendir(path(absolute)) else { return [] }
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

    /// The value of a shell variable in a file such as /etc/default/gpsd; empty when it has none.
    func variable(_ name: String, in absolute: String) -> String {
        var value = ""
        for line in (text(absolute) ?? "").split(separator: "\n") where line.hasPrefix(name + "=") {
            value = line.dropFirst(name.utf8.count + 1).filter { $0 != "\"" && $0 != "'" }
        }
        return value
    }

    /// The processes of that name.
    func processes(named name: String) -> [Process] {
        processes { text("/proc/\($0)/comm")?.split(separator: "\n").first == Substring(name) }
    }

    /// The processes that have a file open, as far as this user may see it.
    func users(of file: String) -> [Process] {
        processes { pid in
            names(in: "/proc/\(pid)/fd").contains { link("/proc/\(pid)/fd/\($0)") == file }
        }
    }

    /// The words a process was started with.
    func arguments(of process: Process) -> [String] {
        (text("/proc/\(process.pid)/cmdline") ?? "").split(separator: "\0").dropFirst().map(
            String.init)
    }

    /// What a path leads to when its links are followed.
    func resolved(_ absolute: String) -> String {
        var here = absolute
        for _ in 0..<8 {
            guard let next = link(here) else { return here }
            let folder = here.lastIndex(of: "/").map { here[..<$0] } ?? ""
            here = next.hasPrefix("/") ? next : "\(folder)/\(next)"
        }
        return here
    }

    private func processes(where isMeant: (Int32) -> Bool) -> [Process] {
        names(in: "/proc").compactMap { Int32($0) }.sorted().filter(isMeant).map { pid in
            let name = text("/proc/\(pid)/comm")?.split(separator: "\n").first
            return Process(pid: pid, name: name.map(String.init) ?? "unnamed")
        }
    }

    private func link(_ absolute: String) -> String? {
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink(path(absolute), &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
