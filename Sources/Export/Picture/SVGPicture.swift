public import GNSS

/// A picture of a track as one SVG file: map, speed and height.
public struct SVGPicture {
    private static let mapTop = 64.0
    private static let side = 20.0

    private let picture: TrackPicture
    private let info: ExportInfo
    private let words: PictureWords

    /// A picture of a track that was measured, added and finished.
    public init(_ picture: TrackPicture, _ info: ExportInfo, _ words: PictureWords) {
        self.picture = picture
        self.info = info
        self.words = words
    }

    /// Appends the file.
    ///
    /// - Parameters:
    ///   - subtitle: a line under the title, as the sums of the track.
    ///   - credit: who made the map under it; `nil` without tiles.
    ///   - tile: the address of a tile; `nil` where there is none.
    public func append(
        to text: inout TextBuffer, subtitle: String, credit: String? = nil, tiles: [MapTile] = [],
        tile: (MapTile) -> String? = { _ in nil }
    ) {
        let map = picture.isEmpty ? nil : MapDrawing(picture, words)
        let charts = [ProfileDrawing.Kind.speed, .height].map {
            ProfileDrawing($0, picture, words, height: 120)
        }.filter { !$0.isEmpty }
        let mapHeight = map?.height ?? 200
        let chartHeight = 168.0
        let bottom = SVGPicture.mapTop + mapHeight + 44 + Double(charts.count) * chartHeight
        let width = MapDrawing.width + 2 * SVGPicture.side
        text.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
        text.append(unit: width)
        text.append(" ")
        text.append(unit: bottom)
        text.append("\" width=\"")
        text.append(unit: width)
        text.append("\" height=\"")
        text.append(unit: bottom)
        text.append("\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<title>")
        text.append(xml: info.name)
        text.append("</title>\n<style>")
        text.append(Self.style)
        text.append("</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n")
        label(SVGPicture.side, 30, info.name, &text, "title")
        label(SVGPicture.side, 50, subtitle, &text, "dim")
        if let map {
            group(SVGPicture.side, SVGPicture.mapTop, map.height, "map", &text)
            text.append("<rect class=\"ground\" width=\"1000\" height=\"")
            text.append(unit: map.height)
            text.append("\"/>\n")
            map.append(to: &text, tiles: tiles, tile: tile)
            text.append("</svg>\n")
            scaleBar(map, &text)
            legend(SVGPicture.mapTop + map.height + 12, &text)
            if let credit {
                let y = SVGPicture.mapTop + map.height - 8
                label(SVGPicture.side + 992, y, credit, &text, "credit", "end")
            }
        }
        for (index, chart) in charts.enumerated() {
            let top = SVGPicture.mapTop + mapHeight + 52 + Double(index) * chartHeight
            self.chart(chart, top, &text)
        }
        text.append("</svg>\n")
    }

    /// How the classes of drawings look, in both the file and the page.
    static let style: StaticString = """

        .ground{fill:#f3f1ea}.grid{fill:none;stroke:#0000001c;stroke-width:1}
        .hole{fill:none;stroke:#c2410c;stroke-width:2;stroke-dasharray:2 6;stroke-linecap:round}
        .casing{fill:none;stroke:#fff;stroke-width:7;stroke-linejoin:round;stroke-linecap:round}
        .way{fill:none;stroke-width:3.5;stroke-linejoin:round;stroke-linecap:round}
        .s0{stroke:#482878}.s1{stroke:#3e4a89}.s2{stroke:#2c728e}
        .s3{stroke:#21908c}.s4{stroke:#35b779}.s5{stroke:#8fc93a}
        .stop{stroke:#b45309;stroke-width:11;stroke-linecap:round}
        .start{stroke:#15803d;stroke-width:13;stroke-linecap:round}
        .end{stroke:#b91c1c;stroke-width:13;stroke-linecap:round}
        .pause{fill:#c2410c1f}.area{fill:#2c728e30}.curve{fill:none;stroke:#2c728e;stroke-width:1.6}
        .map *,.chart *{vector-effect:non-scaling-stroke}
        .title{font-size:20px;font-weight:600}.dim{fill:#555}.credit{fill:#333;font-size:11px}
        .axis{fill:#555;font-size:12px}

        """

