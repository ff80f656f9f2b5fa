import GNSS

/// KML 2.2 and 2.3: `gx:Track` and `Track`, `LineString` without times, `Point` with a `TimeStamp`.
///
/// Heights are above mean sea level, as `absolute` has it; those that are relative to the ground are none. What stands
/// behind the points of a track, as speeds, belongs to them; of more than 16,384 points only where the file's
/// `Schema` names it, as memory does not grow with what may come.
struct KMLHandler: XMLHandler {
    private var isKML = false
    private var text = ElementText()
    /// The track that is open; its times and places may be millions, one before the other.
    private var times = PackedNumbers(scale: 1)
    private var places = Places()
    private var inTrack = false
    /// Whether the tracks of a `MultiTrack` are parts of one.
    private var isJoined = false
    private var isFirstTrack = true
    /// The geometry whose `coordinates` are read.
    private var geometry = Geometry.none
    private var line = CoordinateList()
    private var inCoordinates = false
    private var heights = HeightMode.ground
    /// Whether tracks of any length wait for their end, as a schema names what stands there.
    private var hasArrays = false
    /// Whether the points of the track are given as they come: it is too long to wait.
    private var isStreaming = false
    private static let waitsAtMost = 16_384
    /// What values stand behind the points of the track and belong to them, as far as they are read; NaN for one that
    /// is unknown.
    private var arrays: [(part: PointPart, values: PackedNumbers)] = []
    private var inArray = false
    private var placeTime: UTCTime?
    /// Whether what came last was a track or a line, which points do not go on with.
    private var isBehindLine = false
    private var pointOfPlace: PointDraft?

    private enum Geometry {
        case none
        case point
        case line
        /// The rim of an area, which nobody need have walked.
        case ring
    }

    mutating func begin(
        _ name: String, _ attribute: (String) -> String?, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        text.reset()
        switch name {
        case "kml": isKML = true
        case "Placemark":
            placeTime = nil
            pointOfPlace = nil
        case "MultiTrack":
            isJoined = false
            isFirstTrack = true
        case "Track":
            inTrack = true
            isBehindLine = true
            heights = .ground
            if isFirstTrack || !isJoined { sink.beginSegment() }
            isFirstTrack = false
        case "LineString":
            geometry = .line
            isBehindLine = true
            heights = .ground
            sink.beginSegment()
        case "Point":
            geometry = .point
            heights = .ground
        case "LinearRing": geometry = .ring
        // Google's since 2010, and KML 2.3.
        case "SimpleArrayField":
            hasArrays = hasArrays || attribute("name").flatMap { PointPart(named: $0) } != nil
        case "SimpleArrayData" where inTrack && !isStreaming:
            guard let part = attribute("name").flatMap({ PointPart(named: $0) }) else { break }
            arrays.append((part, PackedNumbers(scale: 1e3)))
            inArray = true
        case "coordinates":
            self.line = CoordinateList()
            inCoordinates = geometry == .point || geometry == .line
        default: break
        }
    }

    mutating func text(
        _ piece: UnsafeBufferPointer<UInt8>, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        guard inCoordinates else { return unsafe text.append(piece) }
        // The list may be megabytes long: its points are taken as they come.
        for index in 0..<piece.count {
            if let tuple = self.line.take(unsafe piece[index]) { try place(tuple, line, &sink) }
        }
    }

    mutating func end(
        _ name: String, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        switch name {
        case "altitudeMode": heights = HeightMode(text.trimmed)
        case "value" where inArray:
            arrays[arrays.count - 1].values.append(NumberField.parse(text.trimmed) ?? .nan)
        case "SimpleArrayData": inArray = false
        case "when":
            let word = text.trimmed
            let time = word.isEmpty ? nil : try sink.time(word, line)
            if inTrack {
                times.append(time.map { Double($0.milliseconds) } ?? .nan)
                try join(line, &sink)
            } else {
                placeTime = time
            }
        case "coord" where inTrack:
            let text = text.trimmed
            if text.isEmpty {
                // A place that is not known, as Google's reference has it.
                places.append(.nan, .nan, .nan)
                try join(line, &sink)
                break
            }
            guard let place = CoordinateList.draft(text, by: " ", heights)
            else { throw ImportError(line: line, message: "coord is not two or three numbers") }
            places.append(
                place.latitude ?? .nan, place.longitude ?? .nan, place.fix.altitudeMSL ?? .nan)
            try join(line, &sink)
        case "Track":
            inTrack = false
            defer {
                times = PackedNumbers(scale: 1)
                places = Places()
                arrays = []
                isStreaming = false
            }
            try join(line, &sink, isAtEnd: true)
            guard times.isEmpty, places.count == 0 else {
                throw ImportError(
                    line: line, message: "a track with as many times as coordinates is needed")
            }
        case "interpolate": isJoined = ["1", "true"].contains(text.trimmed)
        case "MultiTrack": isJoined = false
        case "coordinates":
            if inCoordinates, let tuple = self.line.take(32) { try place(tuple, line, &sink) }
            inCoordinates = false
        case "LineString", "LinearRing", "Point": geometry = .none
        case "Placemark":
            guard var point = pointOfPlace else { break }
            pointOfPlace = nil
            guard let time = placeTime else {
                sink.leaveOut(.waypoint)
                break
            }
            point.time = time
            if isBehindLine { sink.segmentBreak() }
            isBehindLine = false
            try sink.add(point, line)
        default: break
        }
        text.reset()
    }

