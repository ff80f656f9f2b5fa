import Configuration
import Export
import GNSS
import Glibc
import StatusProtocol

/// What `watch` shows on a terminal: state and position in words, the sky, and where it went lately.
struct WatchScreen {
    let status: StatusScreen
    let style: Style

    /// A place of the last minutes.
    struct Step {
        var latitude: Double
        var longitude: Double
        /// When it was shown, seconds of the tool's clock.
        var at: Double
    }

    /// How much of the way is shown, seconds.
    static let memory = 900.0

    /// The lines of a screen of that size; never more, never wider.
    func lines(
        _ report: StatusReport?, _ sky: SkyView?, _ trail: [Step], _ trouble: String?,
        columns: Int, rows: Int
    ) -> [String] {
        var lines: [String] = []
        if let trouble { lines.append(style.bad(cut(trouble, columns))) }
        if let report {
            lines.append(style.bold(cut(status.head(of: report), columns)))
            lines += status.rows(of: report).map { row in
                let name = row.0.padded(10)
                return style.dim(name) + cut(row.1, columns - name.count)
            }
        }
        lines = Array(lines.prefix(max(1, rows - 1)))
        let room = min(rows - lines.count - 2, 22)
        if room >= 6, columns >= 30 {
            lines.append("")
            let hasSky = columns >= 64
            let skyWidth = hasSky ? min(room * 2, columns / 2) : 0
            let sky = hasSky ? plot(sky, columns: skyWidth, rows: room) : []
            let way = way(trail, columns: columns - skyWidth - (hasSky ? 3 : 0), rows: room)
            for row in 0..<room {
                lines.append((hasSky ? sky[row] + "   " : "") + way[row])
            }
        }
        while lines.count < rows - 1 { lines.append("") }
        lines.append(style.dim(cut("q quits", columns)))
        return lines
    }

    /// Text without escape sequences cut to a width; coloured text is short by how it is made.
    private func cut(_ text: String, _ columns: Int) -> String {
        guard text.count > columns, !text.contains("\u{1B}") else { return text }
        return String(text.prefix(max(0, columns - 1))) + "…"
    }

    /// The satellites as they stand overhead, north up: a digit of signal each, bright when used.
    private func plot(_ sky: SkyView?, columns: Int, rows: Int) -> [String] {
        var canvas = BrailleCanvas(columns: columns, rows: rows)
        let middle = (x: Double(canvas.width) / 2, y: Double(canvas.height) / 2)
        let radius = min(middle.x, middle.y) - 1
        // The horizon and 45° above it.
        for ring in [1.0, 0.5] {
            for step in 0..<Int(radius * 7 * ring) {
                let (east, north) = Turn.direction(Double(step) / (radius * 7 * ring))
                canvas.set(
                    Int(middle.x + east * radius * ring), Int(middle.y - north * radius * ring))
            }
        }
        var cells = canvas.rows.map { row in row.map { style.dim(String($0)) } }
        func put(_ text: String, _ x: Double, _ y: Double) {
            let (column, row) = (Int(x / 2), Int(y / 4))
            guard row >= 0, row < cells.count, column >= 0, column < cells[row].count else {
                return
            }
            cells[row][column] = text
        }
        put(style.dim("N"), middle.x, 0)
        let seen = (sky?.satellites ?? []).sorted { ($0.signal ?? 0) < ($1.signal ?? 0) }
        for satellite in seen {
            guard let elevation = satellite.elevation, let azimuth = satellite.azimuth,
                elevation >= 0
            else { continue }
            let (east, north) = Turn.direction(azimuth / 360)
            let distance = radius * (1 - min(90, elevation) / 90)
            put(
                mark(satellite), middle.x + east * distance, middle.y - north * distance)
        }
        if seen.isEmpty {
            let words = "no satellite in view"
            for (index, letter) in words.enumerated() {
                put(
                    style.dim(String(letter)),
                    middle.x + Double(2 * index - words.count), middle.y)
            }
        }
        return cells.map { $0.joined() }
    }

    /// A filled circle when used; green, yellow and red from strong to weak.
    private func mark(_ satellite: Satellite) -> String {
        let symbol = satellite.used ? "●" : "○"
        // dB-Hz: above 40 under open sky, below 30 it is hard to track.
        switch satellite.signal ?? 0 {
        case 38...: return style.good(symbol)
        case 28..<38: return style.doubtful(symbol)
        case 1..<28: return style.bad(symbol)
        default: return style.dim(symbol)
        }
    }

    /// The way of the last minutes, north up.
    private func way(_ trail: [Step], columns: Int, rows: Int) -> [String] {
        var canvas = BrailleCanvas(columns: columns, rows: max(1, rows - 1))
        guard let last = trail.last else { return canvas.rows + [style.dim("no fix yet")] }
        let shrink = max(0.01, Turn.cosine(last.latitude))
        // Metres from the last place: a degree is 111.2 km.
        let places = trail.map { step in
            var turn = step.longitude - last.longitude
            turn -= 360 * (turn / 360).rounded()
            return (x: turn * 111_195 * shrink, y: (step.latitude - last.latitude) * 111_195)
        }
        let west = places.map(\.x).min() ?? 0, east = places.map(\.x).max() ?? 0
        let south = places.map(\.y).min() ?? 0, north = places.map(\.y).max() ?? 0
        // A receiver at rest wanders: less than this is shown as standing.
        let scale = min(
            Double(canvas.width - 2) / max(40, east - west),
            Double(canvas.height - 2) / max(40, north - south))
        func dot(_ place: (x: Double, y: Double)) -> (Double, Double) {
            (
                Double(canvas.width) / 2 + (place.x - (west + east) / 2) * scale,
                Double(canvas.height) / 2 - (place.y - (south + north) / 2) * scale
            )
        }
        for (from, to) in zip(places, places.dropFirst()) {
            let (a, b) = (dot(from), dot(to))
            canvas.line(a.0, a.1, b.0, b.1)
        }
        let here = dot((0, 0))
        for (x, y) in [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)] {
            canvas.set(Int(here.0) + x, Int(here.1) + y)
        }
        let wide = Double(canvas.width) / scale
        let minutes = trail.first.map { max(0, last.at - $0.at) } ?? 0
        return canvas.rows + [
            style.dim(
                "last \(span(seconds: minutes.rounded())), \(status.units.distance(wide)) across")
        ]
    }
}

/// Directions and the shrinking of meridians.
private enum Turn {
    /// East and north of a share of a full turn from north.
    static func direction(_ turn: Double) -> (east: Double, north: Double) {
        (sin(turn * 2 * .pi), cos(turn * 2 * .pi))
    }

    static func cosine(_ degrees: Double) -> Double {
        cos(degrees * .pi / 180)
    }
}
