public import GNSS
import Geodesy

/// A circle inside of which nothing is recorded.
public struct NoRecordZone: Equatable, Sendable {
    /// Degrees north, WGS 84.
    public var latitude: Double
    /// Degrees east, WGS 84.
    public var longitude: Double
    /// Metres.
    public var radius: Double

    /// How much of a fix's own error widens a zone at most, metres: a receiver without a view must not hide a town.
    public static let widestMargin = 100.0

    /// A circle.
    public init(latitude: Double, longitude: Double, radius: Double) {
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
    }

    /// Whether a fix is inside, or may be by its estimated error.
    public func covers(_ fix: Fix) -> Bool {
        let margin = min(fix.errors.eph ?? 0, NoRecordZone.widestMargin)
        return LocalDistance.between(latitude, longitude, fix.latitude, fix.longitude)
            <= radius + max(0, margin)
    }
}
