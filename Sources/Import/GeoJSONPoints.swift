import GNSS
import JSON

/// Points of GeoJSON (RFC 7946): lines with `coordTimes`, and points whose properties have a time.
///
/// The third coordinate is the height above the ellipsoid (section 3.1.1).
struct GeoJSONPoints {
    func take(
        _ value: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        switch value["type"]?.string {
        case "Feature", nil:
            guard let geometry = value["geometry"] else {
                throw ImportError(line: line, message: "a feature without geometry")
            }
            guard geometry != .null else { return sink.leaveOut(.withoutPosition) }
            try take(geometry: geometry, value["properties"] ?? .null, line, &sink)
        // A collection that is streamed does not come here; an empty one does.
        case "FeatureCollection": break
        default: try take(geometry: value, .null, line, &sink)
        }
    }

    private func take(
        geometry: JSONValue, _ properties: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        guard let kind = geometry["type"]?.string else {
            throw ImportError(line: line, message: "a geometry without a type")
        }
        let coordinates = geometry["coordinates"] ?? .null
        let times = properties["coordTimes"] ?? properties["times"] ?? .null
        switch kind {
        case "LineString":
            breakUnlessContinued(properties, &sink)
            let places = try positions(coordinates, line)
            try add(places[...], try self.times(times, places.count, line, sink), line, &sink)
        case "MultiLineString":
            try lines(coordinates, times, properties, line, &sink)
        case "Point": try point(coordinates, properties, line, &sink)
        case "MultiPoint", "Polygon", "MultiPolygon": sink.leaveOut(.waypoint)
        case "GeometryCollection":
            for part in geometry["geometries"]?.array ?? [] where part["type"] != geometry["type"] {
                try take(geometry: part, properties, line, &sink)
            }
        default: throw ImportError(line: line, message: "an unknown type of geometry")
        }
    }

    /// This program's exports cut long lines, and say so.
    private func breakUnlessContinued(_ properties: JSONValue, _ sink: inout PointSink) {
        if properties["continues"] != .bool(true) { sink.segmentBreak() }
    }

    private func lines(
        _ coordinates: JSONValue, _ times: JSONValue, _ properties: JSONValue, _ line: Int,
        _ sink: inout PointSink
    ) throws(ImportError) {
        guard let parts = coordinates.array else {
            throw ImportError(line: line, message: "coordinates are not an array")
        }
        breakUnlessContinued(properties, &sink)
        let timesOfParts = times.array ?? []
        var before: PointDraft?
        for (index, part) in parts.enumerated() {
            let places = try positions(part, line)
            let times = try self.times(
                index < timesOfParts.count ? timesOfParts[index] : .null, places.count, line, sink)
            var rest = places[...]
            // A line cut at the antimeridian (section 3.1.9) was never there: its ends are not fixes.
            let meets = before.map { GeoJSONPoints.meetsAtAntimeridian($0, rest.first) } ?? false
            if meets {
                rest = rest.dropFirst()
            } else if index > 0 {
                sink.segmentBreak()
            }
            before = rest.last
            if index + 1 < parts.count, let last = rest.last, last.longitude?.magnitude == 180 {
                let next = try positions(parts[index + 1], line).first
                if GeoJSONPoints.meetsAtAntimeridian(last, next) { rest = rest.dropLast() }
            }
            try add(rest, times, line, &sink)
        }
    }

    private static func meetsAtAntimeridian(_ a: PointDraft, _ b: PointDraft?) -> Bool {
        guard let b, let from = a.longitude, let to = b.longitude else { return false }
        return from.magnitude == 180 && to == -from && a.latitude == b.latitude
    }

    private func point(
        _ coordinates: JSONValue, _ properties: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        var draft = try position(coordinates, line)
        try draft.set(membersOf: properties, sink, line)
        // One point of a segment of this program's exports has its time in a list of one.
        if draft.time == nil, let time = properties["coordTimes"]?.string {
            draft.time = try sink.time(time, line)
        }
        guard draft.time != nil else { return sink.leaveOut(.waypoint) }
        try sink.add(draft, line)
    }

    private func positions(_ value: JSONValue, _ line: Int) throws(ImportError) -> [PointDraft] {
        guard let list = value.array else {
            throw ImportError(line: line, message: "coordinates are not an array")
        }
        var places: [PointDraft] = []
        places.reserveCapacity(list.count)
        for element in list { places.append(try position(element, line)) }
        return places
    }

    private func position(_ value: JSONValue, _ line: Int) throws(ImportError) -> PointDraft {
        guard let numbers = value.array, numbers.count >= 2, let longitude = numbers[0].number,
            let latitude = numbers[1].number
        else { throw ImportError(line: line, message: "a position is not [lon, lat]") }
        var draft = PointDraft()
        try draft.set(.longitude, longitude, line)
        try draft.set(.latitude, latitude, line)
        if numbers.count > 2, let height = numbers[2].number {
            try draft.set(.altitudeHAE, height, line)
        }
        return draft
    }

    private func times(
        _ value: JSONValue, _ count: Int, _ line: Int, _ sink: PointSink
    ) throws(ImportError) -> [UTCTime?] {
        guard let list = value.array else { return [] }
        guard list.count == count else {
            throw ImportError(line: line, message: "not as many times as coordinates")
        }
        var times: [UTCTime?] = []
        for element in list {
            switch element {
            case .null: times.append(nil)
            case .string(let text): times.append(try sink.time(text, line))
            case .integer, .number: times.append(element.number.flatMap(TimeField.instant))
            default: throw ImportError(line: line, message: "a time that is none")
            }
        }
        return times
    }

    private func add(
        _ places: ArraySlice<PointDraft>, _ times: [UTCTime?], _ line: Int,
        _ sink: inout PointSink
    ) throws(ImportError) {
        for index in places.indices {
            var draft = places[index]
            if index < times.count { draft.time = times[index] }
            try sink.add(draft, line)
        }
    }
}
