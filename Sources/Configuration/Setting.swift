/// One key of the settings: everything the parser, the example file, the manual and `explain` say of it.
public struct Setting: Sendable {
    /// The section it stands in.
    public let section: String
    /// Its key there.
    public let key: String
    /// What it does, in sentences.
    public let meaning: String
    /// When to change it, in sentences; empty when the meaning says it.
    public let advice: String
    /// Type, unit and range, to be read after "expected".
    public let expects: String
    /// The first version that has it.
    public let since: String
    /// Whether each line of it adds a value.
    public let isList: Bool
    /// Whether it can change which fixes are recorded, and how: such settings make the digest.
    public let shapesTrack: Bool
    /// Takes a text into the settings; false when the text is no value.
    let apply: @Sendable (String, inout Settings) -> Bool
    /// The values in the settings as text: one, or any number of a list.
    let texts: @Sendable (Settings) -> [String]

    /// `Section.Key`.
    public var name: String {
        "\(section).\(key)"
    }

    /// The value in `settings` as text; those of a list are joined by blanks.
    public func text(in settings: Settings) -> String {
        texts(settings).joined(separator: " ")
    }

    /// How many values it has in `settings`.
    public func count(in settings: Settings) -> Int {
        texts(settings).count
    }

    /// The value when nothing is set; empty when there is none.
    public var defaultText: String {
        text(in: Settings())
    }

    /// A setting with one value; an empty text sets it back.
    init<Value: Sendable>(
        _ section: String, _ key: String, _ path: any WritableKeyPath<Settings, Value> & Sendable,
        _ kind: ValueKind<Value>, shapesTrack: Bool = true, _ meaning: String,
        advice: String = "", since: String = "0.1"
    ) {
        self.section = section
        self.key = key
        self.meaning = meaning
        self.advice = advice
        self.expects = kind.expects
        self.since = since
        self.isList = false
        self.shapesTrack = shapesTrack
        apply = { text, settings in
            guard !text.isEmpty else {
                settings[keyPath: path] = Settings()[keyPath: path]
                return true
            }
            guard let value = kind.parse(text) else { return false }
            settings[keyPath: path] = value
            return true
        }
        texts = { [kind.format($0[keyPath: path])] }
    }

    /// A setting whose absence means something; an empty text sets it to none.
    init<Value: Sendable>(
        _ section: String, _ key: String,
        optional path: any WritableKeyPath<Settings, Value?> & Sendable, _ kind: ValueKind<Value>,
        shapesTrack: Bool = true, _ meaning: String, advice: String = "", since: String = "0.1"
    ) {
        self.section = section
        self.key = key
        self.meaning = meaning
        self.advice = advice
        self.expects = kind.expects
        self.since = since
        self.isList = false
        self.shapesTrack = shapesTrack
        apply = { text, settings in
            let value = text.isEmpty ? nil : kind.parse(text)
            guard text.isEmpty || value != nil else { return false }
            settings[keyPath: path] = value
            return true
        }
        texts = { $0[keyPath: path].map { [kind.format($0)] } ?? [] }
    }

    /// A setting that is a list; each line adds one, an empty text empties it.
    init<Value: Sendable>(
        _ section: String, _ key: String,
        list path: any WritableKeyPath<Settings, [Value]> & Sendable, _ kind: ValueKind<Value>,
        shapesTrack: Bool = true, _ meaning: String, advice: String = "", since: String = "0.1"
    ) {
        self.section = section
        self.key = key
        self.meaning = meaning
        self.advice = advice
        self.expects = kind.expects + "; may be given several times"
        self.since = since
        self.isList = true
        self.shapesTrack = shapesTrack
        apply = { text, settings in
            guard !text.isEmpty else {
                settings[keyPath: path] = []
                return true
            }
            guard let value = kind.parse(text) else { return false }
            settings[keyPath: path].append(value)
            return true
        }
        texts = { $0[keyPath: path].map(kind.format) }
    }
}
