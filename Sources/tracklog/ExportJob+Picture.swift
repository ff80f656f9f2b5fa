import Configuration
import Export
import GNSS
import Storage
import Tracking

extension ExportJob {
    /// Draws the track as a picture or a page.
    ///
    /// - Returns: how many fixes it shows.
    func draw(_ kind: ExportKind, _ arguments: ParsedArguments) throws -> Int64 {
        let zone = try Zone(arguments)
        let units = Units(arguments)
        let source = try arguments.value("tiles").map { try TileSource($0) }
        var job = self
        job.query.keptOnly = true
        var picture = TrackPicture(gaps: try reader.gaps())
        var statistics = TrackStatistics()
        // What a private zone hides goes into no sum either: there the line ends.
        var breaks: Int32 = 0
        try job.forEach(isLast: false) { result in
            guard case .fix(var record) = result else {
                breaks &+= 1
                return picture.breakLine()
            }
            picture.measure(record.shown)
            record.segment &+= breaks &* 1_000_000
            statistics.add(record)
        }
        try job.forEach { result in
            guard case .fix(let record) = result else { return picture.breakLine() }
            picture.add(record.shown)
        }
        picture.finish()

        let file = try target.map { try AsideFile(path: $0) }
        let destination = file?.output ?? output
        let words = PictureWords(zone, units)
        let tiles = picture.tiles(zooms: source?.zooms ?? 0...0)
        let drawn = source == nil ? [] : tiles
        var failure: (any Error)?
        func address(_ tile: MapTile) -> String? {
            do {
                return try source?.address(of: tile)
            } catch {
                failure = error
                return nil
            }
        }
        let sums = statistics.sums(units)
        if kind == .svg {
            let line = sums.prefix(4).map { "\($0.0) \($0.1)" }.joined(separator: "  ·  ")
            SVGPicture(picture, info, words).append(
                to: &destination.text, subtitle: line, credit: source?.credit, tiles: drawn,
                tile: address)
        } else {
            HTMLPage(picture, info, words).append(
                to: &destination.text, sums: sums, origin: source?.origin, credit: source?.credit,
                tiles: drawn, tile: address)
        }
        if let failure { throw failure }
        try destination.flush()
        try file?.finish()
        return statistics.kept
    }
}

/// Within words of pictures, `span` is one of them.
private func lengthOfTime(_ milliseconds: Int64) -> String {
    span(milliseconds: milliseconds)
}

extension PictureWords {
    /// The words of a zone and of units.
    init(_ zone: Zone, _ units: Units) {
        self.init()
        speedUnit = units.speedUnit
        switch units {
        case .metric: speedFactor = 3.6
        case .imperial: speedFactor = 3600 / 1609.344
        case .nautical: speedFactor = 3600 / 1852.0
        }
        if units == .imperial {
            heightFactor = 1 / 0.3048
            heightUnit = "ft"
        }
        distance = { units.roundDistance($0) }
        moment = { zone.text(UTCTime(milliseconds: $0.milliseconds / 1000 * 1000)) }
        span = { lengthOfTime($0) }
        offset = { zone.offset(at: $0) }
    }
}

extension TrackStatistics {
    /// What sums a track up in a line or a page, as name and value.
    fileprivate func sums(_ units: Units) -> [(String, String)] {
        var sums = [("Distance", units.distance(distance))]
        if movingTime > 0 {
            sums.append(("Moving", span(milliseconds: movingTime)))
            let mean = distance / (Double(movingTime) / 1000)
            sums.append(("Average", units.speed(mean)))
        }
        if let top = topSpeed { sums.append(("Top speed", units.speed(top))) }
        if let ascent, let descent {
            sums.append(("Climb", "↑\(units.length(ascent)) ↓\(units.length(descent))"))
        }
        sums.append(("Fixes", "\(kept)"))
        return sums
    }
}

extension RecordedFix {
    /// The record with the position that is shown as its only one.
    fileprivate var shown: RecordedFix {
        ExportPoint(self, .corrected).record
    }
}
