/// Steps over the ellipsoid with nothing but the operations IEEE 754 rounds exactly.
///
/// The C library's sine may differ in its last bit between machines; a drive must not.
enum Ellipsoid {
    // WGS 84: NIMA TR8350.2, table 3.1 and its e².
    static let semiMajorAxis = 6_378_137.0
    static let eccentricitySquared = 6.694_379_990_14e-3
    static let radiansPerDegree = 0.017_453_292_519_943_295

    /// Metres a degree of latitude and a degree of longitude are long at a latitude.
    static func metresPerDegree(latitude: Double) -> (north: Double, east: Double) {
        let (sine, cosine) = sineAndCosine(degrees: latitude)
        let square = 1 - eccentricitySquared * sine * sine
        let normal = semiMajorAxis / square.squareRoot()
        let meridian = normal * (1 - eccentricitySquared) / square
        return (meridian * radiansPerDegree, normal * cosine * radiansPerDegree)
    }

    /// Sine and cosine of an angle of at most a few turns.
    static func sineAndCosine(degrees: Double) -> (Double, Double) {
        let turns = (degrees / 90).rounded()
        let x = (degrees - turns * 90) * radiansPerDegree
        let square = x * x
        // Taylor's series to x¹⁵ and x¹⁶: at 45° the next term is below 1e-16.
        var sine = 1.0
        var cosine = 1.0
        for k in stride(from: 15.0, through: 3, by: -2) { sine = 1 - sine * square / (k * (k - 1)) }
        for k in stride(from: 16.0, through: 2, by: -2) {
            cosine = 1 - cosine * square / (k * (k - 1))
        }
        sine *= x
        return switch ((Int(turns) % 4) + 4) % 4 {
        case 0: (sine, cosine)
        case 1: (cosine, -sine)
        case 2: (-sine, -cosine)
        default: (-cosine, sine)
        }
    }
}
