import GNSS
import Import

/// What a KML file shows once more for the eye: the path through points that have their times, without them, and points
/// with the times of a track beside it.
struct DrawnPoints {
    /// A place as KML programs write it, 1e-6 degrees.
    private struct Place: Hashable {
        let latitude: Int32
        let longitude: Int32

        init?(_ fix: Fix) {
            guard fix.latitude.magnitude <= 90, fix.longitude.magnitude <= 180 else { return nil }
            latitude = Int32((fix.latitude * 1e6).rounded())
            longitude = Int32((fix.longitude * 1e6).rounded())
        }
    }

    private struct Moment: Hashable {
        let time: UTCTime
        let place: Place
    }

    private var inTracks = 0
    private var others = 0
    private var undated = 0
    private var places: Set<Place> = []
    private var moments: Set<Moment> = []

    /// More are not remembered: such a file is taken as it is.
    private static let limit = 2_000_000

    /// Counts a point of the file.
    mutating func count(_ point: ImportedPoint) {
        if point.fix.time == nil {
            undated += 1
        } else if point.isInSegment {
            inTracks += 1
        } else {
            others += 1
        }
    }

    /// Whether anything can be there twice, once all were counted.
    var mayRepeat: Bool {
        let dated = inTracks + others
        return dated <= Self.limit && (undated > 0 && dated > 0 || inTracks > 0 && others > 0)
    }

    /// Remembers what others may repeat.
    mutating func remember(_ point: ImportedPoint) {
        guard let time = point.fix.time, let place = Place(point.fix) else { return }
        if undated > 0 { places.insert(place) }
        if point.isInSegment, others > 0 { moments.insert(Moment(time: time, place: place)) }
    }

    /// Whether the point is there in a better way, once all were remembered.
    func repeats(_ point: ImportedPoint) -> Bool {
        guard let place = Place(point.fix) else { return false }
        guard let time = point.fix.time else { return places.contains(place) }
        return !point.isInSegment && moments.contains(Moment(time: time, place: place))
    }
}
