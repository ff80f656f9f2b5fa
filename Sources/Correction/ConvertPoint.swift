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
        try count(latitude, longitude, line)
        guard options.from != options.to else { return nil }
        let undone: (position: Position<WGS84>, boundary: BoundaryCase)
        switch options.from {
        case .wgs84: undone = (Position(unchecked: latitude, longitude), .clear)
        case .gcj02:
            undone = options.policy.choose(
                between: GCJ02Table.shared.toWGS84(latitude: latitude, longitude: longitude),
                and: (latitude, longitude))
        case .bd09: undone = Position<BD09>(unchecked: latitude, longitude).wgs84(options.policy)
        }
        return try finish(undone, latitude, longitude, line)
    }

    /// The positions of lines in the other system, each as ``convert(latitude:longitude:line:)`` gives it.
    mutating func convert(
        _ lines: [LineBatch.Line]
    ) throws(ConvertError) -> [(latitude: Double, longitude: Double)?] {
        var results = [(latitude: Double, longitude: Double)?](repeating: nil, count: lines.count)
        let lines = lines.span
        guard options.from == .gcj02, options.to != .gcj02 else {
            for index in lines.indices {
                let line = lines[index]
                results[index] = try convert(
                    latitude: line.latitude, longitude: line.longitude, line: line.number)
            }
            return results
        }
        var positions = [(latitude: Double, longitude: Double)](
            repeating: (0, 0), count: lines.count)
        for index in lines.indices {
            positions[index] = (lines[index].latitude, lines[index].longitude)
        }
        let undone = GCJ02Table.shared.toWGS84(positions)
        var places = results.mutableSpan
        for index in lines.indices {
            let line = lines[index]
            try count(line.latitude, line.longitude, line.number)
            let place = options.policy.choose(
                between: undone[index], and: (line.latitude, line.longitude))
            places[index] = try finish(place, line.latitude, line.longitude, line.number)
        }
        return results
    }

    @inline(__always)
    private mutating func count(
        _ latitude: Double, _ longitude: Double, _ line: Int
    ) throws(ConvertError) {
        counts.positions += 1
        guard abs(latitude) <= 90, abs(longitude) <= 180 else {
            throw ConvertError(
                line: line,
                reason: abs(latitude) <= 180 && abs(longitude) <= 90 ? .swapped : .outOfRange)
        }
    }

    @inline(__always)
    private mutating func finish(
        _ undone: (position: Position<WGS84>, boundary: BoundaryCase), _ latitude: Double,
        _ longitude: Double, _ line: Int
    ) throws(ConvertError) -> (latitude: Double, longitude: Double)? {
        if undone.boundary != .clear { counts.ambiguous += 1 }
        let place = undone.position
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
        guard let lat = DecimalText.parse(bytes.span, latitude),
            let lon = DecimalText.parse(bytes.span, longitude)
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
