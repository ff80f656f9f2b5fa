/// GCJ-02 undone with tables of the formula's terms, for files of many positions.
///
/// All terms but three depend on one axis alone. Over an eighth of a degree they are polynomials of the fifth degree
/// to 1e-7 metres, which cost less than the waves. The regions lie within the tables; elsewhere
/// ``GCJ02/toWGS84(latitude:longitude:height:)`` answers.
public struct GCJ02Table: Sendable {
    /// Made on first use, in about a millisecond; 90 kB.
    public static let shared = GCJ02Table()

    /// Metres of both axes by longitude, of period 1.
    private let fast: [Quintic]
    /// Metres to the east by longitude.
    private let columns: [Quintic]
    private let rows: [Row]

    private struct Row {
        /// Metres to the north by latitude.
        var metres: Quintic
        /// Degrees of a metre to the east and to the north.
        var scale: Cubic
        /// By how much of itself the former grows in a degree, in the middle, and how that changes.
        var growth: SIMD2<Double>
    }

    /// A value and its slope around the middle of a piece, by the distance from it in pieces.
    private struct Quintic {
        var c: [6 of SIMD2<Double>]

        @inline(__always)
        func at(_ u: Double) -> SIMD2<Double> {
            let square = u * u
            let top = (c[2] + u * c[3]) + square * (c[4] + u * c[5])
            return (c[0] + u * c[1]) + square * top
        }

        /// The value to a centimetre or two.
        @inline(__always)
        func near(_ u: Double) -> Double {
            c[0].x + u * (c[1].x + u * c[2].x)
        }
    }

    private struct Cubic {
        var c: [4 of SIMD2<Double>]

        @inline(__always)
        func at(_ u: Double) -> SIMD2<Double> {
            (c[0] + u * c[1]) + (u * u) * (c[2] + u * c[3])
        }
    }

    /// A position in the tables.
    private struct Place {
        let x: Double
        let y: Double
        let column: Int
        let row: Int
        let u: Double
        let v: Double

        /// `nil` beyond the tables and at longitude 105, where the formula has a cusp.
        @inline(__always)
        init?(_ latitude: Double, _ longitude: Double) {
            let across = (longitude - GCJ02Table.west) * GCJ02Table.pieces
            let up = (latitude - GCJ02Table.south) * GCJ02Table.pieces
            x = longitude - 105
            y = latitude - 35
            guard across > 0, across < 512, up > 0, up < 304, abs(x) > 0.02 else { return nil }
            (column, u) = GCJ02Table.nearest(across)
            (row, v) = GCJ02Table.nearest(up)
        }
    }

    private static let pieces = 8.0
    private static let fastPieces = 64.0
    private static let west = 72.0
    private static let south = 17.0

    /// The nearest whole number to one of 0 ..< 2^50, and how far from it that is.
    @inline(__always)
    private static func nearest(_ number: Double) -> (Int, Double) {
        // The sum's low bits hold the whole number.
        let sum = number + 0x1p52
        return (Int(truncatingIfNeeded: sum.bitPattern & 0xFFFF), number - (sum - 0x1p52))
    }

    private init() {
        func wave(_ degrees: Double) -> Double { Angle.sinCos(degrees).sin }
        func slow(_ t: Double, _ twelfth: Double, _ thirtieth: Double) -> Double {
            20 * wave(180 * t) + 40 * wave(60 * t) + twelfth * wave(15 * t)
                + thirtieth * wave(6 * t)
        }
        func quintic(
            _ centre: Double, _ pieces: Double, _ value: (Double) -> Double
        ) -> Quintic {
            let found = GCJ02Table.polynomial(degree: 5) { value(centre + $0 / pieces) }
            var c = [6 of SIMD2<Double>](repeating: .zero)
            for n in 0...5 {
                c[n] = SIMD2(found[n], n < 5 ? Double(n + 1) * found[n + 1] * pieces : 0)
            }
            return Quintic(c: c)
        }
        let (pieces, k) = (GCJ02Table.pieces, 2.0 / 3)
        fast = (0..<64).map { index in
            quintic(Double(index) / GCJ02Table.fastPieces, GCJ02Table.fastPieces) { x in
                k * 20 * (wave(1080 * x) + wave(360 * x))
            }
        }
        columns = (0...512).map { index in
            quintic(GCJ02Table.west - 105 + Double(index) / pieces, pieces) { x in
                300 + x + 0.1 * x * x + k * slow(x, 150, 300)
            }
        }
        rows = (0...304).map { index in
            let centre = GCJ02Table.south + Double(index) / pieces
            let metres = quintic(centre - 35, pieces) { y in
                -100 + 3 * y + 0.2 * y * y + k * slow(y, 160, 320)
            }
            func root(_ u: Double) -> Double {
                let sin = wave(centre + u / pieces)
                return (1 - GCJ02.e2 * sin * sin).squareRoot()
            }
            let east = GCJ02Table.polynomial(degree: 3) {
                root($0) / Angle.sinCos(centre + $0 / pieces).cos * GCJ02.degreesEast
            }
            let north = GCJ02Table.polynomial(degree: 3) {
                root($0) * root($0) * root($0) * GCJ02.degreesNorth
            }
            var c = [4 of SIMD2<Double>](repeating: .zero)
            for n in 0...3 { c[n] = SIMD2(east[n], north[n]) }
            let growth = GCJ02Table.polynomial(degree: 1) {
                let (sin, cos) = Angle.sinCos(centre + $0 / pieces)
                return sin / cos * Angle.radian
            }
            return Row(
                metres: metres, scale: Cubic(c: c), growth: SIMD2(growth[0], growth[1]))
        }
    }

