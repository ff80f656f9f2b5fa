import GNSS

extension Method {
    /// All settings.
    public static let config = Method(
        "config", "Tells every setting in force and where it comes from.",
        resultSchema: { FieldSchema.append(ConfigReport(), to: &$0) })

    /// One setting.
    public static let get = Method(
        "get", "Tells one setting in force, what it does and what it takes.",
        parameters: [settingName],
        resultSchema: { FieldSchema.append(SettingReport(), to: &$0) })

    /// A change of one setting.
    public static let set = Method(
        "set", "Changes one setting of the running daemon.", role: .controller,
        parameters: [
            settingName,
            Parameter(
                "value", .setting, required: true,
                "The value, as a settings file has it; null goes back to that of the files."),
            Parameter(
                "keep", .flag,
                "Whether it holds after a restart too, in a drop-in of its own; not when absent."),
        ],
        resultSchema: { FieldSchema.append(SettingReport(), to: &$0) })

    /// The files anew.
    public static let reload = Method(
        "reload", "Reads the settings files anew; one mistake in them changes nothing.",
        role: .controller,
        resultSchema: { FieldSchema.append(ReloadReport(), to: &$0) })

    private static let settingName = Parameter(
        "name", .text(atMost: 64), required: true,
        "The setting, as Store.CommitEvery; the key alone when it is in one section only.")
}
