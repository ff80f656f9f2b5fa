public import GNSS
public import Geodesy

/// Why a position is not corrected.
public enum CorrectionError: Error, Equatable {
    /// The record carries a correction already; correct it from its raw position.
    case alreadyCorrected(id: Int32)
    /// The geoid grid of the settings cannot be used.
    case geoid(GeoidGridError)
    /// The PROJ pipeline of the settings cannot be used.
    case pipeline(String)
}

/// Corrects positions: declared system undone, datum, lever arm, fixed offset, heights.
///
/// It reads no clock and, once made, no file but the mapped geoid grid, so that one track gives one result. Its
/// only memory is the last heading. The raw fix is never changed.
public struct CorrectionChain {
    /// The settings it was made of.
    public let settings: CorrectionSettings
    /// The id of the correction's row in the database, which corrected positions carry.
    public var id: Int32

    /// What the last call of ``correct(_:flags:)`` has to say of its result; add it to the fix's flags.
    public private(set) var notes = FixFlags()
    /// Where the separation of the last corrected heights came from; `nil` when there were none.
    public private(set) var separationSource: SeparationSource?

    private let datum: DatumTransform
    private let plate: DatumTransform?
    private let pipeline: ProjPipeline?
    private let heights: HeightStage
    private var headings: HeadingKeeper

    /// A chain of those settings.
    ///
    /// - Parameter id: the correction's row in the database.
    /// - Throws: ``CorrectionError`` when the configured geoid grid or pipeline cannot be used.
    public init(_ settings: CorrectionSettings, id: Int32 = 0) throws(CorrectionError) {
        self.settings = settings
        self.id = id
        datum = DatumTransform(from: settings.datum, to: settings.targetDatum)
        plate = settings.plateMotion.map { DatumTransform($0.plate, toYear: $0.year) }
        pipeline = settings.pipeline.isEmpty ? nil : try ProjPipeline(settings.pipeline)
        do {
            heights = try HeightStage(settings.geoid)
        } catch {
            throw .geoid(error)
        }
        headings = HeadingKeeper(
            speedFloor: settings.courseSpeedFloor, holdSeconds: settings.headingHold)
    }

    /// Whether it changes nothing, so that ``correct(_:flags:)`` gives `nil` for every fix.
    public var isIdentity: Bool { settings.isIdentity }

    /// The settings' text and what was found on this machine; equal texts give equal positions.
    public var canonicalText: String {
        settings.canonicalText + "geoid_source=\(heights.source.rawValue)\n"
    }

    /// A stable digest of ``canonicalText``: 16 hexadecimal digits.
    public var digest: String { CorrectionDigest.of(canonicalText) }

    /// The corrected position of a fix as received; `nil` when the chain changes nothing.
    ///
    /// A step that cannot be done is left out and said in ``notes``; no fix is lost for it.
    ///
    /// - Parameters:
    ///   - fix: as the decoder gave it, never one that was corrected before.
    ///   - flags: the verdict on it; a rejected fix teaches no heading.
    public mutating func correct(_ fix: Fix, flags: FixFlags) -> CorrectedPosition? {
        notes = []
        separationSource = nil
        guard !isIdentity, Angle.isPosition(latitude: fix.latitude, longitude: fix.longitude)
        else { return nil }
        var (place, boundary) = undone(fix)
        if boundary != .clear { notes.insert(.boundaryAmbiguous) }
        // The separation at the place before the shifts of metres: it changes by millimetres over them.
        let separation = heights.separation(
            of: fix, latitude: place.latitude, longitude: place.longitude)
        let height =
            fix.altitudeHAE
            ?? fix.altitudeMSL.flatMap { msl in separation.map { msl + $0.metres } }
        place.height = height ?? 0
        // Another ellipsoid is nearer to the geoid or farther from it: the height above the sea stays.
        let lifted = moveDatum(&place, year: fix.time?.decimalYear)
        moveToReference(&place, fix, trusted: flags.isKept && !flags.contains(.speedSuspect))
        moveByOffset(&place)
        var corrected = CorrectedPosition(
            latitude: place.latitude, longitude: place.longitude, correction: id)
        guard height != nil, place.height.isFinite else { return corrected }
        let hae = place.height + settings.heightOffset
        corrected.altitudeHAE = hae
        if let separation {
            corrected.altitudeMSL = hae - lifted - separation.metres
            separationSource = separation.source
        }
        return corrected
    }

