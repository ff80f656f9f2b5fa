public import Geodesy

/// A coordinate system as a type: a marker without values.
public protocol CoordinateSystem {
    /// The same as a value.
    static var crs: CRS { get }
}

/// A coordinate system as a value, for settings and outputs.
public enum CRS: String, CaseIterable, Sendable {
    /// World Geodetic System 1984, what receivers give.
    case wgs84 = "wgs84"
    /// The offset of Chinese maps.
    case gcj02 = "gcj02"
    /// Baidu's offset on top of it.
    case bd09 = "bd09"

    /// The system of a name, any case, with or without a hyphen.
    public init?(name: String) {
        self.init(rawValue: name.lowercased().filter { $0 != "-" && $0 != "_" })
    }
}

extension WGS84: CoordinateSystem {
    /// ``CRS/wgs84``.
    public static var crs: CRS { .wgs84 }
}

extension GCJ02: CoordinateSystem {
    /// ``CRS/gcj02``.
    public static var crs: CRS { .gcj02 }
}

extension BD09: CoordinateSystem {
    /// ``CRS/bd09``.
    public static var crs: CRS { .bd09 }
}

/// A place on the earth in the coordinate system `System`.
///
/// A place in one system cannot be handed to a function that wants another; there is no conversion but by the
/// methods that name both ends.
public struct Position<System: CoordinateSystem>: Equatable, Sendable {
    /// Degrees north, -90 … 90.
    public let latitude: Double
    /// Degrees east, -180 … 180.
    public let longitude: Double

    /// A position of degrees that are known to be in range.
    @inlinable
    init(unchecked latitude: Double, _ longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// A position; `nil` when a number is not finite, the latitude beyond 90 or the longitude beyond 180.
    @inlinable
    public init?(latitude: Double, longitude: Double) {
        guard Angle.isPosition(latitude: latitude, longitude: longitude) else { return nil }
        self.init(unchecked: latitude, longitude)
    }
}

/// What undoing an offset had to decide close to a region's border.
public enum BoundaryCase: Sendable {
    /// Nothing: there is one answer.
    case clear
    /// An unshifted place outside would look the same; the shifted reading was taken.
    case ambiguous
    /// No place maps here; the input was left as it is.
    case gap
}

extension Position<WGS84> {
    /// The place on a map in GCJ-02; bit for bit the same where `policy` does not shift.
    ///
    /// - Parameter height: metres above the sea for a policy with the height term; `nil` when unknown.
    public func gcj02(_ policy: OffsetPolicy, height: Double? = nil) -> Position<GCJ02> {
        guard policy.shifts(latitude: latitude, longitude: longitude) else {
            return Position<GCJ02>(unchecked: latitude, longitude)
        }
        let shifted = GCJ02.fromWGS84(
            latitude: latitude, longitude: longitude, height: policy.term(height))
        // Only a policy that shifts everywhere gets near the edges of the ranges.
        return Position<GCJ02>(
            unchecked: min(max(shifted.latitude, -90), 90),
            Angle.wrapLongitude(shifted.longitude))
    }

    /// The place on a map in BD-09; bit for bit the same where `policy` does not shift.
    public func bd09(_ policy: OffsetPolicy, height: Double? = nil) -> Position<BD09> {
        guard policy.shifts(latitude: latitude, longitude: longitude) else {
            return Position<BD09>(unchecked: latitude, longitude)
        }
        let middle = gcj02(policy, height: height)
        let shifted = BD09.fromGCJ02(latitude: middle.latitude, longitude: middle.longitude)
        return Position<BD09>(
            unchecked: min(max(shifted.latitude, -90), 90),
            Angle.wrapLongitude(shifted.longitude))
    }
}

extension Position<GCJ02> {
    /// The place in WGS 84 that the map shows here, and what the border made of it.
    ///
    /// The exact inverse when it lies where `policy` shifts, else the input.
    public func wgs84(
        _ policy: OffsetPolicy, height: Double? = nil
    ) -> (position: Position<WGS84>, boundary: BoundaryCase) {
        let undone = GCJ02.toWGS84(
            latitude: latitude, longitude: longitude, height: policy.term(height))
        return policy.choose(between: undone, and: (latitude, longitude))
    }
}

extension Position<BD09> {
    /// The place in WGS 84 that Baidu's map shows here, and what the border made of it.
    public func wgs84(
        _ policy: OffsetPolicy, height: Double? = nil
    ) -> (position: Position<WGS84>, boundary: BoundaryCase) {
        let middle = BD09.toGCJ02(latitude: latitude, longitude: longitude)
        let undone = GCJ02.toWGS84(
            latitude: middle.latitude, longitude: middle.longitude, height: policy.term(height))
        return policy.choose(between: undone, and: (latitude, longitude))
    }
}

extension OffsetPolicy {
    fileprivate func term(_ height: Double?) -> Double {
        heightTerm ? height ?? 0 : 0
    }

    /// The place that a map shows at `input`: where the undone offset leads, if the map shifts there.
    @inline(__always)
    func choose(
        between undone: (latitude: Double, longitude: Double),
        and input: (latitude: Double, longitude: Double)
    ) -> (position: Position<WGS84>, boundary: BoundaryCase) {
        let (undoneShifts, inputShifts) = shift(undone, input)
        guard undoneShifts,
            let position = Position<WGS84>(
                latitude: undone.latitude, longitude: Angle.wrapLongitude(undone.longitude))
        else {
            return (
                Position<WGS84>(unchecked: input.latitude, input.longitude),
                inputShifts ? .gap : .clear
            )
        }
        return (position, inputShifts ? .clear : .ambiguous)
    }
}
