public import GNSS

/// A picture of a track in characters: its line, and speed and height over time.
public struct TerminalPicture {
    private let picture: TrackPicture
    private let words: PictureWords

    /// A picture of a track that was measured, added and finished.
    public init(_ picture: TrackPicture, _ words: PictureWords) {
        self.picture = picture
        self.words = words
    }

    /// Appends the picture.
    ///
    /// - Parameters:
    ///   - columns: characters across.
    ///   - rows: lines of the map; the charts take as many in all.
    public func append(to text: inout TextBuffer, columns: Int, rows: Int) {
        guard !picture.isEmpty else { return }
        map(&text, columns, rows)
        for kind in [ProfileDrawing.Kind.speed, .height] {
            let chart = ProfileDrawing(kind, picture, words, height: 1)
            if !chart.isEmpty { self.chart(chart, &text, columns, max(3, rows / 3)) }
        }
    }

    private func map(_ text: inout TextBuffer, _ columns: Int, _ rows: Int) {
        var canvas = BrailleCanvas(columns: columns, rows: rows)
        let frame = MapFrame(picture)
        // Dots are about square: two across and four down in a character twice as high as wide.
        let scale = min(
            Double(canvas.width) / frame.width, Double(canvas.height) / frame.height)
        let left = (Double(canvas.width) - frame.width * scale) / 2
        let top = (Double(canvas.height) - frame.height * scale) / 2
        var last: (x: Double, y: Double)?
        for place in picture.places {
            let x = left + (place.x - frame.west) * scale
            let y = top + (place.y - frame.north) * scale
            if let last, !place.begins {
                canvas.line(last.x, last.y, x, y)
            } else {
                canvas.set(Int(x), Int(y))
            }
            last = (x, y)
        }
        for row in canvas.rows {
            text.append(text: row)
            text.append("\n")
        }
    }

    private func chart(
        _ chart: ProfileDrawing, _ text: inout TextBuffer, _ columns: Int, _ rows: Int
    ) {
        let margin = 8
        var canvas = BrailleCanvas(columns: columns - margin, rows: rows)
        let (low, high) = chart.range
        let bins = picture.profile
        var last: (x: Double, y: Double, segment: Int)?
        for (index, bin) in bins.enumerated() {
            guard let bin, let value = chart.value(bin) else { continue }
            let x = Double(index) / Double(bins.count) * Double(canvas.width)
            let share = (value - low) / max(1e-9, high - low)
            let y = (1 - share) * Double(canvas.height - 1)
            if let last, last.segment == bin.segment {
                canvas.line(last.x, last.y, x, y)
            } else {
                canvas.set(Int(x), Int(y))
            }
            last = (x, y, bin.segment)
        }
        let isSpeed = chart.kind == .speed
        text.append(
            text:
                "\(isSpeed ? "Speed" : "Height"), \(isSpeed ? words.speedUnit : words.heightUnit)\n"
        )
        for (index, row) in canvas.rows.enumerated() {
            let label = index == 0 ? words.number(high) : index == rows - 1 ? words.number(low) : ""
            text.append(text: String(repeating: " ", count: max(0, margin - 2 - label.count)))
            text.append(text: "\(label)│ \(row)\n")
        }
        guard let first = picture.axis.pieces.first, let end = picture.axis.pieces.last else {
            return
        }
        let begin = words.clock(UTCTime(milliseconds: first.begin))
        let finish = words.clock(UTCTime(milliseconds: end.end))
        let room = columns - margin - begin.count - finish.count
        text.append(text: String(repeating: " ", count: margin) + begin)
        text.append(text: String(repeating: " ", count: max(1, room)) + finish + "\n")
    }
}
