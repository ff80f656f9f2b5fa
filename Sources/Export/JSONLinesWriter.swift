import GNSS

/// JSON Lines: the members every other part of the program gives a fix, then where it stands in the track.
///
/// `crs` names the coordinate system when it is not WGS 84.
struct JSONLinesWriter: TrackWriter {
    private var system: String?

    mutating func begin(_ info: ExportInfo, _ text: inout TextBuffer) {
        system = info.systemWord
    }

    mutating func add(_ point: ExportPoint, _ text: inout TextBuffer) {
        let record = point.record
        text.append("{")
        text.appendMembers(of: record.fix)
        text.append(",\"sequence\":")
        text.append(record.sequence)
        if let id = point.id {
            text.append(",\"id\":\"")
            text.append(id)
            text.append("\"")
        }
        if record.segment != 0 {
            text.append(",\"segment\":")
            text.append(record.segment)
        }
        text.appendMember(flags: record.flags)
        if let system {
            text.append(",\"crs\":")
            text.append(json: system)
        }
        text.append("}\n")
    }

    mutating func segmentBreak(_ text: inout TextBuffer) {}

    mutating func end(_ text: inout TextBuffer) {}
}
