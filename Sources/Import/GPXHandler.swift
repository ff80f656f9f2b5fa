import GNSS

/// GPX 1.0 and 1.1 (topografix.com), with the speed, course and accuracy that loggers put into extensions.
struct GPXHandler: XMLHandler {
    private var isGPX = false
    private var draft: PointDraft?
    private var text = ElementText()

    mutating func begin(
        _ name: String, _ attribute: (String) -> String?, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        text.reset()
        switch name {
        case "gpx": isGPX = true
        case "trkseg": sink.beginSegment()
        case "trkpt":
            var point = PointDraft()
            for (name, field) in [("lat", PointField.latitude), ("lon", .longitude)] {
                // Blanks around an xsd:decimal are none of it (XML Schema, part 2, 4.3.6).
                try point.set(field, ElementText(attribute(name) ?? "").trimmed, sink, line)
            }
            draft = point
        case "wpt": sink.leaveOut(.waypoint)
        case "rtept": sink.leaveOut(.routePoint)
        default: break
        }
    }

    mutating func text(
        _ piece: UnsafeBufferPointer<UInt8>, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        if draft != nil { unsafe text.append(piece) }
    }

    mutating func end(
        _ name: String, _ line: Int, _ sink: inout PointSink
    ) throws(ImportError) {
        guard var point = draft else { return }
        switch name {
        case "trkpt":
            draft = nil
            return try sink.add(point, line)
        case "ele": try point.set(.altitudeMSL, text.trimmed, sink, line)
        case "time": try point.set(.time, text.trimmed, sink, line)
        case "geoidheight": try point.set(.geoidSeparation, text.trimmed, sink, line)
        // Ours: the schema has no place for it.
        case "hae": try point.set(.altitudeHAE, text.trimmed, sink, line)
        case "sat": try point.set(.satellitesUsed, text.trimmed, sink, line)
        case "hdop": try point.set(.hdop, text.trimmed, sink, line)
        case "vdop": try point.set(.vdop, text.trimmed, sink, line)
        case "pdop": try point.set(.pdop, text.trimmed, sink, line)
        case "speed": try point.set(.speed, text.trimmed, sink, line)
        case "course": try point.set(.course, text.trimmed, sink, line)
        case "id": try point.set(.id, text.trimmed, sink, line)
        case "accuracy", "accuracy_horizontal": try point.set(.eph, text.trimmed, sink, line)
        case "accuracy_vertical": try point.set(.epv, text.trimmed, sink, line)
        case "src":
            if text.trimmed == "interpolated" { point.flags = [.interpolated] }
        // `fix` has a word for few of them; another program's may mean something else.
        case "status":
            point.fix.status =
                FixStatus.allCases.first { $0.name == text.trimmed } ?? point.fix.status
        case "fix":
            switch text.trimmed {
            case "none": point.mode = FixMode.none
            case "2d": point.mode = .twoD
            case "3d": point.mode = .threeD
            case "dgps": point.fix.status = .dgps
            case "pps": point.fix.status = .py
            default: break
            }
        default: return
        }
        text.reset()
        draft = point
    }

    mutating func finish(_ line: Int, _ sink: inout PointSink) throws(ImportError) {
        guard isGPX else { throw ImportError(line: line, message: "no gpx element: not GPX") }
    }
}
