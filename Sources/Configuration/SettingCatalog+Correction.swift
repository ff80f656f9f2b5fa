import Correction
import Geodesy

extension SettingCatalog {
    static let correction = [
        Setting(
            "Correction", "System", \.correction.system, system,
            "The coordinate system that the source's positions are in. It is undone first, so that "
                + "everything is computed in WGS 84. It is never guessed.",
            advice: "Set it for a Chinese receiver or log whose positions are shifted already."),
        Setting(
            "Correction", "Regions", \.correction.regions, regions,
            "Where that system is shifted: a map provider, or regions with commas between them.",
            advice: "Set it to the provider that the source follows in Hong Kong, Macau and Taiwan."
        ),
        Setting(
            "Correction", "HeightTerm", \.correction.policy.heightTerm, .boolean,
            "Whether that system's shift depends on the height, as AMap's does by a millimetre a metre.",
            advice: "Set it only for positions that come from AMap's own conversion."),
        Setting(
            "Correction", "Datum", \.correction.datum, datum,
            "The datum that the source's positions are in.",
            advice: "Set it for a receiver with corrections of a national network."),
        Setting(
            "Correction", "TargetDatum", \.correction.targetDatum, datum,
            "The datum of corrected positions.",
            advice: "Set it to the datum of your maps when metres matter."),
        Setting(
            "Correction", "PlateMotion", optional: \.correction.plateMotion, plateMotion,
            "Moves positions with a plate to a year. Empty moves nothing.",
            advice: "Set it to compare positions of different years to the centimetre."),
        Setting(
            "Correction", "Pipeline", \.correction.pipeline, .text("a PROJ pipeline"),
            "A PROJ string in place of the datums, for which libproj must be installed. It takes and gives "
                + "longitude and latitude in degrees and height in metres. Empty for none.",
            advice: "Set it for a transformation that is not built in."),
        Setting(
            "Correction", "Antenna", \.correction.antenna, antenna,
            "Where the antenna sits, seen from the point that matters: metres forward, to the right and up.",
            advice: "Set it on long vehicles, ships and implements."),
        Setting(
            "Correction", "CourseSpeedFloor", \.correction.courseSpeedFloor,
            .number(0...50, unit: "metres a second"),
            "The speed from which the course counts as the heading that turns the antenna's place, when the "
                + "receiver gives no heading.",
            advice: "Raise it for vehicles that drift."),
        Setting(
            "Correction", "HeadingHold", \.correction.headingHold,
            .number(0...86_400, unit: "seconds"),
            "How long the last heading holds when there is none.",
            advice: "Raise it for vehicles that stand long and do not turn."),
        Setting(
            "Correction", "Offset", \.correction.offset, offset,
            "An offset that is the same everywhere.",
            advice: "Set it after measuring a known point."),
        Setting(
            "Correction", "HeightOffset", \.correction.heightOffset,
            .number(-10_000...10_000, unit: "metres"), "Added to both heights.",
            advice:
                "Set it to the antenna's height above the point that matters, as a negative number."
        ),
        Setting(
            "Correction", "CompleteHeights", \.correction.completesHeights, .boolean,
            "Whether both heights, above the ellipsoid and above mean sea level, are stored even when nothing else is corrected.",
            advice: "Set it when the receiver gives only one of them."),
        Setting(
            "Correction", "Geoid", \.correction.geoid, geoid,
            "Where the height of the geoid comes from when the receiver does not say: auto takes the EGM96 "
                + "grid of the package proj-data where it is installed, else the built-in table.",
            advice: "Set a file for a national geoid."),
    ]

    private static let system = ValueKind<CRS>(
        expects: CRS.allCases.map(\.rawValue).joined(separator: ", "),
        parse: { CRS(name: $0) }, format: { $0.rawValue })

    private static let datum = ValueKind<Datum>(
        expects: Datum.allCases.map(\.rawValue).joined(separator: ", "),
        parse: { Datum(name: $0) }, format: { $0.rawValue })

    private static let regions = ValueKind<OffsetPolicy>(
        expects: OffsetPolicy.providers.map(\.name).joined(separator: ", ")
            + ", none, everywhere, or some of "
            + OffsetRegion.allCases.map(\.name).joined(separator: ", "),
        parse: { OffsetPolicy($0) }, format: { $0.text })

    private static let plateMotion = ValueKind<PlateMotion>(
        expects: Plate.allCases.map(\.rawValue).joined(separator: ", ")
            + " with a year, as eurasia@2010.0",
        parse: { PlateMotion($0) }, format: { $0.text })

    private static let antenna = ValueKind<BodyVector>(
        expects: "three numbers of metres, each at most 1000",
        parse: { BodyVector($0) }, format: { $0.text })

    private static let offset = ValueKind<FixedOffset>(
        expects: "none, EAST NORTH [UP] m, or LATITUDE LONGITUDE deg",
        parse: { FixedOffset($0) }, format: { $0.text.isEmpty ? "none" : $0.text })

    private static let geoid = ValueKind<GeoidChoice>(
        expects: "auto, table, or the path of a GTX file",
        parse: { GeoidChoice($0) }, format: { $0.text })
}

extension CorrectionSettings {
    /// The policy's regions; its height term is a setting of its own.
    fileprivate var regions: OffsetPolicy {
        get { policy }
        set {
            let heightTerm = policy.heightTerm
            policy = newValue
            policy.heightTerm = heightTerm
        }
    }
}
