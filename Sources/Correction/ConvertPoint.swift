import Geodesy

/// What a conversion did.
public struct ConvertCounts: Equatable, Sendable {
    /// Positions in the file.
    public var positions = 0
    /// Positions that were changed.
    public var moved = 0
    /// Positions so close to a border that another answer was possible.
    public var ambiguous = 0

    /// No positions.
    public init() {}
}

/// Converts single positions, as text.
struct PointConverter: Sendable {
    let options: ConvertOptions
    var counts = ConvertCounts()
    /// What stays unconverted, in words.
    var warnings: [String] = []

    init(_ options: ConvertOptions) {
        self.options = options
    }

    /// The position in the other system; `nil` when it stays as it is.
    mutating func convert(
        latitude: Double, longitude: Double, line: Int
    ) throws(ConvertError) -> (latitude: Double, longitude: Double)? {
        counts.positions += 1
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            throw ConvertError(
                line: line,
                reason: abs(latitude) <= 180 && abs(longitude) <= 90 ? .swapped : .outOfRange)
        }
        guard options.from != options.to else { return nil }
        var place: Position<WGS84>
        var boundary = BoundaryCase.clear
        switch options.from {
        case .wgs84: place = Position(unchecked: latitude, longitude)
        case .gcj02:
            (place, boundary) = Position<GCJ02>(unchecked: latitude, longitude)
                .wgs84(options.policy)
        case .bd09:
            (place, boundary) = Position<BD09>(unchecked: latitude, longitude)
                .wgs84(options.policy)
        }
        if boundary != .clear { counts.ambiguous += 1 }
        let result: (latitude: Double, longitude: Double)
        switch options.to {
        case .wgs84: result = (place.latitude, place.longitude)
        case .gcj02:
            let shifted = place.gcj02(options.policy)
            result = (shifted.latitude, shifted.longitude)
        case .bd09:
            let shifted = place.bd09(options.policy)
            result = (shifted.latitude, shifted.longitude)
        }
        guard Angle.isPosition(latitude: result.latitude, longitude: result.longitude) else {
            throw ConvertError(line: line, reason: .outOfRange)
        }
        if result.latitude == latitude, result.longitude == longitude { return nil }
        counts.moved += 1
        return result
    }

    /// Converts the pair whose texts are `latitude` and `longitude`, and appends `bytes[start..<end]` with the
    /// new texts in their places.
    mutating func rewrite(
        _ bytes: [UInt8], _ start: Int, _ end: Int, latitude: Range<Int>, longitude: Range<Int>,
        line: Int, _ output: inout [UInt8]
    ) throws(ConvertError) {
        guard let lat = DecimalText.parse(bytes, latitude),
            let lon = DecimalText.parse(bytes, longitude)
        else { throw ConvertError(line: line, reason: .malformed("not a number in a position")) }
        guard let moved = try convert(latitude: lat, longitude: lon, line: line) else {
            output += bytes[start..<end]
            return
        }
        let latitudeFirst = latitude.lowerBound < longitude.lowerBound
        let (first, second) = latitudeFirst ? (latitude, longitude) : (longitude, latitude)
        output += bytes[start..<first.lowerBound]
        DecimalText.append(latitudeFirst ? moved.latitude : moved.longitude, &output)
        output += bytes[first.upperBound..<second.lowerBound]
        DecimalText.append(latitudeFirst ? moved.longitude : moved.latitude, &output)
        output += bytes[second.upperBound..<end]
    }

    /// What to write where the file names its own system.
    ///
    /// - Throws: when it names another than it was given for.
    func declaration(_ text: String, line: Int) throws(ConvertError) -> CRS {
        guard let declared = CRS(declaration: text) else {
            throw ConvertError(line: line, reason: .unknownSystem(text))
        }
        guard declared == options.from else {
            throw ConvertError(line: line, reason: .declared(declared, given: options.from))
        }
        return options.to
    }
}

extension CRS {
    /// The system that a file's own words mean; `nil` when they name another.
    public init?(declaration text: String) {
        let word = text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
        if word.contains("gcj02") {
            self = .gcj02
        } else if word.contains("bd09") {
            self = .bd09
        } else if ["wgs84", "crs84", "epsg:4326", "epsg::4326", "epsg:4979", "epsg::4979"]
            .contains(where: { word.contains($0) })
        {
            self = .wgs84
        } else {
            return nil
        }
    }
}

/// Decimal numbers as bytes, the same in every locale.
enum DecimalText {
    /// The number that fills the range: sign, digits, point, exponent; `nil` for anything else.
    static func parse(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
        var index = range.lowerBound
        let end = range.upperBound
        guard index < end else { return nil }
        var negative = false
        if bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            negative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        var mantissa: UInt64 = 0
        var digits = 0
        var decimals = 0
        var seenPoint = false
        while index < end {
            let byte = bytes[index]
            if byte >= 48, byte <= 57 {
                mantissa = mantissa &* 10 &+ UInt64(byte - 48)
                digits += 1
                if seenPoint { decimals += 1 }
            } else if byte == UInt8(ascii: "."), !seenPoint {
                seenPoint = true
            } else {
                break
            }
            index += 1
        }
        guard digits > 0 else { return nil }
        // Exact: a whole number under 2^53 over a power of ten under 10^22 (Clinger, 1990).
        guard index == end, digits <= 19, mantissa < 1 << 53 else {
            return slow(bytes, range)
        }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let value = Double(mantissa) / scale
        return negative ? -value : value
    }

    /// Long numbers and exponents.
    private static func slow(_ bytes: [UInt8], _ range: Range<Int>) -> Double? {
        let allowed = bytes[range].allSatisfy {
            ($0 >= 48 && $0 <= 57) || $0 == 43 || $0 == 45 || $0 == 46 || ($0 | 32) == 101
        }
        guard allowed, range.count <= 64 else { return nil }
        return Double(String(decoding: bytes[range], as: UTF8.self)).flatMap {
            $0.isFinite ? $0 : nil
        }
    }

    /// Appends degrees with ten decimals (a hundredth of a millimetre), trailing zeros dropped.
    static func append(_ degrees: Double, _ output: inout [UInt8]) {
        let units = UInt64(abs(degrees) * 1e10 + 0.5)
        if degrees < 0, units > 0 { output.append(UInt8(ascii: "-")) }
        let whole = UInt32(truncatingIfNeeded: units / 10_000_000_000)
        let fraction = units % 10_000_000_000
        if whole >= 100 { output.append(48 + UInt8(whole / 100)) }
        if whole >= 10 { output.append(48 + UInt8(whole / 10 % 10)) }
        output.append(48 + UInt8(whole % 10))
        guard fraction > 0 else { return }
        output.append(UInt8(ascii: "."))
        append(fiveDigits: UInt32(truncatingIfNeeded: fraction / 100_000), &output)
        append(fiveDigits: UInt32(truncatingIfNeeded: fraction % 100_000), &output)
        while output.last == 48 { output.removeLast() }
    }

    /// Divides by constants only, which costs a multiplication each.
    private static func append(fiveDigits value: UInt32, _ output: inout [UInt8]) {
        output.append(48 + UInt8(truncatingIfNeeded: value / 10_000))
        output.append(48 + UInt8(truncatingIfNeeded: value / 1000 % 10))
        output.append(48 + UInt8(truncatingIfNeeded: value / 100 % 10))
        output.append(48 + UInt8(truncatingIfNeeded: value / 10 % 10))
        output.append(48 + UInt8(truncatingIfNeeded: value % 10))
    }
}
