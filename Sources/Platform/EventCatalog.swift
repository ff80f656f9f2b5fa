/// The events that the message catalogue of the journal explains, by their MESSAGE_ID.
///
/// `systemd/tracklog.catalog` has a text for each.
enum EventCatalog {
    /// Event and MESSAGE_ID, sd-id128(3).
    static let all: [(event: String, id: String)] = [
        ("recording", "4c4d859dddb94be19a3dcadbadc4638c"),
        ("stopped", "54ade67afe0a425a931dfa2fca24f159"),
        ("cannot start", "6956c969cdfa4e15a08101a6df651c13"),
        ("waiting to record", "e67072edf12f4bdca3da2b55b710fa38"),
        ("source streaming", "0900986f27d84408bd71fed2707fce17"),
        ("no fixes", "8a9cb821cd0b46b5855118eaffda864c"),
        ("store failing", "55b1bfb0a57d493587364ff9ac3829f9"),
        ("store well again", "ccb5de282fea470094aa38102a40e6e6"),
        ("damaged database moved aside", "881948282ed34f7f88c917baa4ac4d32"),
        ("settings read again", "811f0434bbdb4c5f89fe6a6ba7797151"),
        ("settings not read again, the old ones stay", "44c1be2051204a47aeacffe5ea5d77e6"),
        ("socket not given to its group", "a7737ad35e77451cb34d0f0ce63870fb"),
        ("receiver lever", "ad678290cd334583b58c44775f21eb41"),
        ("receiver lever failing", "4af133845fcc4abfbe66943dcbbc1a03"),
        ("log lines lost", "9a9def762c77495cac2dad05ee775c7f"),
    ]

    /// The MESSAGE_ID of an event; `nil` when it needs no explanation.
    static func id(of event: String) -> String? {
        all.first { $0.event == event }?.id
    }
}
