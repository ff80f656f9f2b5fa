import Glibc

/// The drop-in that holds what was set while the daemon ran and is to hold after a restart.
///
/// It is the daemon's own: written whole, aside, and renamed. What a person wrote into it stays as far as it is a
/// setting.
public struct KeptSettings {
    private var entries: [(name: String, value: String)]

    /// Where it is for a settings file: a drop-in like any other, so that `config show` names it.
    public static func path(besides settings: String?) -> String {
        "\(settings ?? SettingsLoader.defaultPath).d/90-set.conf"
    }

    /// Keeps the values of a setting, or with `nil` keeps it no longer.
    ///
    /// - Parameter path: the drop-in; it and its folder are made when they are missing.
    public static func keep(
        _ setting: Setting, _ values: [String]?, in path: String
    ) throws(SettingProblem) {
        do throws(FileError) {
            var bytes: [UInt8] = []
            do throws(FileError) {
                bytes = try FileReader.read(path, limit: 1 << 20)
            } catch {
                guard error.isAbsence else { throw error }
            }
            var kept = KeptSettings(bytes)
            kept.set(setting, values)
            try kept.write(to: path)
        } catch {
            throw SettingProblem(place: error.path, message: "cannot be written: \(error.reason)")
        }
    }

    /// Reads the settings of a drop-in.
    init(_ bytes: [UInt8]) {
        entries = SettingsFile(bytes, path: "").entries.map {
            ("\($0.section).\($0.key)", $0.value)
        }
    }

    /// Gives a setting its values; `nil` takes it out.
    mutating func set(_ setting: Setting, _ values: [String]?) {
        entries.removeAll { $0.name == setting.name }
        guard let values else { return }
        // The empty one takes away what files before have in the list.
        if setting.isList { entries.append((setting.name, "")) }
        entries += values.map { (setting.name, $0) }
    }

    /// The file: a section each, in the order of the catalogue.
    var text: String {
        var text = "# Written by tracklogd: what was set to be kept, see tracklog(1).\n"
        var sections = SettingCatalog.sections.map(\.name)
        for (name, _) in entries {
            let section = KeptSettings.split(name).section
            if !sections.contains(section) { sections.append(section) }
        }
        for section in sections {
            let own = entries.filter { KeptSettings.split($0.name).section == section }
            if own.isEmpty { continue }
            text += "\n[\(section)]\n"
            for (name, value) in own { text += "\(KeptSettings.split(name).key)=\(value)\n" }
        }
        return text
    }

    private static func split(_ name: String) -> (section: String, key: String) {
        let dot = name.firstIndex(of: ".") ?? name.endIndex
        return (String(name[..<dot]), String(name[dot...].dropFirst()))
    }

    private func write(to path: String) throws(FileError) {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        guard unsafe mkdir(folder, 0o755) == 0 || errno == EEXIST else {
            throw FileError(path: folder, errno: errno)
        }
        let aside = path + ".part"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe open(aside, flags, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path, errno: errno) }
        let bytes = Array(text.utf8)
        let isWritten =
            unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
            && fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isWritten else {
            _ = unsafe unlink(aside)
            throw FileError(path: path, errno: code)
        }
        guard unsafe rename(aside, path) == 0 else { throw FileError(path: path, errno: errno) }
        let handle = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if handle >= 0 {
            _ = fsync(handle)
            close(handle)
        }
    }
}
