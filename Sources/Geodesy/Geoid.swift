/// The height of mean sea level above the WGS 84 ellipsoid, EGM96.
public enum Geoid {
    /// Metres from the ellipsoid up to the geoid by the compiled-in table of whole degrees.
    ///
    /// Bilinear; 0.4 m off at the root mean square and 8 m at worst, in high mountains.
    ///
    /// - Parameters:
    ///   - latitude: degrees north.
    ///   - longitude: degrees east, wrapped.
    /// - Returns: `nil` for what is not a position.
    public static func separation(latitude: Double, longitude: Double) -> Double? {
        let longitude = Angle.wrapLongitude(longitude)
        guard abs(latitude) <= 90, !longitude.isNaN else { return nil }
        return bilinear(
            row: 90 - latitude, column: longitude + 180, rows: 181, columns: 360
        ) { row, column in
            GeoidTable.heights.withUTF8Buffer { text in
                let index = (row * 360 + column) * 2
                guard index >= 0, index + 1 < text.count else { return 0 }
                let high = unsafe CompiledText.digit(text[index])
                let low = unsafe CompiledText.digit(text[index + 1])
                let steps = high << 6 | low
                return Double(steps) / 20 - 110
            }
        }
    }

    /// Interpolates in a grid whose columns go round the earth.
    ///
    /// - Parameters:
    ///   - row: 0 … rows - 1, in steps.
    ///   - column: 0 … columns, in steps.
    static func bilinear(
        row: Double, column: Double, rows: Int, columns: Int,
        value: (_ row: Int, _ column: Int) -> Double
    ) -> Double {
        let top = min(max(Int(row), 0), rows - 2)
        let left = min(max(Int(column), 0), columns)
        let down = row - Double(top)
        let right = column - Double(left)
        let west = left % columns
        let east = (west + 1) % columns
        let upper = value(top, west) * (1 - right) + value(top, east) * right
        let lower = value(top + 1, west) * (1 - right) + value(top + 1, east) * right
        return upper * (1 - down) + lower * down
    }
}
