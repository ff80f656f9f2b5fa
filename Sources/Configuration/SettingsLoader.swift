import DutyCycle

/// The settings of a program with where each one comes from.
public struct LoadedSettings: Sendable {
    /// The values.
    public internal(set) var settings = Settings()
    /// Where values that are not built in come from, by `Section.Key`; the last line of a list.
    public internal(set) var origins: [String: SettingOrigin] = [:]
    /// Where profiles come from, by name.
    var profileOrigins: [String: SettingOrigin] = [:]
    /// The files that were read, in order.
    public internal(set) var files: [String] = []
    /// What is doubtful and does no harm.
    public internal(set) var warnings: [SettingProblem] = []

    /// Everything at its default.
    public init() {}

    /// Where the value of a setting comes from.
    public func origin(of setting: Setting) -> SettingOrigin {
        origins[setting.name] ?? .builtIn
    }
}

/// Everything that is wrong in the settings; nothing of them is used.
public struct SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// At least one, in the order of reading.
    public let problems: [SettingProblem]
    /// Whether it is only that a file cannot be read.
    public let isMissingInput: Bool

    /// One line a problem.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}

/// Reads settings: built-in values, then the file, then its drop-ins, then the command line; the last one wins.
public struct SettingsLoader {
    /// Where the daemon's file is when nothing else is said.
    public static let defaultPath = "/etc/tracklog/tracklogd.conf"

    private var loaded = LoadedSettings()
    private var problems: [SettingProblem] = []
    private var isMissingInput = false

    /// Reads `path` and the files `*.conf` of the folder `path.d` in the order of their names.
    ///
    /// - Parameters:
    ///   - path: the file; `nil` takes ``defaultPath``, which need not exist.
    ///   - overrides: values from the command line.
    /// - Throws: ``SettingsError`` with everything that is wrong.
    public static func load(
        _ path: String?, overrides: [SettingOverride] = []
    ) throws(SettingsError) -> LoadedSettings {
        var loader = SettingsLoader()
        let main = path ?? defaultPath
        do throws(FileError) {
            loader.take(try FileReader.read(main, limit: 1 << 20), path: main)
        } catch {
            if path != nil || !error.isAbsence { loader.fail(error) }
        }
        do throws(FileError) {
            let names = try FileReader.list("\(main).d").filter {
                $0.hasSuffix(".conf") && !$0.hasPrefix(".")
            }
            for name in names.sorted() {
                let file = "\(main).d/\(name)"
                loader.take(try FileReader.read(file, limit: 1 << 20), path: file)
            }
        } catch {
            if !error.isAbsence { loader.fail(error) }
        }
        return try loader.finish(overrides)
    }

    /// Reads one file that is in memory already.
    ///
    /// - Throws: ``SettingsError`` with everything that is wrong.
    public static func read(
        _ bytes: [UInt8], path: String, overrides: [SettingOverride] = []
    ) throws(SettingsError) -> LoadedSettings {
        var loader = SettingsLoader()
        loader.take(bytes, path: path)
        return try loader.finish(overrides)
    }

    /// Puts values over those that were read before.
    ///
    /// - Throws: ``SettingsError`` with everything that is wrong.
    public static func apply(
        _ overrides: [SettingOverride], to loaded: LoadedSettings
    ) throws(SettingsError) -> LoadedSettings {
        var loader = SettingsLoader()
        loader.loaded = loaded
        loader.loaded.warnings = []
        return try loader.finish(overrides)
    }

    private mutating func fail(_ error: FileError) {
        isMissingInput = problems.isEmpty
        problems.append(SettingProblem(place: error.path, message: error.reason))
    }

    private mutating func take(_ bytes: [UInt8], path: String) {
        loaded.files.append(path)
        let file = SettingsFile(bytes, path: path)
        if !file.problems.isEmpty { isMissingInput = false }
        problems += file.problems
        var seen: [String: Int] = [:]
        for entry in file.entries {
            func problem(_ column: Int, _ message: String) -> SettingProblem {
                SettingProblem(place: path, position: (entry.line, column), message: message)
            }
            let name = "\(entry.section).\(entry.key)"
            guard let setting = SettingCatalog.all.first(where: { $0.name == name }) else {
                problems.append(problem(entry.keyColumn, SettingsLoader.unknown(entry)))
                continue
            }
            if !setting.isList, let line = seen[name] {
                loaded.warnings.append(
                    problem(entry.keyColumn, "\(entry.key)= replaces the one of line \(line)"))
            }
            seen[name] = entry.line
            guard setting.apply(entry.value, &loaded.settings) else {
                problems.append(
                    problem(entry.valueColumn, SettingsLoader.badValue(entry.value, setting)))
                continue
            }
            note(.file(path: path, line: entry.line), of: setting)
        }
    }

