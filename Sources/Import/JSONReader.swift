import GNSS
import JSON

/// Every JSON format: what an object is, is told by its members.
struct JSONReader: PointReader {
    private var splitter = JSONSplitter(
        lists: [
            "features", "locations", "timelineObjects", "semanticSegments", "rawSignals", "data",
        ])
    private var objects = JSONPoints()
    private var hasObject = false
    /// What was fed, and how far it was read.
    private var input: [UInt8] = []
    private var place = 0

    mutating func feed(_ bytes: [UInt8], _ sink: inout PointSink) throws(ImportError) {
        input = bytes
        place = 0
    }

    mutating func more(_ sink: inout PointSink) throws(ImportError) -> Bool {
        if try objects.give(PointSink.plenty, to: &sink) { return true }
        while place < input.count {
            let byte = input[place]
            place += 1
            guard let piece = try splitter.take(byte) else { continue }
            hasObject = true
            let object = CutObject(piece.bytes)
            let value: JSONValue
            do throws(JSONError) {
                value = try JSONValue.parse(object.rest, maximumDepth: 32)
            } catch {
                throw ImportError(line: piece.line + error.line - 1, message: error.message)
            }
            try objects.take(value, object, piece.list, piece.line, &sink)
            if try objects.give(PointSink.plenty, to: &sink) { return true }
        }
        return false
    }

    mutating func finish(_ sink: inout PointSink) throws(ImportError) {
        try splitter.finish()
        if let system = splitter.system { sink.system = system }
        // An empty list is a track without points; nothing at all is no file.
        if !hasObject, splitter.isUntouched {
            throw ImportError(line: 1, message: "no JSON object")
        }
    }
}

/// Points of the objects of all JSON formats.
struct JSONPoints {
    private var geoJSON = GeoJSONPoints()
    private var lastSegment: Double?
    private var lastList: String?

    /// Gives points of lines until the sink has that many.
    ///
    /// - Returns: whether there are more.
    mutating func give(_ count: Int, to sink: inout PointSink) throws(ImportError) -> Bool {
        try geoJSON.give(count, to: &sink)
    }

    /// Takes an object.
    ///
    /// - Parameters:
    ///   - object: where the arrays are that `value` has numbers for.
    ///   - list: the member whose array it is an element of.
    ///   - line: where it begins.
    mutating func take(
        _ value: JSONValue, _ object: CutObject, _ list: String?, _ line: Int,
        _ sink: inout PointSink
    ) throws(ImportError) {
        // Lists of one file tell the same days again.
        if list != lastList { sink.segmentBreak() }
        lastList = list
        let isPoint = value["lat"] != nil || value["latitude"] != nil
        if value["geometry"] != nil || value["type"] != nil && !isPoint {
            try geoJSON.take(value, object, line, &sink)
        } else if value["_type"] != nil {
            try OwnTracksMessage.take(value, line, &sink)
        } else if TakeoutPoints.holds(value, list) {
            try TakeoutPoints.take(value, list, line, &sink)
        } else if isPoint {
            try flat(value, line, &sink)
        } else if list != nil {
            sink.leaveOut(.withoutPosition)
        } else {
            throw ImportError(line: line, message: "an object without a position")
        }
    }

    /// An object that is a point, its members named as columns are.
    private mutating func flat(
        _ value: JSONValue, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        var draft = PointDraft()
        try draft.set(membersOf: value, &sink, line)
        // `tracklog list --json --crs` shows a second position beside the one in WGS 84.
        if value["crs_lat"] == nil {
            sink.system = value["crs"]?.string.map { String($0.prefix(64)) }
        }
        if let segment = value["segment"]?.number {
            if lastSegment != segment { sink.beginSegment() }
            lastSegment = segment
        }
        // This program's exports name the flags only when there are some.
        if draft.flags == nil, value["sequence"] != nil { draft.flags = [] }
        try sink.add(draft, line)
    }
}

extension PointDraft {
    /// Sets every part that a member names; other members say nothing to us.
    mutating func set(
        membersOf value: JSONValue, _ sink: inout PointSink, _ line: Int
    ) throws(ImportError) {
        let members = value.object?.members ?? []
        var date = ""
        var time = ""
        var bareTime = ""
        for (member, part) in zip(members, sink.parts(of: members.map(\.name))) {
            guard let part else { continue }
            switch member.value {
            case .integer, .number:
                // -1 is how Overland says that it does not know, and no error or speed is negative.
                guard let number = member.value.number else { continue }
                // `{"date": 240305, "time": 100000}`
                if let digits = member.value.integer {
                    if part.field == .date { date = "\(digits)" }
                    if part.field == .time, 0..<1_000_000 ~= digits { bareTime = "\(digits)" }
                }
                try set(part.field, number * part.factor, line)
            case .string(let text):
                guard !NumberField.isUnknown(text) else { continue }
                switch part.field {
                // Words, as `last summer`, say nothing to us.
                case .date: date = "0123456789".contains(text.first ?? " ") ? text : ""
                case .time: time = text
                default: try set(part, text, sink, line)
                }
            case .bool(let isTrue) where part.field == .valid:
                if !isTrue { mode = FixMode.none }
            case .array(let words) where part.field == .flags:
                try set(.flags, words.compactMap(\.string).joined(separator: " "), sink, line)
            default: break
            }
        }
        if !time.isEmpty || !date.isEmpty && (self.time == nil || !bareTime.isEmpty) {
            self.time = try sink.time(time.isEmpty ? bareTime : time, on: date, line)
        }
    }
}
