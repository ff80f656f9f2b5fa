import GNSS
import Geodesy

/// Where the separation between geoid and ellipsoid came from.
public enum SeparationSource: String, Sendable {
    /// The receiver gave it, or both heights.
    case receiver = "receiver"
    /// The EGM96 grid of 15 minutes, or the grid that was configured.
    case grid = "grid"
    /// The compiled-in EGM96 table of whole degrees.
    case table = "table"
}

/// Gives a fix both heights: the receiver's own separation first, then the grid, then the table.
struct HeightStage: Sendable {
    /// Shared and never written to after it was mapped.
    nonisolated(unsafe) private let grid: GeoidGrid?

    init(_ choice: GeoidChoice) throws(GeoidGridError) {
        unsafe grid =
            switch choice {
            case .automatic: try? GeoidGrid(path: GeoidGrid.defaultPath)
            case .table: nil
            case .grid(let path): try GeoidGrid(path: path)
            }
    }

    /// What is asked when the receiver does not say.
    var source: SeparationSource { unsafe grid == nil ? .table : .grid }

    /// Metres from the ellipsoid up to the geoid at a fix, and who says so.
    func separation(
        of fix: Fix, latitude: Double, longitude: Double
    ) -> (metres: Double, source: SeparationSource)? {
        if let separation = fix.geoidSeparation, separation.isFinite {
            return (separation, .receiver)
        }
        if let hae = fix.altitudeHAE, let msl = fix.altitudeMSL { return (hae - msl, .receiver) }
        if let grid = unsafe grid {
            return grid.separation(latitude: latitude, longitude: longitude).map { ($0, .grid) }
        }
        return Geoid.separation(latitude: latitude, longitude: longitude).map { ($0, .table) }
    }
}
