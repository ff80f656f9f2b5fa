/// A similarity transform of Cartesian coordinates with seven parameters, or fourteen with their rates.
///
/// The linear form everyone publishes: rotations are small angles. Its inverse transposes the rotation, as
/// PROJ does, which differs from the exact inverse by less than 1e-7 m for plate-fixed datums.
public struct Helmert: Equatable, Sendable {
    /// Which way a positive rotation turns; publishers differ and the numbers do not tell.
    public enum Convention: String, Sendable {
        /// Rotates the position (IERS, EPSG 9606).
        case positionVector
        /// Rotates the axes (EPSG 9607).
        case coordinateFrame
    }

    /// Seven parameters, or their yearly rates.
    public struct Parameters: Equatable, Sendable {
        /// Translation, metres.
        public var x = 0.0
        /// Translation, metres.
        public var y = 0.0
        /// Translation, metres.
        public var z = 0.0
        /// Rotation about x, seconds of arc.
        public var rx = 0.0
        /// Rotation about y, seconds of arc.
        public var ry = 0.0
        /// Rotation about z, seconds of arc.
        public var rz = 0.0
        /// Difference of scale from 1, parts per million.
        public var scale = 0.0

        /// Parameters; what is left out is 0.
        public init(
            x: Double = 0, y: Double = 0, z: Double = 0, rx: Double = 0, ry: Double = 0,
            rz: Double = 0, scale: Double = 0
        ) {
            self.x = x
            self.y = y
            self.z = z
            self.rx = rx
            self.ry = ry
            self.rz = rz
            self.scale = scale
        }
    }

    /// The sense of the rotations.
    public var convention: Convention
    /// The parameters, at ``epoch`` where there are rates.
    public var parameters: Parameters
    /// Their change a year; all 0 for a seven-parameter transform.
    public var rates: Parameters
    /// The decimal year of the parameters.
    public var epoch: Double

    /// A transform of seven parameters, or fourteen.
    public init(
        _ convention: Convention, _ parameters: Parameters, rates: Parameters = Parameters(),
        epoch: Double = 0
    ) {
        self.convention = convention
        self.parameters = parameters
        self.rates = rates
        self.epoch = epoch
    }

    /// Whether the transform needs to know when the position was measured.
    public var needsTime: Bool { rates != Parameters() }

    /// Transforms a point measured in the decimal year `year`.
    ///
    /// - Parameters:
    ///   - point: Cartesian, metres.
    ///   - year: not looked at when there are no rates.
    ///   - inverted: applies the inverse.
    public func applied(to point: ECEF, year: Double, inverted: Bool = false) -> ECEF {
        let years = needsTime ? year - epoch : 0
        let arcsecond = Angle.radian / 3600
        let sense: Double = (convention == .positionVector) == !inverted ? arcsecond : -arcsecond
        let rx = (parameters.rx + rates.rx * years) * sense
        let ry = (parameters.ry + rates.ry * years) * sense
        let rz = (parameters.rz + rates.rz * years) * sense
        let scale = 1 + (parameters.scale + rates.scale * years) * 1e-6
        let tx = parameters.x + rates.x * years
        let ty = parameters.y + rates.y * years
        let tz = parameters.z + rates.z * years
        var p = point
        if inverted {
            p = ECEF(x: (p.x - tx) / scale, y: (p.y - ty) / scale, z: (p.z - tz) / scale)
        }
        let turned = ECEF(
            x: p.x - rz * p.y + ry * p.z, y: rz * p.x + p.y - rx * p.z,
            z: -ry * p.x + rx * p.y + p.z)
        if inverted { return turned }
        return ECEF(
            x: tx + scale * turned.x, y: ty + scale * turned.y, z: tz + scale * turned.z)
    }
}
