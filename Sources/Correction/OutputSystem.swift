public import GNSS
import Geodesy

/// The system an output is asked for (`--crs`).
public enum OutputSystem: String, CaseIterable, Sendable {
    /// The corrected position in WGS 84, whatever the source was in.
    case wgs84 = "wgs84"
    /// The same, shifted to GCJ-02.
    case gcj02 = "gcj02"
    /// The same, shifted to BD-09.
    case bd09 = "bd09"
    /// The stored corrected position, or the received one where no correction is configured.
    case corrected = "corrected"
    /// The position as received.
    case raw = "raw"
}

/// Gives positions of recorded fixes in the system an output is asked for.
///
/// Shifting is the last step of an output and never stored.
public struct OutputConversion: Sendable {
    /// The system of the output.
    public var system: OutputSystem
    /// Where the output's system is shifted.
    public var policy: OffsetPolicy
    /// The system the source's positions are in.
    public var sourceSystem: CRS
    /// Where the source's system is shifted.
    public var sourcePolicy: OffsetPolicy

    /// A conversion.
    ///
    /// - Parameters:
    ///   - system: of the output.
    ///   - policy: where it is shifted; `nil` takes `baidu` for BD-09 and the mainland for GCJ-02.
    ///   - source: the settings the track was recorded under.
    public init(
        to system: OutputSystem, policy: OffsetPolicy? = nil,
        source: CorrectionSettings = CorrectionSettings()
    ) {
        self.system = system
        self.policy = policy ?? (system == .bd09 ? OffsetPolicy(.all) : .mainland)
        sourceSystem = source.system
        sourcePolicy = source.policy
    }

    /// Latitude and longitude in degrees of a record in the output's system.
    public func position(of record: RecordedFix) -> (latitude: Double, longitude: Double) {
        position(of: record.fix, corrected: record.corrected)
    }

    /// The same of a fix and its corrected position.
    public func position(
        of fix: Fix, corrected: CorrectedPosition?
    ) -> (latitude: Double, longitude: Double) {
        if system == .raw { return (fix.latitude, fix.longitude) }
        guard let base = base(fix, corrected) else { return (fix.latitude, fix.longitude) }
        let height = corrected?.altitudeMSL ?? fix.altitudeMSL
        switch system {
        case .raw, .corrected, .wgs84: return (base.latitude, base.longitude)
        case .gcj02:
            let shifted = base.gcj02(policy, height: height)
            return (shifted.latitude, shifted.longitude)
        case .bd09:
            let shifted = base.bd09(policy, height: height)
            return (shifted.latitude, shifted.longitude)
        }
    }

    private func base(_ fix: Fix, _ corrected: CorrectedPosition?) -> Position<WGS84>? {
        if let corrected {
            return Position<WGS84>(
                latitude: corrected.latitude, longitude: corrected.longitude)
        }
        switch sourceSystem {
        case .wgs84:
            return Position<WGS84>(latitude: fix.latitude, longitude: fix.longitude)
        case .gcj02:
            return Position<GCJ02>(latitude: fix.latitude, longitude: fix.longitude)?
                .wgs84(sourcePolicy, height: fix.altitudeMSL).position
        case .bd09:
            return Position<BD09>(latitude: fix.latitude, longitude: fix.longitude)?
                .wgs84(sourcePolicy, height: fix.altitudeMSL).position
        }
    }
}