    /// Undoes the shift of GCJ-02 positions.
    ///
    /// - Returns: WGS 84 degrees whose shifts are the input to 2e-12°, as the formula's inverse.
    public func toWGS84(
        _ positions: [(latitude: Double, longitude: Double)]
    ) -> [(latitude: Double, longitude: Double)] {
        var results = positions
        let given = positions.span
        var places = results.mutableSpan
        // One loop after the other, so that the processor has work while it waits for a table.
        for index in given.indices {
            let (latitude, longitude) = given[index]
            guard let map = Place(latitude, longitude) else { continue }
            let guess = shift(near: map)
            places[index] = (latitude - guess.north, longitude - guess.east)
        }
        for index in given.indices {
            let (latitude, longitude) = given[index]
            if let place = undo(latitude, longitude, from: places[index]) {
                places[index] = place
            } else {
                places[index] = GCJ02.toWGS84(latitude: latitude, longitude: longitude)
            }
        }
        return results
    }

    /// Undoes the shift of one GCJ-02 position.
    public func toWGS84(
        latitude: Double, longitude: Double
    ) -> (latitude: Double, longitude: Double) {
        guard let map = Place(latitude, longitude) else {
            return GCJ02.toWGS84(latitude: latitude, longitude: longitude)
        }
        let guess = shift(near: map)
        return undo(latitude, longitude, from: (latitude - guess.north, longitude - guess.east))
            ?? GCJ02.toWGS84(latitude: latitude, longitude: longitude)
    }

    /// One step of Newton's method from a good guess; `nil` where that is not known to be enough.
    @inline(__always)
    private func undo(
        _ latitude: Double, _ longitude: Double, from guess: (latitude: Double, longitude: Double)
    ) -> (latitude: Double, longitude: Double)? {
        let (lat, lon) = guess
        guard let place = Place(lat, lon) else { return nil }
        let column = columns[place.column].at(place.u)
        let row = rows[place.row].metres.at(place.v)
        let scale = rows[place.row].scale.at(place.v)
        let growth = rows[place.row].growth
        let (wave, w) = GCJ02Table.nearest((lon - GCJ02Table.west) * GCJ02Table.fastPieces)
        let both = fast[wave & 63].at(w)
        let root = abs(place.x).squareRoot()
        let product = 0.1 * place.x * place.y
        let common = both.x + product
        let east = (column.x + common + 2 * place.y + 0.1 * root) * scale.x
        let north = (row.x + common + 2 * place.x + 0.2 * root) * scale.y
        let restEast = longitude - lon - east
        let restNorth = latitude - lat - north
        // The shift bends by less than 0.1 per degree here: what remains is below 1e-12.
        guard max(abs(restEast), abs(restNorth)) < 5e-6 else { return nil }
        let slope = 0.5 * root / place.x
        let fastSlope = both.y + 0.1 * place.y
        let a = 1 + scale.y * (row.y + 0.1 * place.x)
        let b = scale.y * (fastSlope + 2 + 0.2 * slope)
        let c = scale.x * (0.1 * place.x + 2) + east * (growth.x + place.v * growth.y)
        let d = 1 + scale.x * (column.y + fastSlope + 0.1 * slope)
        let factor = 1 / (a * d - b * c)
        return (
            lat + (d * restNorth - b * restEast) * factor,
            lon + (a * restEast - c * restNorth) * factor
        )
    }

    /// The shift that leads to a place, to half a metre: the slow terms there, the fast ones where those lead back to.
    @inline(__always)
    private func shift(near map: Place) -> (north: Double, east: Double) {
        let scale = rows[map.row].scale.c[0] + map.v * rows[map.row].scale.c[1]
        let root = abs(map.x).squareRoot()
        let product = 0.1 * map.x * map.y
        let east = columns[map.column].near(map.u) + product + 2 * map.y + 0.1 * root
        let north = rows[map.row].metres.near(map.v) + product + 2 * map.x + 0.2 * root
        let across = map.x + (105 - GCJ02Table.west) - east * scale.x
        let (wave, w) = GCJ02Table.nearest(across * GCJ02Table.fastPieces)
        let both = fast[wave & 63].near(w)
        return ((north + both) * scale.y, (east + both) * scale.x)
    }

    /// The coefficients of the polynomial through a function's values at Chebyshev's points of -0.5 … 0.5.
    private static func polynomial(degree: Int, _ value: (Double) -> Double) -> [Double] {
        let points = (0...degree).map { n in
            0.5 * Angle.sinCos(90 * (1 - Double(2 * n + 1) / Double(degree + 1))).sin
        }
        var differences = points.map(value)
        for order in 1...degree {
            for n in stride(from: degree, through: order, by: -1) {
                differences[n] =
                    (differences[n] - differences[n - 1]) / (points[n] - points[n - order])
            }
        }
        // Newton's form, multiplied out from the inside.
        var coefficients = [Double](repeating: 0, count: degree + 1)
        for n in stride(from: degree, through: 0, by: -1) {
            for power in stride(from: degree, to: 0, by: -1) {
                coefficients[power] = coefficients[power - 1] - points[n] * coefficients[power]
            }
            coefficients[0] = differences[n] - points[n] * coefficients[0]
        }
        return coefficients
    }
}
