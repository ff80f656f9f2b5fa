extension SettingCatalog {
    /// The example file: every setting with what it does, commented out at its default.
    public static var exampleFile: String {
        var text = """
            # Settings of tracklogd(8), all at their defaults. tracklogd.conf(5) tells more.
            # Change a copy of a line without the leading '#', here or in a file of your own in
            # tracklogd.conf.d/*.conf; the last one wins. `tracklog config check` finds mistakes.

            """
        for section in sections {
            text += "\n# \(section.meaning)\n[\(section.name)]\n"
            for setting in all where setting.section == section.name {
                text += "\n" + comment(setting.meaning + " " + setting.advice)
                text += comment("Takes \(setting.expects).")
                text += "#\(setting.key)=\(setting.defaultText)\n"
            }
        }
        return text
    }

    /// What tracklogd.conf(5) says of a setting, in mdoc.
    public static func manualEntry(_ setting: Setting) -> String {
        let byDefault = setting.defaultText.isEmpty ? "empty" : setting.defaultText
        var text = ".It Cm \(setting.key) Ns = Ns Ar value\n"
        text += roff(setting.meaning)
        if !setting.advice.isEmpty { text += roff(setting.advice) }
        text += ".br\n"
        text += roff("Takes \(setting.expects).")
        text += roff("Default: \(byDefault).")
        return text + roff("Since \(setting.since).")
    }

    /// Sentences, each on a line of its own as roff wants it, with what roff would read as a request escaped.
    private static func roff(_ text: String) -> String {
        var lines = ""
        var line = ""
        for word in text.split(separator: " ") {
            line += (line.isEmpty ? "" : " ") + word
            if word.hasSuffix(".") || line.utf8.count > 70 {
                lines += escape(line) + "\n"
                line = ""
            }
        }
        return line.isEmpty ? lines : lines + escape(line) + "\n"
    }

    private static func escape(_ line: String) -> String {
        let text = line.split(separator: "\\", omittingEmptySubsequences: false).joined(
            separator: "\\e")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }

    private static func comment(_ text: String) -> String {
        ArgumentTable.wrap(text, indent: 0).split(separator: "\n").map { "# \($0)\n" }.joined()
    }
}

extension Setting {
    /// What `tracklog config explain` prints.
    ///
    /// - Parameter heading: the first line, dressed as the terminal takes it.
    public func explanation(heading: String) -> String {
        let byDefault = defaultText.isEmpty ? "empty" : defaultText
        var text = heading + "\n"
        for sentence in [
            meaning, advice, "Takes \(expects).", "Default: \(byDefault).", "Since \(since).",
        ]
        where !sentence.isEmpty {
            text += ArgumentTable.wrap(sentence, indent: 4)
        }
        return text
    }
}
