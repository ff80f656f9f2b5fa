import GNSS

/// The map of a picture as elements of SVG, 1000 units wide.
///
/// Strokes keep their width at every size (`non-scaling-stroke`), and dots are strokes without length, so that the same
/// drawing serves a phone and a wall.
struct MapDrawing {
    static let width = 1000.0
    /// From slow to fast: viridis (van der Walt and Smith, 2015) without its yellow end, which paper swallows.
    static let colours: [StaticString] = [
        "#482878", "#3e4a89", "#2c728e", "#21908c", "#35b779", "#8fc93a",
    ]

    let frame: MapFrame
    let scale: Double
    var height: Double { frame.height * scale }
    private let picture: TrackPicture
    private let words: PictureWords

    init(_ picture: TrackPicture, _ words: PictureWords) {
        self.picture = picture
        self.words = words
        frame = MapFrame(picture)
        scale = MapDrawing.width / frame.width
    }

    /// The colour of a speed, of those between standing and the greatest.
    static func colour(_ speed: Double?, of top: Double) -> Int {
        guard let speed, top > 0 else { return 0 }
        return max(0, min(colours.count - 1, Int(speed / top * Double(colours.count))))
    }

    func x(_ x: Double) -> Double { (x - frame.west) * scale }
    func y(_ y: Double) -> Double { (y - frame.north) * scale }

    /// Appends tiles, graticule, holes, line, stops and ends.
    ///
    /// - Parameter tile: the address of a tile; `nil` where there is none.
    func append(to text: inout TextBuffer, tiles: [MapTile], tile: (MapTile) -> String?) {
        var hasTiles = false
        for id in tiles {
            guard let address = tile(id) else { continue }
            hasTiles = true
            let side = 1 / MapTile.count(id.zoom)
            text.append("<image x=\"")
            text.append(unit: x(Double(id.column) * side))
            text.append("\" y=\"")
            text.append(unit: y(Double(id.row) * side))
            text.append("\" width=\"")
            // A hair wider, so that no seam shows.
            text.append(unit: side * scale + 0.3)
            text.append("\" height=\"")
            text.append(unit: side * scale + 0.3)
            text.append("\" href=\"")
            text.append(xml: address)
            text.append("\"/>\n")
        }
        if !hasTiles { graticule(&text) }
        holes(&text)
        line(&text)
        stops(&text)
        ends(&text)
    }

    /// Meridians and parallels at round degrees.
    private func graticule(_ text: inout TextBuffer) {
        text.append("<path class=\"grid\" d=\"")
        for x in MapDrawing.steps(from: frame.west * 360, to: frame.east * 360) {
            text.append("M")
            text.append(unit: self.x(x / 360))
            text.append(" 0V")
            text.append(unit: height)
        }
        let south = Mercator.latitude(frame.south)
        for latitude in MapDrawing.steps(from: south, to: Mercator.latitude(frame.north)) {
            text.append("M0 ")
            text.append(unit: y(Mercator.y(latitude)))
            text.append("H1000")
        }
        text.append("\"/>\n")
    }

    /// Round numbers between two, four to ten of them.
    static func steps(from: Double, to: Double) -> [Double] {
        let span = to - from
        guard span.isFinite, span > 1e-9, from.magnitude < 1e6 else { return [] }
        var step = 1e-6
        while span / step > 10 { step *= 10 }
        for part in [2.0, 2.5] where span / step < 4 { step /= part }
        var steps: [Double] = []
        var number = (from / step).rounded(.up)
        while number * step <= to, steps.count < 40 {
            steps.append(number * step)
            number += 1
        }
        return steps
    }

    private func holes(_ text: inout TextBuffer) {
        for hole in picture.holes.prefix(2000) {
            text.append("<path class=\"hole\" d=\"M")
            point(hole.from, &text)
            text.append("L")
            point(hole.to, &text)
            text.append("\"><title>")
            text.append(xml: "\(hole.gap.reason.words), \(words.span(hole.gap.duration))")
            text.append("</title></path>\n")
        }
    }

    private func line(_ text: inout TextBuffer) {
        // The casing first, in one piece, so that colours do not fray.
        text.append("<path class=\"casing\" d=\"")
        for place in picture.places {
            text.append(place.begins ? "M" : "L")
            point(place, &text)
        }
        text.append("\"/>\n")
        var open: Int?
        var last: TrackPicture.Place?
        for place in picture.places {
            let colour = MapDrawing.colour(place.speed, of: picture.topSpeed)
            if place.begins || colour != open {
                if open != nil { text.append("\"/>\n") }
                text.append("<path class=\"way s")
                text.append(colour)
                text.append("\" d=\"M")
                // A colour begins where the one before ends.
                if let last, !place.begins {
                    point(last, &text)
                    text.append("L")
                }
                open = colour
            } else {
                text.append("L")
            }
            point(place, &text)
            last = place
        }
        if open != nil { text.append("\"/>\n") }
    }

    private func stops(_ text: inout TextBuffer) {
        for stop in picture.stops.stops.prefix(1000) {
            // The track may lie a world further east than the degrees of the stop.
            var x = Mercator.x(stop.longitude)
            x += (frame.west - x).rounded(.up)
            text.append("<path class=\"stop\" d=\"M")
            text.append(unit: self.x(x))
            text.append(" ")
            text.append(unit: y(Mercator.y(stop.latitude)))
            text.append("h0\"><title>")
            text.append(
                xml: "stopped \(words.span(stop.duration)) at \(words.moment(stop.begin))")
            text.append("</title></path>\n")
        }
    }

    private func ends(_ text: inout TextBuffer) {
        guard let first = picture.places.first, let last = picture.places.last else { return }
        for (place, kind) in [(first, "start"), (last, "end")] {
            text.append("<path class=\"")
            text.append(text: kind)
            text.append("\" d=\"M")
            point(place, &text)
            text.append("h0\"><title>")
            text.append(text: kind)
            text.append("</title></path>\n")
        }
    }

    private func point(_ place: TrackPicture.Place, _ text: inout TextBuffer) {
        text.append(unit: x(place.x))
        text.append(" ")
        text.append(unit: y(place.y))
    }

    /// A round length that fits into a quarter of the width: metres, and its width in units.
    var scaleBar: (metres: Double, width: Double) {
        let perUnit = Mercator.metres(atY: (frame.north + frame.south) / 2) / scale
        let most = perUnit * MapDrawing.width / 4
        var length = 1.0
        while length * 10 <= most { length *= 10 }
        for factor in [5.0, 2.0] where length * factor <= most {
            length *= factor
            break
        }
        return (length, length / perUnit)
    }
}

extension GapReason {
    /// The name as a person reads it.
    var words: String {
        name.replacing("_", with: " ")
    }
}

extension TextBuffer {
    /// Appends a length of a drawing.
    mutating func append(unit value: Double) {
        append(value, decimals: 2, trimming: true)
    }
}
