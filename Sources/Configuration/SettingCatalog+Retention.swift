import DutyCycle
import GNSS
import Geodesy
import Scheduling

extension SettingCatalog {
    static let zones = [
        Setting(
            "Recording", "NoRecordZone", list: \.noRecordZones, zone,
            "A circle inside of which nothing is recorded: fixes there, kept or not, reach neither the disk "
                + "nor the socket, and the track has a gap of the reason private_zone. A fix that may be "
                + "inside by its estimated error counts as inside. Applies to fixes to come; tracklog "
                + "forget removes those that are there.",
            advice:
                "Put the middle beside the house rather than on it: the hole in the track shows it."
        )
    ]

    static let retention = [
        Setting(
            "Store", "KeepFor", optional: \.store.keepFor,
            .duration(.seconds(3600) ... .seconds(36_500 * 86_400)), shapesTrack: false,
            "How long fixes and marks are kept, by their own times, while a clock can be trusted. Older ones "
                + "are removed in small steps within about an hour, and their bytes cleared. "
                + "Empty keeps them for ever.",
            advice: "Set it to keep no longer history than needed. A replay removes nothing."),
        Setting(
            "Store", "KeepRows", optional: \.store.keepRows,
            .integer(1000...Int(Int32.max), unit: "fixes"),
            shapesTrack: false,
            "How many fixes are kept, the oldest recorded go first. Marks stay. Empty for no limit.",
            advice: "Up to 1024 more may be there for a while."),
        Setting(
            "Store", "KeepBytes", optional: \.store.keepBytes, size(from: 1 << 20),
            shapesTrack: false,
            "How large the content of the database may grow, the oldest recorded fixes go first. Marks stay. "
                + "The file holds up to 1M of free pages besides. Empty for no limit.",
            advice: "Set it where other programs need the disk too."),
        Setting(
            "Store", "ThinAfter", optional: \.store.thinAfter,
            .duration(.seconds(3600) ... .seconds(36_500 * 86_400)), shapesTrack: false,
            "How old fixes are thinned: of those kept, the ones that ThinBound= can do without are removed, "
                + "rejected ones all. Beginnings and ends of segments and stops stay, and fixes with a mark. "
                + "What was thinned once is not thinned again. Empty thins nothing.",
            advice:
                "Set it to keep years of history on a small disk; it needs a clock to be trusted."),
        Setting(
            "Store", "ThinBound", \.store.thinBound, .number(1...10_000, unit: "metres"),
            shapesTrack: false,
            "How far from a removed fix the thinned track may be at the time of that fix.",
            advice: "Lower it for closer tracks, raise it for fewer fixes."),
        Setting(
            "Store", "SealAfter", optional: \.store.sealAfter,
            .duration(.seconds(0) ... .seconds(36_500 * 86_400)), shapesTrack: false,
            "How old closed days (UTC) are sealed: their fixes are compressed to less than a quarter, "
                + "without loss and with a check sum. tracklog reads them as before; plain SQL sees what "
                + "each block holds in the view blocks, and tracklog db unseal makes rows of them. Empty "
                + "seals nothing.",
            advice: "Set it to 7d to keep years of history on a small disk."),
    ]

    static let zone = ValueKind<NoRecordZone>(
        expects: "latitude,longitude,radius in degrees and metres, as 52.5163,13.3777,250",
        parse: { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                DecimalText.parse(String(part.drop { $0 == " " }))
            }
            guard parts.count == 3, let latitude = parts[0], let longitude = parts[1],
                let radius = parts[2],
                Angle.isPosition(latitude: latitude, longitude: longitude),
                (1...100_000).contains(radius)
            else { return nil }
            return NoRecordZone(latitude: latitude, longitude: longitude, radius: radius)
        },
        format: { zone in
            [zone.latitude, zone.longitude, zone.radius].map(DecimalText.format)
                .joined(separator: ",")
        })

    private static func size(from least: Int64) -> ValueKind<Int64> {
        ValueKind(
            expects: "a size of 1M or more, as 500M or 2G",
            parse: { text in SizeText.parse(text).flatMap { $0 >= least ? $0 : nil } },
            format: { bytes in
                for (letter, shift) in [("G", 30), ("M", 20), ("K", 10)]
                where bytes & (1 << shift - 1) == 0 {
                    return "\(bytes >> shift)\(letter)"
                }
                return "\(bytes)"
            })
    }
}

extension Setting {
    /// Whether its value says where somebody does not want to be seen, so that only files show it.
    public var isPrivate: Bool {
        ["Recording.NoRecordZone", "DutyCycle.Profile"].contains(name)
    }
}
