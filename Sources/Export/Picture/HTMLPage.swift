public import GNSS

/// A track as one page that needs nothing else: map, speed and height, stops and holes.
///
/// No request leaves it: its policy (Content-Security-Policy) admits none, but for the tiles of a map that was asked
/// for by its address.
public struct HTMLPage {
    private let picture: TrackPicture
    private let info: ExportInfo
    private let words: PictureWords
    /// Rows of a list at most.
    private static let limit = 300

    /// A page about a track that was measured, added and finished.
    public init(_ picture: TrackPicture, _ info: ExportInfo, _ words: PictureWords) {
        self.picture = picture
        self.info = info
        self.words = words
    }

    /// Appends the page.
    ///
    /// - Parameters:
    ///   - sums: what sums the track up, as name and value.
    ///   - origin: where tiles come from, as `https://tile.example`; `nil` when they are in the page.
    ///   - credit: who made the map; `nil` without tiles.
    ///   - tile: the address of a tile; `nil` where there is none.
    public func append(
        to text: inout TextBuffer, sums: [(String, String)], origin: String? = nil,
        credit: String? = nil, tiles: [MapTile] = [], tile: (MapTile) -> String? = { _ in nil }
    ) {
        head(&text, origin)
        text.append("<body>\n<header><h1>")
        text.append(xml: info.name)
        text.append("</h1>")
        if let first = picture.axis.pieces.first, let last = picture.axis.pieces.last {
            text.append("<p>")
            let begin = words.moment(UTCTime(milliseconds: first.begin))
            let end = words.moment(UTCTime(milliseconds: last.end))
            text.append(xml: "\(begin) – \(end)")
            text.append("</p>")
        }
        if let system = info.coordinateSystem {
            text.append("<p class=\"warn\">")
            text.append(xml: "positions are in \(system), not WGS 84")
            text.append("</p>")
        }
        text.append("</header>\n<dl class=\"sums\">")
        for (name, value) in sums {
            text.append("<div><dt>")
            text.append(xml: name)
            text.append("</dt><dd>")
            text.append(xml: value)
            text.append("</dd></div>")
        }
        text.append("</dl>\n")
        if !picture.isEmpty {
            map(&text, tiles, tile, credit)
            for kind in [ProfileDrawing.Kind.speed, .height] {
                chart(ProfileDrawing(kind, picture, words, height: 140), &text)
            }
        }
        lists(&text)
        text.append("<footer>")
        text.append(xml: info.creator)
        text.append("</footer>\n<script>\nconst D=")
        data(&text)
        text.append(";\n")
        text.append(Self.script)
        text.append("</script>\n</body>\n</html>\n")
    }

