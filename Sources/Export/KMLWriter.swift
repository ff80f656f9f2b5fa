import GNSS

/// KML 2.2 with Google's `gx:Track` (kml22gx.xsd): a placemark a segment, all `when` before all `gx:coord`.
///
/// Heights are above mean sea level, as `absolute` has it. Fixes without a height follow the ground, fixes without a
/// date make a plain line, and either starts a placemark of its own; so do ``limit`` fixes, to bound memory.
struct KMLWriter: TrackWriter {
    /// Vertices of one placemark at most; about 2 MB in memory.
    static let limit = 40_000

    private var vertices: [Vertex] = []
    private var segment: Int32 = 0

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
            let isAlike =
                (last.height == nil) == (height == nil) && (last.time == nil) == (fix.time == nil)
            if !isAlike || vertices.count >= KMLWriter.limit { segmentBreak(&text) }
        }
        segment = point.record.segment
        vertices.append(vertex)
    }

    mutating func segmentBreak(_ text: inout TextBuffer) {
        guard let first = vertices.first else { return }
        text.append("<Placemark><name>segment ")
        text.append(segment)
        text.append("</name><styleUrl>#track</styleUrl>")
        let mode: StaticString =
            first.height == nil
            ? "<altitudeMode>clampToGround</altitudeMode>"
            : "<altitudeMode>absolute</altitudeMode>"
        if first.time != nil {
            track(mode, &text)
        } else {
            line(mode, &text)
        }
        text.append("</Placemark>\n")
        vertices.removeAll(keepingCapacity: true)
    }

    mutating func end(_ text: inout TextBuffer) {
        segmentBreak(&text)
        text.append("</Document>\n</kml>\n")
    }

    private func track(_ mode: StaticString, _ text: inout TextBuffer) {
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
    }

    private func line(_ mode: StaticString, _ text: inout TextBuffer) {
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
