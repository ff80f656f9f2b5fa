/// A vector in the local frame of a point: metres to the east, to the north and up.
public struct ENU: Equatable, Sendable {
    /// Metres to the east.
    public var east: Double
    /// Metres to the north.
    public var north: Double
    /// Metres along the ellipsoid's normal, away from the earth.
    public var up: Double

    /// A vector of those components, metres.
    @inlinable
    public init(east: Double, north: Double, up: Double = 0) {
        self.east = east
        self.north = north
        self.up = up
    }

    /// Length, metres.
    @inlinable
    public var length: Double {
        (east * east + north * north + up * up).squareRoot()
    }

    /// The position this vector leads to from a WGS 84 position, as a straight line in space.
    ///
    /// - Parameters:
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - height: metres above the ellipsoid.
    public func moved(
        fromLatitude latitude: Double, longitude: Double, height: Double
    ) -> (latitude: Double, longitude: Double, height: Double) {
        if east == 0, north == 0 { return (latitude, longitude, height + up) }
        let (sinLat, cosLat) = Angle.sinCos(latitude)
        let (sinLon, cosLon) = Angle.sinCos(longitude)
        var point = ECEF(latitude: latitude, longitude: longitude, height: height)
        let outward = cosLat * up - sinLat * north
        point.x += cosLon * outward - sinLon * east
        point.y += sinLon * outward + cosLon * east
        point.z += cosLat * north + sinLat * up
        return point.geodetic()
    }

    /// The vector from one WGS 84 position (degrees, metres above the ellipsoid) to another.
    public init(
        fromLatitude latitude: Double, longitude: Double, height: Double = 0,
        toLatitude otherLatitude: Double, longitude otherLongitude: Double,
        height otherHeight: Double = 0
    ) {
        let (sinLat, cosLat) = Angle.sinCos(latitude)
        let (sinLon, cosLon) = Angle.sinCos(longitude)
        let origin = ECEF(latitude: latitude, longitude: longitude, height: height)
        let other = ECEF(
            latitude: otherLatitude, longitude: otherLongitude, height: otherHeight)
        let (dx, dy, dz) = (other.x - origin.x, other.y - origin.y, other.z - origin.z)
        let outward = cosLon * dx + sinLon * dy
        east = cosLon * dy - sinLon * dx
        north = cosLat * dz - sinLat * outward
        up = cosLat * outward + sinLat * dz
    }
}

/// A vector in the frame of a vehicle: metres forward, to the right and up.
public struct BodyVector: Equatable, Sendable {
    /// Metres towards the bow.
    public var forward: Double
    /// Metres to the right of it.
    public var right: Double
    /// Metres towards the roof.
    public var up: Double

    /// A vector of those components, metres.
    @inlinable
    public init(forward: Double, right: Double, up: Double) {
        self.forward = forward
        self.right = right
        self.up = up
    }

    /// Length, metres.
    @inlinable
    public var length: Double {
        (forward * forward + right * right + up * up).squareRoot()
    }

    /// The vector in the local frame of a vehicle that lies so.
    ///
    /// The order is heading, pitch, roll (Z-Y-X).
    ///
    /// - Parameters:
    ///   - heading: degrees clockwise from true north.
    ///   - pitch: degrees, positive nose up.
    ///   - roll: degrees, positive right side down.
    public func turned(heading: Double, pitch: Double = 0, roll: Double = 0) -> ENU {
        let (sinH, cosH) = Angle.sinCos(heading)
        let (sinP, cosP) = Angle.sinCos(pitch)
        let (sinR, cosR) = Angle.sinCos(roll)
        let down = -up
        let level = cosP * forward + sinP * (sinR * right + cosR * down)
        let across = cosR * right - sinR * down
        return ENU(
            east: sinH * level + cosH * across,
            north: cosH * level - sinH * across,
            up: sinP * forward - cosP * (sinR * right + cosR * down))
    }
}
