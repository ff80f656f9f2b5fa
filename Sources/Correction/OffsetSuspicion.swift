public import Geodesy

/// Tells whether two positions of one moment differ by just the offset of a map.
///
/// A source that says WGS 84 and is shifted looks like any other but for this: against an honest one it is off by
/// the local offset, to metres, hundreds of metres away.
public enum OffsetSuspicion {
    /// The system that `other` seems to be in, when `wgs84` is what it says.
    ///
    /// - Parameters:
    ///   - other: degrees, of the same moment and place.
    ///   - wgs84: a position that is trusted.
    ///   - tolerance: metres the two may differ by besides.
    /// - Returns: `nil` when the difference is no offset, or the offset here is too small to tell.
    public static func system(
        of other: (latitude: Double, longitude: Double), against wgs84: Position<WGS84>,
        tolerance: Double = 5
    ) -> CRS? {
        func distance(_ place: (latitude: Double, longitude: Double)) -> Double {
            Geodesic.distance(place.latitude, place.longitude, other.latitude, other.longitude)
        }
        // Nearer to the honest reading than three tolerances, nothing can be told apart.
        guard distance((wgs84.latitude, wgs84.longitude)) > 3 * tolerance else { return nil }
        let gcj = wgs84.gcj02(OffsetPolicy(.all))
        if distance((gcj.latitude, gcj.longitude)) <= tolerance { return .gcj02 }
        let bd = wgs84.bd09(OffsetPolicy(.all))
        return distance((bd.latitude, bd.longitude)) <= tolerance ? .bd09 : nil
    }
}
