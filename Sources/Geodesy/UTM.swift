import GNSS
import Glibc

/// A position in the universal transverse Mercator grid on WGS 84, 80° S to 84° N.
public struct UTM: Equatable, Sendable {
    /// 1 to 60.
    public var zone: Int
    /// The latitude band, `C` to `X` without `I` and `O`.
    public var band: Character
    /// Metres, 500,000 on the zone's meridian.
    public var easting: Double
    /// Metres from the equator; 10,000,000 more in the south.
    public var northing: Double

    /// Whether the point lies north of the equator, or on it.
    public var isNorth: Bool { band >= "N" }

    /// The grid position of degrees; `nil` beyond 84° N and 80° S, and for what is not a position.
    ///
    /// Norway's and Svalbard's wide zones are kept (NGA.SIG.0012, section 3).
    public init?(latitude: Double, longitude: Double) {
        guard latitude >= -80, latitude <= 84, abs(longitude) <= 180 else { return nil }
        let bandIndex = min(19, Int((latitude + 80) / 8))
        let band = UTM.bands[bandIndex]
        let zone = UTM.zone(latitude: latitude, longitude: longitude)
        let (x, y) = TransverseMercator.forward(
            latitude: latitude, longitude: longitude - Double(6 * zone - 183))
        self.init(
            zone: zone, band: band, easting: 500_000 + x,
            northing: latitude < 0 ? 10_000_000 + y : y)
    }

    private init(zone: Int, band: Character, easting: Double, northing: Double) {
        self.zone = zone
        self.band = band
        self.easting = easting
        self.northing = northing
    }

    private static let bands = Array("CDEFGHJKLMNPQRSTUVWX")

    private static func zone(latitude: Double, longitude: Double) -> Int {
        let east = longitude == 180 ? -180 : longitude
        let zone = min(60, Int((east + 180) / 6) + 1)
        if latitude >= 56, latitude < 64, east >= 3, east < 12 { return 32 }
        guard latitude >= 72, east >= 0, east < 42 else { return zone }
        return east < 9 ? 31 : east < 21 ? 33 : east < 33 ? 35 : 37
    }

    /// `50S 448251E 4417946N`, whole metres, cut off as grid references are.
    public var text: String {
        var text = TextBuffer()
        text.append(zone, width: 2)
        text.append(text: String(band))
        text.append(" ")
        text.append(Int(easting))
        text.append("E ")
        text.append(Int(northing))
        text.append("N")
        return text.string
    }

    /// The military grid reference, `50SMK4825117946` for five digits.
    ///
    /// - Parameter digits: of each coordinate, 0 (100 km) to 5 (1 m).
    public func mgrs(digits: Int = 5) -> String {
        let digits = max(0, min(5, digits))
        // Columns run A to Z over three zones, rows A to V over two (NGA.SIG.0012, section 3.3).
        let columns = Array("ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)
        let rows = Array("ABCDEFGHJKLMNPQRSTUV".utf8)
        let column = (zone - 1) % 3 * 8 + max(1, min(8, Int(easting / 100_000))) - 1
        let row = (Int(northing / 100_000) + (zone % 2 == 0 ? 5 : 0)) % 20
        var divisor = 100_000
        for _ in 0..<digits { divisor /= 10 }
        var text = TextBuffer()
        text.append(zone, width: 2)
        text.append(text: String(band))
        text.append(byte: columns[column])
        text.append(byte: rows[row])
        guard digits > 0 else { return text.string }
        text.append(Int(easting) % 100_000 / divisor, width: digits)
        text.append(Int(northing) % 100_000 / divisor, width: digits)
        return text.string
    }
}

/// The transverse Mercator projection of WGS 84 in the scale of UTM, to nanometres within a zone.
enum TransverseMercator {
    /// Easting from the meridian and northing from the equator, metres, of degrees from both.
    static func forward(latitude: Double, longitude: Double) -> (x: Double, y: Double) {
        // Krüger's series in n to fourth order: Karney, Transverse Mercator with an accuracy of a few
        // nanometers, Journal of Geodesy 85 (2011), equations 7 to 14 and 35.
        let n = WGS84.f / (2 - WGS84.f)
        let n2 = n * n
        let radius = WGS84.a / (1 + n) * (1 + n2 / 4 + n2 * n2 / 64)
        let alpha = (
            n / 2 - n2 * 2 / 3 + n2 * n * 5 / 16 + n2 * n2 * 41 / 180,
            n2 * 13 / 48 - n2 * n * 3 / 5 + n2 * n2 * 557 / 1440,
            n2 * n * 61 / 240 - n2 * n2 * 103 / 140,
            n2 * n2 * 49561 / 161_280
        )
        let (sinLat, cosLat) = Angle.sinCos(latitude)
        let (sinLon, cosLon) = Angle.sinCos(longitude)
        let e = WGS84.e2.squareRoot()
        let tau = sinLat / cosLat
        let sigma = sinh(e * atanh(e * sinLat))
        let tauPrime = tau * (1 + sigma * sigma).squareRoot() - sigma * (1 + tau * tau).squareRoot()
        let xi = atan2(tauPrime, cosLon)
        let eta = asinh(sinLon / (tauPrime * tauPrime + cosLon * cosLon).squareRoot())
        var (x, y) = (eta, xi)
        for (index, a) in [alpha.0, alpha.1, alpha.2, alpha.3].enumerated() {
            let j = 2 * Double(index + 1)
            y += a * sin(j * xi) * cosh(j * eta)
            x += a * cos(j * xi) * sinh(j * eta)
        }
        // The scale of UTM on its meridian, NGA.SIG.0012.
        return (0.9996 * radius * x, 0.9996 * radius * y)
    }
}