    /// Opens a drawing of 1000 units in its place.
    private func group(
        _ x: Double, _ y: Double, _ height: Double, _ kind: StaticString,
        _ text: inout TextBuffer
    ) {
        text.append("<svg class=\"")
        text.append(kind)
        text.append("\" x=\"")
        text.append(unit: x)
        text.append("\" y=\"")
        text.append(unit: y)
        text.append("\" width=\"1000\" height=\"")
        text.append(unit: height)
        text.append("\" viewBox=\"0 0 1000 ")
        text.append(unit: height)
        text.append("\">\n")
    }

    private func chart(_ chart: ProfileDrawing, _ top: Double, _ text: inout TextBuffer) {
        let name = chart.kind == .speed ? "Speed" : "Height"
        let unit = chart.kind == .speed ? words.speedUnit : words.heightUnit
        label(SVGPicture.side, top, "\(name), \(unit)", &text, "dim")
        group(SVGPicture.side, top + 8, chart.height, "chart", &text)
        chart.append(to: &text)
        text.append("</svg>\n")
        for line in chart.lines {
            label(SVGPicture.side + 4, top + 4 + chart.y(line), words.number(line), &text, "axis")
        }
        for tick in picture.axis.ticks(8, offset: words.offset) {
            let x = SVGPicture.side + tick.place * 1000
            label(x, top + chart.height + 24, words.tick(tick.time), &text, "axis", "middle")
        }
    }

    private func scaleBar(_ map: MapDrawing, _ text: inout TextBuffer) {
        let bar = map.scaleBar
        let y = SVGPicture.mapTop + map.height - 14
        let x = SVGPicture.side + 14
        text.append("<path d=\"M")
        text.append(unit: x)
        text.append(" ")
        text.append(unit: y - 6)
        text.append("v6h")
        text.append(unit: bar.width)
        text.append("v-6\" fill=\"none\" stroke=\"#333\" stroke-width=\"2\"/>\n")
        label(x + 6, y - 5, words.distance(bar.metres), &text, "axis")
    }

    private func legend(_ top: Double, _ text: inout TextBuffer) {
        guard picture.topSpeed > 0 else { return }
        for index in MapDrawing.colours.indices {
            text.append("<rect x=\"")
            text.append(unit: SVGPicture.side + 30 + Double(index) * 36)
            text.append("\" y=\"")
            text.append(unit: top)
            text.append("\" width=\"36\" height=\"8\" fill=\"")
            text.append(MapDrawing.colours[index])
            text.append("\"/>\n")
        }
        label(SVGPicture.side + 20, top + 9, "0", &text, "axis", "end")
        let top1 = words.number((picture.topSpeed * words.speedFactor).rounded())
        label(SVGPicture.side + 254, top + 9, "\(top1) \(words.speedUnit)", &text, "axis")
    }

    private func label(
        _ x: Double, _ y: Double, _ words: String, _ text: inout TextBuffer, _ kind: StaticString,
        _ anchor: StaticString = "start"
    ) {
        text.append("<text class=\"")
        text.append(kind)
        text.append("\" x=\"")
        text.append(unit: x)
        text.append("\" y=\"")
        text.append(unit: y)
        text.append("\" text-anchor=\"")
        text.append(anchor)
        text.append("\">")
        text.append(xml: words)
        text.append("</text>\n")
    }
}

extension PictureWords {
    /// A number for an axis.
    func number(_ value: Double) -> String {
        var text = TextBuffer()
        text.append(value, decimals: 1, trimming: true)
        return text.string
    }

    /// A time for an axis: midnight is told by its day.
    func tick(_ time: UTCTime) -> String {
        let local = UTCTime(milliseconds: time.milliseconds &+ offset(time))
        return local.timeOfDay == 0 ? day(time) : clock(time)
    }
}
