import GNSS
import JSON

/// Points of Google Takeout: `Records.json`, semantic history up to 2024, and the Timeline that phones export since.
///
/// Google publishes no schema; the members are those its files have. A place visited is one that was looked up, not
/// measured: it comes as ``FixStatus/surveyed``, so that it is stored and stays out of the clean track.
enum TakeoutPoints {
    /// Whether an object is of one of these.
    static func holds(_ value: JSONValue, _ list: String?) -> Bool {
        switch list {
        case "locations", "timelineObjects", "semanticSegments", "rawSignals": true
        default: value["startTime"] != nil || value["latitudeE7"] != nil
        }
    }

    static func take(
        _ value: JSONValue, _ list: String?, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        switch list {
        case "rawSignals": try signal(value, line, &sink)
        case "timelineObjects": try timelineObject(value, line, &sink)
        default:
            if value["startTime"] != nil {
                try semanticSegment(value, line, &sink)
            } else {
                try record(value, line, &sink)
            }
        }
    }

    private static func record(
        _ value: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        guard var draft = try place(value, "latitudeE7", "longitudeE7", line) else {
            return sink.leaveOut(.withoutPosition)
        }
        draft.time = try time(value["timestamp"] ?? value["timestampMs"], line, sink)
        try number(value["altitude"], .altitudeMSL, &draft, line)
        try number(value["velocity"], .speed, &draft, line)
        try number(value["heading"], .course, &draft, line)
        try number(value["accuracy"], .eph, &draft, line)
        try number(value["verticalAccuracy"], .epv, &draft, line)
        if let tag = value["deviceTag"]?.integer {
            // Two phones of one account are judged apart and have lines of their own.
            draft.fix.device = sink.receiver(named: "\(tag)")
        }
        try sink.add(draft, line)
    }

    /// `timelineObjects`: drives and walks with their paths, and visits.
    private static func timelineObject(
        _ value: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        if let visit = value["placeVisit"] {
            guard let location = visit["location"],
                var draft = try place(location, "latitudeE7", "longitudeE7", line)
            else { return sink.leaveOut(.withoutPosition) }
            let duration = visit["duration"]
            draft.time = try time(
                duration?["startTimestamp"] ?? duration?["startTimestampMs"], line, sink)
            TakeoutPoints.markVisit(&draft)
            return try sink.add(draft, line)
        }
        let path = value["activitySegment"]?["simplifiedRawPath"]?["points"]?.array ?? []
        guard !path.isEmpty else { return sink.leaveOut(.withoutPosition) }
        for point in path {
            guard var draft = try place(point, "latE7", "lngE7", line) else { continue }
            draft.time = try time(point["timestamp"] ?? point["timestampMs"], line, sink)
            try number(point["accuracyMeters"], .eph, &draft, line)
            try sink.add(draft, line)
        }
    }

    /// `semanticSegments` of Android, and the elements of the array that iOS writes.
    private static func semanticSegment(
        _ value: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        let start = try time(value["startTime"], line, sink)
        if let path = value["timelinePath"]?.array {
            for point in path {
                var draft = try place(text: point["point"], line)
                if let own = point["time"] {
                    draft.time = try time(own, line, sink)
                } else if let offset = minutes(point["durationMinutesOffsetFromStartTime"]) {
                    draft.time = start.map {
                        UTCTime(milliseconds: $0.milliseconds &+ offset &* 60_000)
                    }
                }
                try sink.add(draft, line)
            }
            return
        }
        let location = value["visit"]?["topCandidate"]?["placeLocation"]
        guard let location = location?["latLng"] ?? location, location.string != nil else {
            return sink.leaveOut(.withoutPosition)
        }
        var draft = try place(text: location, line)
        draft.time = start
        markVisit(&draft)
        try sink.add(draft, line)
    }

    /// Visits overlap the paths between them in time, so they are judged apart, as another receiver's fixes are.
    private static func markVisit(_ draft: inout PointDraft) {
        draft.fix.status = .surveyed
        draft.fix.device = 255
    }

    private static func signal(
        _ value: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        guard let position = value["position"] else { return sink.leaveOut(.withoutPosition) }
        var draft = try place(text: position["LatLng"] ?? position["latLng"], line)
        draft.time = try time(position["timestamp"], line, sink)
        try number(position["accuracyMeters"], .eph, &draft, line)
        try number(position["altitudeMeters"], .altitudeMSL, &draft, line)
        try number(position["speedMetersPerSecond"], .speed, &draft, line)
        try sink.add(draft, line)
    }

    /// A position in 1e-7 degrees; `nil` when there is none.
    private static func place(
        _ value: JSONValue, _ latitude: String, _ longitude: String, _ line: Int
    ) throws(ImportError) -> PointDraft? {
        guard let north = value[latitude], let east = value[longitude] else { return nil }
        guard let north = north.number, let east = east.number else {
            throw ImportError(line: line, message: "\(latitude) or \(longitude) is no number")
        }
        var draft = PointDraft()
        try draft.set(.latitude, wrapped(north, 900_000_000) / 1e7, line)
        try draft.set(.longitude, wrapped(east, 1_800_000_000) / 1e7, line)
        return draft
    }

    /// Records of 2014 and before have negative numbers written as unsigned 32-bit ones.
    private static func wrapped(_ number: Double, _ greatest: Double) -> Double {
        number > greatest ? number - 4_294_967_296 : number
    }

    /// A position as `48.1234567°, 11.1234567°` or `geo:48.1234567,11.1234567`.
    private static func place(text value: JSONValue?, _ line: Int) throws(ImportError) -> PointDraft
    {
        guard var text = value?.string?[...] else {
            throw ImportError(line: line, message: "a point without a position")
        }
        if text.hasPrefix("geo:") { text = text.dropFirst(4) }
        let numbers = text.split(separator: ",").map { part in
            NumberField.parse(part.filter { $0 != "°" && $0 != " " })
        }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else {
            throw ImportError(line: line, message: "a position is not two numbers")
        }
        var draft = PointDraft()
        draft.latitude = latitude
        draft.longitude = longitude
        return draft
    }

    private static func time(
        _ value: JSONValue?, _ line: Int, _ sink: PointSink
    ) throws(ImportError) -> UTCTime? {
        switch value {
        case .string(let text): return try sink.time(text, line)
        case .integer, .number: return value?.number.flatMap(TimeField.instant)
        case nil, .null: return nil
        default: throw ImportError(line: line, message: "a time that is none")
        }
    }

    private static func minutes(_ value: JSONValue?) -> Int64? {
        let number = value?.number ?? value?.string.flatMap { NumberField.parse($0) }
        return number.flatMap { $0.magnitude < 1e9 ? Int64($0) : nil }
    }

    private static func number(
        _ value: JSONValue?, _ field: PointField, _ draft: inout PointDraft, _ line: Int
    ) throws(ImportError) {
        if let number = value?.number { try draft.set(field, number, line) }
    }
}
