import GNSS

/// How degrees are written for people.
public enum DegreeFormat: String, CaseIterable, Sendable {
    /// `39.90870° N, 116.39750° E`.
    case decimal = "dd"
    /// `39° 54.5220' N, 116° 23.8500' E`.
    case minutes = "dm"
    /// `39° 54' 31.32" N, 116° 23' 51.00" E`.
    case seconds = "dms"
}

/// Text forms of WGS 84 positions, the same in every locale.
public enum CoordinateText {
    /// A position as degrees, degrees and minutes, or degrees, minutes and seconds.
    ///
    /// Rounded as a whole number of the last place first, so that 60 minutes or seconds and a minus zero cannot
    /// appear. The hemisphere of zero is north and east.
    ///
    /// - Parameters:
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - format: which.
    ///   - decimals: places of the last number, 0 to 9; `nil` takes about 0.1 m.
    /// - Returns: `nil` for what is not a position.
    public static func degrees(
        latitude: Double, longitude: Double, format: DegreeFormat, decimals: Int? = nil
    ) -> String? {
        guard Angle.isPosition(latitude: latitude, longitude: longitude) else { return nil }
        let places = max(
            0, min(9, decimals ?? (format == .decimal ? 6 : format == .minutes ? 4 : 2)))
        var text = TextBuffer()
        append(latitude, format, places, ("N", "S"), &text)
        text.append(", ")
        append(longitude, format, places, ("E", "W"), &text)
        return text.string
    }

    private static func append(
        _ degrees: Double, _ format: DegreeFormat, _ places: Int,
        _ hemispheres: (StaticString, StaticString), _ text: inout TextBuffer
    ) {
        var scale = 1.0
        for _ in 0..<places { scale *= 10 }
        let perDegree: Double =
            switch format {
            case .decimal: 1
            case .minutes: 60
            case .seconds: 3600
            }
        // At most 180 × 3600 × 10⁹, which a double holds exactly.
        let units = UInt64((abs(degrees) * perDegree * scale).rounded(.toNearestOrAwayFromZero))
        let one = UInt64(scale)
        var whole = units / one
        let fraction = units % one
        switch format {
        case .decimal: break
        case .minutes:
            text.append(whole / 60)
            text.append("° ")
            whole %= 60
        case .seconds:
            text.append(whole / 3600)
            text.append("° ")
            text.append(Int(whole / 60 % 60), width: 2)
            text.append("' ")
            whole %= 60
        }
        text.append(Int(whole), width: format == .decimal ? 1 : 2)
        if places > 0 {
            text.append(".")
            text.append(Int(fraction), width: places)
        }
        switch format {
        case .decimal: text.append("° ")
        case .minutes: text.append("' ")
        case .seconds: text.append("\" ")
        }
        text.append(degrees < 0 && units > 0 ? hemispheres.1 : hemispheres.0)
    }

    /// A `geo:` URI (RFC 5870): latitude, longitude and, when given, height above the ellipsoid and uncertainty.
    ///
    /// - Parameters:
    ///   - latitude: degrees north.
    ///   - longitude: degrees east; left as 0 at a pole, as the RFC asks (section 3.4.4).
    ///   - altitudeHAE: metres above the ellipsoid.
    ///   - uncertainty: metres.
    /// - Returns: `nil` for what is not a position.
    public static func geoURI(
        latitude: Double, longitude: Double, altitudeHAE: Double? = nil, uncertainty: Double? = nil
    ) -> String? {
        guard Angle.isPosition(latitude: latitude, longitude: longitude) else { return nil }
        var text = TextBuffer()
        text.append("geo:")
        text.append(latitude, decimals: 7, trimming: true)
        text.append(",")
        text.append(abs(latitude) == 90 ? 0 : longitude, decimals: 7, trimming: true)
        if let altitudeHAE, altitudeHAE.isFinite {
            text.append(",")
            text.append(altitudeHAE, decimals: 2, trimming: true)
        }
        if let uncertainty, uncertainty.isFinite, uncertainty >= 0 {
            text.append(";u=")
            text.append(uncertainty, decimals: 2, trimming: true)
        }
        return text.string
    }

    /// A Maidenhead locator (IARU Region 1, 1980): `OM89ev` for three pairs.
    ///
    /// - Parameters:
    ///   - latitude: degrees north.
    ///   - longitude: degrees east.
    ///   - pairs: 1 to 5: field, square, subsquare, extended square, extended subsquare.
    /// - Returns: `nil` for what is not a position.
    public static func maidenhead(
        latitude: Double, longitude: Double, pairs: Int = 3
    ) -> String? {
        guard Angle.isPosition(latitude: latitude, longitude: longitude) else { return nil }
        // Parts of 20° and 10° that the smallest squares of the fifth pair are: 18 × 10 × 24 × 10 × 24.
        let smallest = 10.0 * 24 * 10 * 24
        let last = 18 * Int(smallest) - 1
        // The north pole and 180° E lie in the last square.
        var east = min(Int((Angle.wrapLongitude(longitude) + 180) / 20 * smallest), last)
        var north = min(Int((latitude + 90) / 10 * smallest), last)
        if longitude == -180 { east = 0 }
        var divisor = Int(smallest)
        var text = TextBuffer()
        for pair in 0..<max(1, min(5, pairs)) {
            if pair > 0 { divisor /= pair % 2 == 1 ? 10 : 24 }
            let first: UInt8 = pair == 0 ? 65 : pair % 2 == 1 ? 48 : 97
            text.append(byte: first + UInt8(east / divisor))
            text.append(byte: first + UInt8(north / divisor))
            east %= divisor
            north %= divisor
        }
        return text.string
    }
}
