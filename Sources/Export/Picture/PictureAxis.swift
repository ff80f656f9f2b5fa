import GNSS

/// A time axis on which holes are short: from 0 to 1 over everything that was recorded, in recording order.
struct PictureAxis {
    /// A stretch of time with its place on the axis.
    struct Piece: Equatable {
        var begin: Int64
        var end: Int64
        var from: Double
        var to: Double
        var isGap: Bool
    }

    private(set) var pieces: [Piece] = []

    /// All holes together take no more of the axis.
    private static let shareOfGaps = 0.2
    /// A single one takes no more.
    private static let longestGap = 0.04

    /// An axis over segments, milliseconds of UTC.
    init(_ segments: [(begin: Int64, end: Int64)]) {
        guard let first = segments.first else { return }
        let lengths = segments.map { Double(max(1000, $0.end &- $0.begin)) }
        let recorded = lengths.reduce(0, +)
        var gaps: [Double] = []
        var last = first
        for segment in segments.dropFirst() {
            let length = Double(max(0, segment.begin &- last.end))
            gaps.append(min(length, recorded * PictureAxis.longestGap))
            last = segment
        }
        let sum = gaps.reduce(0, +)
        let most = recorded * PictureAxis.shareOfGaps
        if sum > most { gaps = gaps.map { $0 * most / sum } }
        let total = recorded + gaps.reduce(0, +)
        var place = 0.0
        for (index, segment) in segments.enumerated() {
            if index > 0 {
                let next = place + gaps[index - 1] / total
                pieces.append(
                    Piece(
                        begin: segments[index - 1].end, end: segment.begin, from: place, to: next,
                        isGap: true))
                place = next
            }
            let next = place + lengths[index] / total
            pieces.append(
                Piece(
                    begin: segment.begin, end: segment.end, from: place, to: next, isGap: false))
            place = next
        }
    }

    /// The place of a time of the segment with that number, counted from 0.
    func place(of time: Int64, inSegment number: Int) -> Double? {
        let index = number * 2
        guard index >= 0, index < pieces.count else { return nil }
        let piece = pieces[index]
        let length = Double(piece.end &- piece.begin)
        let share = length > 0 ? Double(time &- piece.begin) / length : 0
        return piece.from + max(0, min(1, share)) * (piece.to - piece.from)
    }

    /// Round times for labels, that many at most, none in a hole.
    func ticks(_ count: Int, offset: (UTCTime) -> Int64) -> [(place: Double, time: UTCTime)] {
        let recorded = pieces.filter { !$0.isGap }.reduce(0) { $0 + ($1.end &- $1.begin) }
        let minute: Int64 = 60_000
        let steps: [Int64] = [
            1000, 5000, 15_000, minute, 5 * minute, 10 * minute, 30 * minute, 60 * minute,
            120 * minute, 180 * minute, 360 * minute, 720 * minute, 1440 * minute, 2880 * minute,
            7200 * minute, 14_400 * minute, 43_200 * minute, 129_600 * minute, 525_600 * minute,
        ]
        let step = steps.first { recorded / $0 < Int64(count) } ?? 5_256_000 * minute
        var ticks: [(place: Double, time: UTCTime)] = []
        for piece in pieces where !piece.isGap && ticks.count < count * 2 {
            // Round by the clock on the wall.
            let shift = offset(UTCTime(milliseconds: piece.begin))
            var time = (piece.begin &+ shift) / step * step &- shift
            while time <= piece.end {
                if time >= piece.begin {
                    let share =
                        Double(time &- piece.begin) / Double(max(1, piece.end &- piece.begin))
                    let place = piece.from + share * (piece.to - piece.from)
                    // Labels must not run into each other.
                    if place - (ticks.last?.place ?? -1) > 0.7 / Double(count) {
                        ticks.append((place, UTCTime(milliseconds: time)))
                    }
                }
                time &+= step
            }
        }
        return ticks
    }
}
