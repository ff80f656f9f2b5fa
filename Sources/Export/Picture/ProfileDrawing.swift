import GNSS

/// Speed or height over the time axis as elements of SVG, 1000 units wide.
struct ProfileDrawing {
    /// What is drawn.
    enum Kind {
        case speed
        case height
    }

    let kind: Kind
    let height: Double
    private let picture: TrackPicture
    private let words: PictureWords

    init(_ kind: Kind, _ picture: TrackPicture, _ words: PictureWords, height: Double) {
        self.kind = kind
        self.picture = picture
        self.words = words
        self.height = height
    }

    /// The values at the lower and the upper edge, in the unit of the words.
    var range: (low: Double, high: Double) {
        let factor = kind == .speed ? words.speedFactor : words.heightFactor
        guard kind == .height, let heights = picture.heights else {
            return (0, max(1, ProfileDrawing.rounded(up: picture.topSpeed * factor)))
        }
        let low = heights.lowerBound * factor
        let high = heights.upperBound * factor
        // A flat ride must not look like the Alps.
        let room = max(high - low, 20) * 0.1
        return ((low - room).rounded(.down), (max(high, low + 20) + room).rounded(.up))
    }

    /// Whether there is anything to draw.
    var isEmpty: Bool { !picture.profile.contains { value($0) != nil } }

    /// Values for lines across, two to four.
    var lines: [Double] {
        let (low, high) = range
        let steps = MapDrawing.steps(from: low, to: high)
        let every = max(1, (steps.count + 3) / 4)
        return steps.enumerated().filter { $0.offset % every == 0 && $0.element > low }
            .map(\.element)
    }

    func y(_ value: Double) -> Double {
        let (low, high) = range
        return height * (1 - (value - low) / max(1e-9, high - low))
    }

    /// Appends holes, lines across, the area and its line.
    func append(to text: inout TextBuffer) {
        for piece in picture.axis.pieces where piece.isGap && piece.to - piece.from > 0.001 {
            text.append("<rect class=\"pause\" x=\"")
            text.append(unit: piece.from * 1000)
            text.append("\" y=\"0\" width=\"")
            text.append(unit: (piece.to - piece.from) * 1000)
            text.append("\" height=\"")
            text.append(unit: height)
            text.append("\"/>\n")
        }
        text.append("<path class=\"grid\" d=\"")
        for line in lines {
            text.append("M0 ")
            text.append(unit: y(line))
            text.append("H1000")
        }
        text.append("\"/>\n")
        let runs = runs()
        text.append("<path class=\"area\" d=\"")
        for run in runs {
            guard let first = run.first, let last = run.last else { continue }
            text.append("M")
            text.append(unit: first.x)
            text.append(" ")
            text.append(unit: height)
            for point in run { append("L", point, &text) }
            text.append("L")
            text.append(unit: last.x)
            text.append(" ")
            text.append(unit: height)
            text.append("Z")
        }
        text.append("\"/>\n<path class=\"curve\" d=\"")
        for run in runs {
            for (index, point) in run.enumerated() { append(index == 0 ? "M" : "L", point, &text) }
        }
        text.append("\"/>\n")
    }

    func value(_ bin: TrackPicture.Bin?) -> Double? {
        kind == .speed
            ? bin?.speed.map { $0 * words.speedFactor }
            : bin?.height.map { $0 * words.heightFactor }
    }

    private func append(
        _ command: StaticString, _ point: (x: Double, y: Double), _ text: inout TextBuffer
    ) {
        text.append(command)
        text.append(unit: point.x)
        text.append(" ")
        text.append(unit: point.y)
    }

    /// The points of each unbroken stretch.
    private func runs() -> [[(x: Double, y: Double)]] {
        var runs: [[(x: Double, y: Double)]] = []
        var segment: Int?
        for (index, bin) in picture.profile.enumerated() {
            guard let bin, let value = value(bin) else { continue }
            if bin.segment != segment { runs.append([]) }
            segment = bin.segment
            let x = (Double(index) + 0.5) * 1000 / Double(TrackPicture.bins)
            runs[runs.count - 1].append((x, y(value)))
        }
        return runs
    }

    /// The next number whose first digit alone is not 0, or half of one.
    private static func rounded(up value: Double) -> Double {
        guard value.isFinite, value > 0 else { return 0 }
        var unit = 0.01
        while unit * 10 <= value { unit *= 10 }
        return (value / unit * 2).rounded(.up) / 2 * unit
    }
}
