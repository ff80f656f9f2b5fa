import GNSS

/// GeoJSON (RFC 7946): a feature a segment with `coordTimes`, cut at the antimeridian.
///
/// The third coordinate is the height above the ellipsoid (section 3.1.1). A segment of more than
/// ``limit`` fixes becomes several features, so that memory stays bounded; all but its first say `continues`. A feature's
/// `id` is its first fix's name, `sequences` are those of all of them in the same database.
struct GeoJSONWriter: TrackWriter {
    /// Vertices of one feature at most; about 2 MB in memory.
    static let limit = 40_000

    private var info = ExportInfo(name: "", creator: "")
    private var vertices: [Vertex] = []
    private var segment: Int32 = 0
    private var isFirst = true
    /// Whether the feature goes on with the line of the one before.
    private var continues = false

    mutating func begin(_ info: ExportInfo, _ text: inout TextBuffer) {
        self.info = info
        text.append("{\"type\":\"FeatureCollection\",\"features\":[")
    }

    mutating func add(_ point: ExportPoint, _ text: inout TextBuffer) {
        let fix = point.record.fix
        segment = point.record.segment
        if let store = point.id?.store, let before = vertices.first(where: { $0.id != nil })?.id,
            store != before.store
        {
            segmentBreak(&text)
            continues = true
        }
        vertices.append(
            Vertex(
                latitude: fix.latitude, longitude: fix.longitude, height: fix.altitudeHAE,
                time: fix.time, id: point.id))
        guard vertices.count >= GeoJSONWriter.limit else { return }
        segmentBreak(&text)
        continues = true
    }

    mutating func segmentBreak(_ text: inout TextBuffer) {
        defer { continues = false }
        guard !vertices.isEmpty else { return }
        text.append(isFirst ? "\n" : ",\n")
        isFirst = false
        let lines = Antimeridian.cut(vertices)
        let isPoint = lines.count == 1 && lines[0].count == 1
        text.append("{\"type\":\"Feature\",")
        let name = vertices.first { $0.id != nil }?.id
        if let name {
            // RFC 7946, section 3.2: a commonly used identifier of the feature.
            text.append("\"id\":\"")
            text.append(name)
            text.append("\",")
        }
        text.append("\"geometry\":{\"type\":\"")
        text.append(isPoint ? "Point" : lines.count > 1 ? "MultiLineString" : "LineString")
        text.append("\",\"coordinates\":")
        nest(lines, isPoint, &text) { vertex, text in
            text.append("[")
            text.append(degrees: vertex.longitude)
            text.append(",")
            text.append(degrees: vertex.latitude)
            if let height = vertex.height, height.isFinite {
                text.append(",")
                text.append(height, decimals: 3, trimming: true)
            }
            text.append("]")
        }
        text.append("},\"properties\":{\"name\":")
        text.append(json: info.name)
        text.append(",\"segment\":")
        text.append(segment)
        if continues { text.append(",\"continues\":true") }
        if let system = info.coordinateSystem {
            text.append(",\"coordinate_system\":")
            text.append(json: system)
        }
        text.append(",\"coordTimes\":")
        nest(lines, isPoint, &text) { vertex, text in
            guard let time = vertex.time else {
                text.append("null")
                return
            }
            text.append("\"")
            text.append(time)
            text.append("\"")
        }
        if name != nil {
            text.append(",\"sequences\":")
            nest(lines, isPoint, &text) { vertex, text in
                if let id = vertex.id { text.append(id.sequence) } else { text.append("null") }
            }
        }
        text.append("}}")
        vertices.removeAll(keepingCapacity: true)
    }

    mutating func end(_ text: inout TextBuffer) {
        segmentBreak(&text)
        text.append("\n]}\n")
    }

    /// Writes something of each vertex, nested as the geometry is.
    private func nest(
        _ lines: [[Vertex]], _ isPoint: Bool, _ text: inout TextBuffer,
        _ write: (Vertex, inout TextBuffer) -> Void
    ) {
        if isPoint { return write(lines[0][0], &text) }
        if lines.count > 1 { text.append("[") }
        for (index, line) in lines.enumerated() {
            text.append(index > 0 ? ",[" : "[")
            for (index, vertex) in line.enumerated() {
                if index > 0 { text.append(",") }
                write(vertex, &text)
            }
            text.append("]")
        }
        if lines.count > 1 { text.append("]") }
    }
}
