extension Setting {
    /// Whether a change of it holds at once in a running daemon; otherwise it holds from the next start.
    ///
    /// What is opened or connected at the start is not changed under way.
    public var isLive: Bool {
        Setting.liveSections.contains(section) || Setting.liveKeys.contains(name)
    }

    private static let liveSections: Set<String> = [
        "DutyCycle", "Quality", "Correction", "Tracking", "Recording", "Log",
    ]
    private static let liveKeys: Set<String> = [
        "Source.DrainEvery", "Store.CommitEvery", "Store.CommitCount", "Store.KeepFor",
        "Store.KeepRows", "Store.ThinAfter", "Store.ThinBound", "Store.SealAfter",
        "Store.KeepBytes",
        "Status.MaxClients", "Status.Readers",
        "Status.Controllers", "Status.Redact",
    ]

    /// Whether it takes a text as its value, or as one of its values; an empty one sets it back.
    public func accepts(_ text: String) -> Bool {
        var scratch = Settings()
        return apply(text, &scratch)
    }

    /// Gives `settings` the value that `other` has.
    func copy(from other: Settings, to settings: inout Settings) {
        _ = apply("", &settings)
        for text in texts(other) { _ = apply(text, &settings) }
    }
}

extension LoadedSettings {
    /// The same with one setting as another reading has it.
    public func taking(_ setting: Setting, from other: LoadedSettings) -> LoadedSettings {
        var result = self
        setting.copy(from: other.settings, to: &result.settings)
        result.origins[setting.name] = other.origins[setting.name]
        return result
    }

    /// The settings in force after other ones were read while the program runs.
    ///
    /// - Parameter next: what was read.
    /// - Returns: what is in force from now on, the names of the settings whose value changes by that, and of
    ///   those that differ and wait for the next start.
    public func updated(
        to next: LoadedSettings
    ) -> (inForce: LoadedSettings, changed: [String], needRestart: [String]) {
        var result = next
        var changed: [String] = []
        var needRestart: [String] = []
        for setting in SettingCatalog.all
        where setting.texts(settings) != setting.texts(next.settings) {
            if setting.isLive {
                changed.append(setting.name)
            } else {
                needRestart.append(setting.name)
                setting.copy(from: settings, to: &result.settings)
                result.origins[setting.name] = origins[setting.name]
            }
        }
        return (result, changed, needRestart)
    }
}