    /// The position of a fix in WGS 84, where the source declares another system.
    ///
    /// Speed, distance, fences and filters go by it: a shifted system stretches what they measure.
    public func inWGS84(_ fix: Fix) -> Fix {
        guard settings.system != .wgs84 else { return fix }
        var plain = fix
        let place = undone(fix).place
        (plain.latitude, plain.longitude) = (place.latitude, place.longitude)
        return plain
    }

    /// Corrects a record in place, once.
    ///
    /// - Throws: ``CorrectionError/alreadyCorrected(id:)`` for a record that carries a correction.
    public mutating func correct(_ record: inout RecordedFix) throws(CorrectionError) {
        if let corrected = record.corrected { throw .alreadyCorrected(id: corrected.correction) }
        record.corrected = correct(record.fix, flags: record.flags)
        record.flags.formUnion(notes)
    }

    private typealias Place = (latitude: Double, longitude: Double, height: Double)

    private func undone(_ fix: Fix) -> (place: Place, boundary: BoundaryCase) {
        let answer: (position: Position<WGS84>, boundary: BoundaryCase)
        switch settings.system {
        case .wgs84: return ((fix.latitude, fix.longitude, 0), .clear)
        case .gcj02:
            answer = Position<GCJ02>(unchecked: fix.latitude, fix.longitude)
                .wgs84(settings.policy, height: fix.altitudeMSL)
        case .bd09:
            answer = Position<BD09>(unchecked: fix.latitude, fix.longitude)
                .wgs84(settings.policy, height: fix.altitudeMSL)
        }
        return ((answer.position.latitude, answer.position.longitude, 0), answer.boundary)
    }

    /// - Returns: how much higher the place lies above the other ellipsoid, metres; 0 for a pipeline, whose heights may
    ///   be of any kind.
    private mutating func moveDatum(_ place: inout Place, year: Double?) -> Double {
        var lifted = 0.0
        if let pipeline {
            take(
                pipeline.applied(
                    latitude: place.latitude, longitude: place.longitude, height: place.height,
                    year: year), as: &place)
        } else if !datum.isIdentity {
            let before = place.height
            take(
                datum.applied(
                    latitude: place.latitude, longitude: place.longitude, height: before,
                    year: year), as: &place)
            lifted = place.height - before
        }
        if let plate {
            take(
                plate.applied(
                    latitude: place.latitude, longitude: place.longitude, height: place.height,
                    year: year), as: &place)
        }
        return lifted
    }

    /// Subtracts the lever arm: the receiver measured the antenna.
    private mutating func moveToReference(_ place: inout Place, _ fix: Fix, trusted: Bool) {
        let arm = settings.antenna
        guard arm.length > 0 else { return }
        let heading = headings.heading(of: fix, trusted: trusted)
        let turned: ENU
        if let heading {
            turned = arm.turned(heading: heading.degrees)
            if heading.held { notes.insert(.leverArmHeld) }
        } else {
            // Upwards needs no heading.
            turned = ENU(east: 0, north: 0, up: arm.up)
            if arm.forward != 0 || arm.right != 0 { notes.insert(.leverArmSkipped) }
        }
        take(
            ENU(east: -turned.east, north: -turned.north, up: -turned.up).moved(
                fromLatitude: place.latitude, longitude: place.longitude, height: place.height),
            as: &place)
    }

    private mutating func moveByOffset(_ place: inout Place) {
        switch settings.offset {
        case .none: break
        case .metres(let vector):
            take(
                vector.moved(
                    fromLatitude: place.latitude, longitude: place.longitude, height: place.height),
                as: &place)
        case .degrees(let latitude, let longitude):
            take(
                (
                    place.latitude + latitude, Angle.wrapLongitude(place.longitude + longitude),
                    place.height
                ), as: &place)
        }
    }

    /// Takes the result of a step, or notes that the step could not be done.
    private mutating func take(_ result: Place?, as place: inout Place) {
        guard let result, result.height.isFinite,
            Angle.isPosition(latitude: result.latitude, longitude: result.longitude)
        else {
            notes.insert(.correctionPartial)
            return
        }
        place = result
    }
}

/// The digest that names a correction.
enum CorrectionDigest {
    /// 16 hexadecimal digits of the text.
    static func of(_ text: String) -> String {
        // FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv): short, and stable for ever.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension UTCTime {
    /// The year with the part of it that has passed, as 2024.5.
    var decimalYear: Double {
        let year = date.year
        let start = UTCTime(year: year, month: 1, day: 1)
        let length = UTCTime(year: year + 1, month: 1, day: 1) - start
        return Double(year) + Double(self - start) / Double(length)
    }
}