    private func head(_ text: inout TextBuffer, _ origin: String?) {
        text.append(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:
            """)
        if let origin {
            text.append(" ")
            text.append(xml: origin)
        }
        text.append(
            """
            ; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>
            """)
        text.append(xml: info.name)
        text.append("</title>\n<style>")
        text.append(Self.style)
        text.append(SVGPicture.style)
        text.append("</style>\n</head>\n")
    }

    private func map(
        _ text: inout TextBuffer, _ tiles: [MapTile], _ tile: (MapTile) -> String?,
        _ credit: String?
    ) {
        let map = MapDrawing(picture, words)
        text.append(
            "<figure class=\"panel\"><div class=\"view\"><svg id=\"map\" class=\"map\" role=\"img\" "
        )
        text.append("aria-label=\"Map of the track\" viewBox=\"0 0 1000 ")
        text.append(unit: map.height)
        text.append("\">\n")
        map.append(to: &text, tiles: tiles, tile: tile)
        text.append("<path id=\"here\" class=\"here\" d=\"\"/>\n</svg>\n")
        text.append("<div class=\"tools\"><button id=\"in\" aria-label=\"Zoom in\">+</button>")
        text.append("<button id=\"out\" aria-label=\"Zoom out\">−</button>")
        text.append("<button id=\"all\" aria-label=\"Show all\">⤢</button></div>\n")
        let bar = map.scaleBar
        text.append("<div id=\"bar\" class=\"bar\" style=\"width:")
        text.append(bar.width / 10, decimals: 2)
        text.append("%\">")
        text.append(xml: words.distance(bar.metres))
        text.append("</div>")
        if let credit {
            text.append("<div class=\"credit\">")
            text.append(xml: credit)
            text.append("</div>")
        }
        text.append("</div>\n<figcaption>")
        if picture.topSpeed > 0 {
            text.append("<span>0</span>")
            for index in MapDrawing.colours.indices {
                text.append("<i class=\"k")
                text.append(index)
                text.append("\"></i>")
            }
            let top = words.number((picture.topSpeed * words.speedFactor).rounded())
            text.append("<span>")
            text.append(xml: "\(top) \(words.speedUnit)")
            text.append("</span>")
        }
        text.append("<b class=\"d1\">start</b><b class=\"d2\">end</b><b class=\"d3\">stop</b>")
        text.append("<b class=\"d4\">gap</b></figcaption></figure>\n")
    }

    private func chart(_ chart: ProfileDrawing, _ text: inout TextBuffer) {
        guard !chart.isEmpty else { return }
        let isSpeed = chart.kind == .speed
        text.append("<figure class=\"panel graph\"><h2>")
        text.append(
            xml: isSpeed ? "Speed, \(words.speedUnit)" : "Height, \(words.heightUnit)")
        text.append("</h2><div class=\"plot\"><svg class=\"chart\" role=\"img\" aria-label=\"")
        text.append(isSpeed ? "Speed" : "Height")
        text.append(" over time\" preserveAspectRatio=\"none\" viewBox=\"0 0 1000 ")
        text.append(unit: chart.height)
        text.append("\">\n")
        chart.append(to: &text)
        text.append("<path class=\"cursor\" d=\"\"/></svg>")
        for line in chart.lines {
            text.append("<span class=\"y\" style=\"top:")
            text.append(chart.y(line) / chart.height * 100, decimals: 2)
            text.append("%\">")
            text.append(xml: words.number(line))
            text.append("</span>")
        }
        for (index, tick) in picture.axis.ticks(8, offset: words.offset).enumerated() {
            // A phone has room for every other one.
            text.append(
                index % 2 == 0
                    ? "<span class=\"x\" style=\"left:" : "<span class=\"x odd\" style=\"left:")
            text.append(tick.place * 100, decimals: 2)
            text.append("%\">")
            text.append(xml: words.tick(tick.time))
            text.append("</span>")
        }
        text.append("<output class=\"tip\"></output></div></figure>\n")
    }

    private func lists(_ text: inout TextBuffer) {
        let stops = picture.stops.stops
        list("Stops", stops.count, &text) { index in
            let stop = stops[index]
            return (words.moment(stop.begin), words.span(stop.duration))
        }
        let holes = picture.holes
        list("Gaps", holes.count, &text) { index in
            let gap = holes[index].gap
            return (
                gap.begin.map(words.moment) ?? "no date",
                "\(words.span(gap.duration)), \(gap.reason.words)"
            )
        }
    }

    private func list(
        _ title: StaticString, _ count: Int, _ text: inout TextBuffer,
        _ row: (Int) -> (String, String)
    ) {
        guard count > 0 else { return }
        text.append("<details class=\"panel\"><summary>")
        text.append(title)
        text.append(" <em>")
        text.append(count)
        text.append("</em></summary><table>")
        for index in 0..<min(count, HTMLPage.limit) {
            let (when, what) = row(index)
            text.append("<tr><td>")
            text.append(xml: when)
            text.append("</td><td>")
            text.append(xml: what)
            text.append("</td></tr>")
        }
        text.append("</table>")
        if count > HTMLPage.limit {
            text.append("<p>and ")
            text.append(count - HTMLPage.limit)
            text.append(" more</p>")
        }
        text.append("</details>\n")
    }

    /// `[place on the axis, x, y, speed, height, time]` of each bin that has something.
    private func data(_ text: inout TextBuffer) {
        text.append("[")
        let map = picture.isEmpty ? nil : MapDrawing(picture, words)
        let speed = ProfileDrawing(.speed, picture, words, height: 1)
        let height = ProfileDrawing(.height, picture, words, height: 1)
        var isFirst = true
        for (index, bin) in picture.profile.enumerated() {
            guard let bin, let map else { continue }
            text.append(isFirst ? "[" : ",[")
            isFirst = false
            text.append(unit: (Double(index) + 0.5) / Double(TrackPicture.bins) * 1000)
            text.append(",")
            text.append(unit: map.x(bin.x))
            text.append(",")
            text.append(unit: map.y(bin.y))
            for (value, unit) in [
                (speed.value(bin), words.speedUnit), (height.value(bin), words.heightUnit),
            ] {
                text.append(",")
                text.append(json: value.map { "\(words.number($0)) \(unit)" } ?? "")
            }
            let time = UTCTime(milliseconds: bin.time)
            text.append(",")
            text.append(json: "\(words.day(time)) \(words.clock(time, seconds: true))")
            text.append("]")
        }
        text.append("]")
    }
}