    private mutating func note(_ origin: SettingOrigin, of setting: Setting) {
        loaded.origins[setting.name] = origin
        guard setting.name == "DutyCycle.Profile", let profile = loaded.settings.profiles.last
        else { return }
        loaded.profileOrigins[profile.rule.name] = origin
    }

    private mutating func warn(_ message: String, _ origin: SettingOrigin) {
        var warning = SettingProblem(place: origin.description, message: message)
        if case .file(let path, let line) = origin {
            warning.place = path
            warning.position = (line, 1)
        }
        loaded.warnings.append(warning)
    }

    private mutating func finish(
        _ overrides: [SettingOverride]
    ) throws(SettingsError) -> LoadedSettings {
        var replaced: Set<String> = []
        for override in overrides {
            let place = override.origin.description
            guard let setting = SettingCatalog.setting(override.name) else {
                let nearest = SettingCatalog.nearest(to: override.name)
                let hint = nearest.map { "; did you mean '\($0.name)'?" } ?? ""
                problems.append(
                    SettingProblem(
                        place: place, message: "unknown setting '\(override.name)'\(hint)"))
                continue
            }
            // A list on the command line replaces the one of the files.
            if setting.isList, replaced.insert(setting.name).inserted {
                _ = setting.apply("", &loaded.settings)
            }
            guard setting.apply(override.value, &loaded.settings) else {
                problems.append(
                    SettingProblem(
                        place: place, message: SettingsLoader.badValue(override.value, setting)))
                continue
            }
            note(override.origin, of: setting)
        }
        for (name, message) in loaded.settings.contradictions(
            isSet: { loaded.origins[$0] != nil })
        {
            warn("\(name)= \(message)", loaded.origins[name] ?? .builtIn)
        }
        for (name, message) in loaded.settings.profileContradictions() {
            warn("profile \(name): \(message)", loaded.profileOrigins[name] ?? .builtIn)
        }
        guard problems.isEmpty else {
            throw SettingsError(problems: problems, isMissingInput: isMissingInput)
        }
        return loaded
    }

    private static func badValue(_ value: String, _ setting: Setting) -> String {
        guard setting.name == "DutyCycle.Profile", let wrong = Profile.wrongWord(in: value) else {
            // What is said here stands in the journal.
            let shown = setting.isPrivate ? "" : " '\(value)'"
            return "bad value\(shown) for \(setting.key)=: expected \(setting.expects)"
        }
        let hint = wrong.key.map { "did you mean '\($0)'? It takes" } ?? "expected"
        // Of a condition that names a place its kind is enough.
        let isPlace = wrong.word.contains(",")
        let word = isPlace ? "\(wrong.word.prefix { $0 != "=" })=…" : wrong.word
        return "bad value '\(word)' in \(setting.key)=: \(hint) \(setting.expects)"
    }

    private static func unknown(_ entry: SettingsFile.Entry) -> String {
        let sections = SettingCatalog.sections.map(\.name)
        guard sections.contains(entry.section) else {
            let nearest = Spelling.nearest(to: entry.section, among: sections)
            let hint = nearest.map { "; did you mean [\($0)]?" } ?? ""
            return "unknown section [\(entry.section)]\(hint)"
        }
        let inSection = SettingCatalog.all.filter { $0.section == entry.section }.map(\.key)
        if let nearest = Spelling.nearest(to: entry.key, among: inSection) {
            return "unknown key '\(entry.key)' in [\(entry.section)]; did you mean '\(nearest)'?"
        }
        if let other = SettingCatalog.all.first(where: { $0.key == entry.key }) {
            return "'\(entry.key)' does not belong in [\(entry.section)] but in [\(other.section)]"
        }
        return "unknown key '\(entry.key)' in [\(entry.section)]"
    }
}
