import GNSS

/// KML 2.2 with Google's `gx:Track` (kml22gx.xsd): a placemark a segment, all `when` before all `gx:coord`.
///
/// Heights are above mean sea level, as `absolute` has it; a track of which some are not known is drawn on the ground.
/// Fixes without a date make a plain line in a placemark of its own. A segment of more than ``limit`` fixes becomes a
/// `gx:MultiTrack` of joined tracks, so that memory stays bounded.
struct KMLWriter: TrackWriter {
    /// Vertices of one track at most; about 2 MB in memory.
    static let limit = 40_000

    private var vertices: [Vertex] = []
    private var segment: Int32 = 0
    /// Whether a placemark of several tracks was begun.
    private var isMulti = false

    mutating func begin(_ info: ExportInfo, _ text: inout TextBuffer) {
        text.append(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2" \
            xmlns:gx="http://www.google.com/kml/ext/2.2">
            <Document>
            """)
        text.append(text: info.instruction)
        text.append(element: "name", text: info.name)
        text.append(
            element: "description",
            text: info.creator
                + (info.coordinateSystem.map { "; positions are in \($0), not WGS 84" } ?? ""))
        text.append(
            """

            <Style id="track"><LineStyle><color>ff0000ff</color><width>4</width></LineStyle></Style>

            """)
    }

    mutating func add(_ point: ExportPoint, _ text: inout TextBuffer) {
        let fix = point.record.fix
        let height = fix.altitudeMSL.flatMap { $0.isFinite ? $0 : nil }
        let vertex = Vertex(
            latitude: fix.latitude, longitude: fix.longitude, height: height, time: fix.time)
        if let last = vertices.last {
            if (last.time == nil) != (fix.time == nil) {
                segmentBreak(&text)
            } else if vertices.count >= KMLWriter.limit {
                if last.time == nil {
                    segmentBreak(&text)
                } else {
                    if !isMulti {
                        placemark(&text)
                        text.append("<gx:MultiTrack><gx:interpolate>1</gx:interpolate>")
                    }
                    isMulti = true
                    track(&text)
                }
            }
        }
        segment = point.record.segment
        vertices.append(vertex)
    }

    mutating func segmentBreak(_ text: inout TextBuffer) {
        guard let first = vertices.first else { return }
        if !isMulti { placemark(&text) }
        if first.time != nil { track(&text) } else { line(&text) }
        if isMulti { text.append("</gx:MultiTrack>") }
        isMulti = false
        text.append("</Placemark>\n")
    }

    mutating func end(_ text: inout TextBuffer) {
        segmentBreak(&text)
        text.append("</Document>\n</kml>\n")
    }

    private func placemark(_ text: inout TextBuffer) {
        text.append("<Placemark><name>segment ")
        text.append(segment)
        text.append("</name><styleUrl>#track</styleUrl>")
    }

    private var mode: StaticString {
        vertices.contains { $0.height == nil }
            ? "<altitudeMode>clampToGround</altitudeMode>"
            : "<altitudeMode>absolute</altitudeMode>"
    }

    private mutating func track(_ text: inout TextBuffer) {
        text.append("<gx:Track>")
        text.append(mode)
        text.append("\n")
        for vertex in vertices {
            guard let time = vertex.time else { continue }
            text.append("<when>")
            text.append(time)
            text.append("</when>\n")
        }
        for vertex in vertices {
            text.append("<gx:coord>")
            append(vertex, " ", &text)
            text.append("</gx:coord>\n")
        }
        text.append("</gx:Track>")
        vertices.removeAll(keepingCapacity: true)
    }

    private mutating func line(_ text: inout TextBuffer) {
        let isPoint = vertices.count == 1
        text.append(isPoint ? "<Point>" : "<LineString>")
        text.append(mode)
        text.append("<coordinates>")
        for (index, vertex) in vertices.enumerated() {
            if index > 0 { text.append("\n") }
            append(vertex, ",", &text)
        }
        text.append("</coordinates>")
        text.append(isPoint ? "</Point>" : "</LineString>")
        vertices.removeAll(keepingCapacity: true)
    }

    private func append(_ vertex: Vertex, _ separator: StaticString, _ text: inout TextBuffer) {
        text.append(degrees: vertex.longitude)
        text.append(separator)
        text.append(degrees: vertex.latitude)
        guard let height = vertex.height else { return }
        text.append(separator)
        text.append(height, decimals: 3, trimming: true)
    }
}