    mutating func finish(_ line: Int, _ sink: inout PointSink) throws(ImportError) {
        guard isKML else { throw ImportError(line: line, message: "no kml element: not KML") }
    }

    /// Gives what has both a time and a place; either may come first, or all of one before all of the other.
    private mutating func join(
        _ line: Int, _ sink: inout PointSink, isAtEnd: Bool = false
    ) throws(ImportError) {
        let count = min(times.count, places.count)
        isStreaming = isStreaming || !hasArrays && count > KMLHandler.waitsAtMost
        guard isStreaming || isAtEnd else { return }
        arrays.removeAll { $0.values.count != count }
        for _ in 0..<count {
            guard let place = places.popFirst(), let time = times.popFirst() else { return }
            var point = PointDraft()
            for index in arrays.indices {
                guard let value = arrays[index].values.popFirst(), !value.isNaN else { continue }
                let part = arrays[index].part
                try point.set(part.field, value * part.factor, line)
            }
            guard !place.latitude.isNaN else {
                sink.leaveOut(.withoutPosition)
                continue
            }
            point.time = time.isNaN ? nil : UTCTime(milliseconds: Int64(time))
            point.latitude = place.latitude
            point.longitude = place.longitude
            if !place.height.isNaN { point.fix.altitudeMSL = place.height }
            try sink.add(point, line)
        }
    }

    private mutating func place(
        _ tuple: String, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        guard let draft = CoordinateList.draft(tuple, by: ",", heights) else {
            throw ImportError(line: line, message: "coordinates are not lon,lat or lon,lat,height")
        }
        if geometry == .point {
            pointOfPlace = draft
        } else {
            try sink.add(draft, line)
        }
    }
}

/// What heights are told from.
private enum HeightMode {
    /// Nothing is drawn at them.
    case ground
    /// The ground or the floor of the sea, whose heights nobody here knows.
    case relative
    /// The level of the sea.
    case absolute

    init(_ word: String) {
        self = word == "absolute" ? .absolute : word.hasPrefix("relative") ? .relative : .ground
    }
}

/// Places of a track; NaN for what is not known.
private struct Places {
    private var latitudes = PackedNumbers(scale: 1e7)
    private var longitudes = PackedNumbers(scale: 1e7)
    private var heights = PackedNumbers(scale: 1e3)

    var count: Int { latitudes.count }

    mutating func append(_ latitude: Double, _ longitude: Double, _ height: Double) {
        latitudes.append(latitude)
        longitudes.append(longitude)
        heights.append(height)
    }

    mutating func popFirst() -> (latitude: Double, longitude: Double, height: Double)? {
        guard let latitude = latitudes.popFirst(), let longitude = longitudes.popFirst(),
            let height = heights.popFirst()
        else { return nil }
        return (latitude, longitude, height)
    }
}

/// Tuples with white space between them.
private struct CoordinateList {
    private var tuple: [UInt8] = []

    /// Takes a byte; gives the tuple that it ends.
    mutating func take(_ byte: UInt8) -> String? {
        guard byte <= 32 else {
            if tuple.count < 256 { tuple.append(byte) }
            return nil
        }
        guard !tuple.isEmpty else { return nil }
        defer { tuple.removeAll(keepingCapacity: true) }
        return String(decoding: tuple, as: UTF8.self)
    }

    /// Longitude, latitude and perhaps a height.
    static func draft(
        _ text: String, by separator: Character, _ mode: HeightMode
    ) -> PointDraft? {
        let numbers = text.split(separator: separator).map { NumberField.parse($0) }
        guard (2...3).contains(numbers.count), let longitude = numbers[0],
            let latitude = numbers[1]
        else { return nil }
        var draft = PointDraft()
        draft.longitude = longitude
        draft.latitude = latitude
        if numbers.count == 3 {
            guard let height = numbers[2] else { return nil }
            // Where heights are not drawn, programs write 0 for one they do not know.
            if mode == .absolute || mode == .ground && height != 0 {
                draft.fix.altitudeMSL = height
            }
        }
        return draft
    }
}
