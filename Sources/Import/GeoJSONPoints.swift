import GNSS
import JSON

/// Points of GeoJSON (RFC 7946): lines with `coordTimes`, and points whose properties have a time.
///
/// The third coordinate is the height above the ellipsoid (section 3.1.1).
struct GeoJSONPoints {
    /// Lines that were begun and not given to their end.
    private var lines: [GeoJSONLine] = []

    /// Gives points of lines until the sink has that many.
    ///
    /// - Returns: whether there are more.
    mutating func give(_ count: Int, to sink: inout PointSink) throws(ImportError) -> Bool {
        while !lines.isEmpty {
            if try lines[0].give(count, to: &sink) { return true }
            lines.removeFirst()
        }
        return false
    }

    /// Takes a feature or a geometry.
    ///
    /// - Parameter object: where the arrays are that `value` has numbers for.
    mutating func take(
        _ value: JSONValue, _ object: CutObject, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        switch value["type"]?.string {
        case "Feature", nil:
            guard let geometry = value["geometry"] else {
                throw ImportError(line: line, message: "a feature without geometry")
            }
            guard geometry != .null else { return sink.leaveOut(.withoutPosition) }
            if let system = value["properties"]?["coordinate_system"]?.string {
                sink.system = String(system.prefix(64))
            }
            // In this program's exports the feature is named as one of its fixes.
            let store = value["id"]?.string.flatMap { FixID($0) }?.store
            try take(
                geometry: geometry, value["properties"] ?? .null, store, object, line, &sink)
        // A collection that is streamed does not come here; an empty one does.
        case "FeatureCollection": break
        default: try take(geometry: value, .null, nil, object, line, &sink)
        }
    }

    private mutating func take(
        geometry: JSONValue, _ properties: JSONValue, _ store: String?, _ object: CutObject,
        _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        guard let kind = geometry["type"]?.string else {
            throw ImportError(line: line, message: "a geometry without a type")
        }
        let coordinates = geometry["coordinates"] ?? .null
        switch kind {
        case "LineString", "MultiLineString":
            // This program's exports cut long lines, and say so.
            if properties["continues"] != .bool(true) { sink.beginSegment() }
            if coordinates == .array([]) { break }
            let times = GeoJSONPoints.times(properties)
            guard let places = coordinates.integer.flatMap(object.cursor),
                var begun = GeoJSONLine(
                    places, times?.integer.flatMap(object.cursor),
                    isMulti: kind == "MultiLineString", line)
            else {
                throw ImportError(line: line, message: "coordinates are not an array of positions")
            }
            if let store, let names = properties["sequences"]?.integer.flatMap(object.cursor) {
                begun.name(store, names)
            }
            lines.append(begun)
        case "Point": try point(coordinates, properties, store, object, line, &sink)
        case "MultiPoint", "Polygon", "MultiPolygon": sink.leaveOut(.waypoint)
        case "GeometryCollection":
            for part in geometry["geometries"]?.array ?? [] where part["type"] != geometry["type"] {
                try take(geometry: part, properties, store, object, line, &sink)
            }
        default: throw ImportError(line: line, message: "an unknown type of geometry")
        }
    }

    private func point(
        _ coordinates: JSONValue, _ properties: JSONValue, _ store: String?, _ object: CutObject,
        _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        guard let numbers = coordinates.array, numbers.count >= 2,
            let longitude = numbers[0].number, let latitude = numbers[1].number
        else { throw ImportError(line: line, message: "a position is not [lon, lat]") }
        var draft = PointDraft()
        try draft.set(.longitude, longitude, line)
        try draft.set(.latitude, latitude, line)
        if numbers.count > 2, let height = numbers[2].number {
            try draft.set(.altitudeHAE, height, line)
        }
        try draft.set(membersOf: properties, &sink, line)
        if let store, let sequence = properties["sequences"]?.integer, sequence > 0 {
            draft.id = FixID(store: store, sequence: sequence)
        }
        // A segment of one point has its time where a line has its times, alone or as the only one in an array.
        let time = GeoJSONPoints.times(properties)
        if draft.time == nil, let time {
            draft.time = try instant(time, object, sink, line)
        }
        guard draft.time != nil || time != nil else { return sink.leaveOut(.waypoint) }
        if time != nil, properties["continues"] != .bool(true) { sink.beginSegment() }
        try sink.add(draft, line)
    }
    /// Where times of coordinates stand.
    private static func times(_ properties: JSONValue) -> JSONValue? {
        properties["coordTimes"] ?? properties["times"]
            // As togeojson writes them since version 5.
            ?? properties["coordinateProperties"]?["times"]
    }

    private func instant(
        _ value: JSONValue, _ object: CutObject, _ sink: PointSink, _ line: Int
    ) throws(ImportError) -> UTCTime? {
        if let index = value.integer, var array = object.cursor(of: index) {
            guard array.enter(), array.hasNext() == true, let word = array.scalar() else {
                return nil
            }
            return try GeoJSONLine.time(word.word, isText: word.isText, sink, line)
        }
        if let text = value.string { return try sink.time(text, line) }
        return value.number.flatMap(TimeField.instant)
    }
}
