import Configuration
import GNSS
import JSON
import Platform
import StatusProtocol
import StatusServer

extension Service {
    /// Registers the profiles.
    func registerProfiles(on server: StatusServer) {
        server.register(.profile) { [unowned self] request, client, result throws(RPCError) in
            var keptIn: String?
            if let name = request.params["name"]?.string {
                try server.require(.controller, of: client, for: "profile with a name")
                keptIn = try choose(name, keeps: request.params["keep"]?.bool == true, client)
            } else if request.params["keep"] != nil {
                throw .invalidParameter("keep", "goes with a name")
            }
            var report = ProfileReport()
            report.name = Preset.all.first(where: isInForce)?.name
            report.profiles = Preset.all.map { profile in
                var entry = ProfileReport.Entry()
                entry.name = profile.name
                entry.meaning = profile.meaning
                entry.settings = profile.values.map { "\($0.name)=\($0.value)" }
                return entry
            }
            report.keptIn = keptIn
            result.append(report)
        }
    }

    /// Whether every setting of a profile is as it says, whoever set it so.
    private func isInForce(_ profile: Preset) -> Bool {
        let wanted = try? SettingsLoader.apply(
            overrides(of: profile), to: LoadedSettings())
        return wanted.map { wanted in
            profile.settings.allSatisfy {
                $0.text(in: wanted.settings) == $0.text(in: options.settings.settings)
            }
        } ?? false
    }

    private func overrides(of profile: Preset) -> [SettingOverride] {
        profile.values.map { SettingOverride(name: $0.name, value: $0.value, origin: .request) }
    }

    /// Puts a profile in force in place of another; `none` goes back to the files.
    ///
    /// - Returns: the drop-in when it was kept.
    private func choose(
        _ name: String, keeps: Bool, _ client: Client
    ) throws(RPCError) -> String? {
        let profile = Preset.named(name)
        guard profile != nil || name == "none" else {
            let names = Preset.all.map(\.name).joined(separator: ", ")
            throw .invalidParameter("name", "must be one of \(names), or none")
        }
        // What any profile sets goes back to the files, then this one comes over it.
        let all = Preset.all.flatMap(\.settings)
        let path = KeptSettings.path(besides: options.path)
        var next = runTime
        do {
            if keeps {
                for setting in all {
                    let value = profile?.values.first { $0.name == setting.name }?.value
                    try KeptSettings.keep(setting, value.map { [$0] }, in: path)
                }
            }
            let files = try SettingsLoader.load(options.path, overrides: options.overrides)
            var loaded = options.settings
            for setting in all {
                loaded = loaded.taking(setting, from: files)
                next.note(setting, nil, isKept: keeps)
            }
            if let profile {
                loaded = try SettingsLoader.apply(overrides(of: profile), to: loaded)
                for (setting, value) in zip(profile.settings, profile.values) {
                    next.note(setting, [value.value], isKept: keeps)
                }
            }
            carryOut(try plan(loaded))
        } catch let problem as SettingProblem {
            throw .unavailable("it cannot be kept: \(problem)")
        } catch {
            let lines = "\(error)".split(separator: "\n").joined(separator: "; ")
            throw .unavailable("the settings stay as they were: \(lines)")
        }
        runTime = next
        journal.write(
            .notice, "profile chosen",
            ["profile": name, "by_uid": client.peer.map { "\($0.uid)" } ?? "unknown"])
        return keeps ? path : nil
    }
}
