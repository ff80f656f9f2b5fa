public import GNSS

/// Everything that a drawing of a track needs, gathered in two passes in bounded memory.
///
/// First every fix goes to ``measure(_:)``, then again to ``add(_:)``; then it can be drawn.
public struct TrackPicture {
    /// A place of the line.
    struct Place {
        /// Web Mercator; beyond 0 … 1 where the track crosses the antimeridian.
        var x: Double
        var y: Double
        var speed: Double?
        /// Whether the line begins here.
        var begins: Bool
    }

    /// What happened at one place of the time axis.
    struct Bin {
        var time: Int64
        var x: Double
        var y: Double
        var speedSum = 0.0
        var speedCount = 0
        var height: Double?
        var segment: Int

        var speed: Double? { speedCount > 0 ? speedSum / Double(speedCount) : nil }
    }

    /// A hole with the places at both of its ends.
    struct Hole {
        var gap: Gap
        var from: Place
        var to: Place
    }

    /// Places of the drawn line at most.
    private static let limit = 16_000
    /// Places on the time axis.
    static let bins = 900

    // What measuring finds.
    private(set) var west = Double.infinity
    private(set) var east = -Double.infinity
    private(set) var north = Double.infinity
    private(set) var south = -Double.infinity
    private(set) var topSpeed = 0.0
    private(set) var heights: ClosedRange<Double>?
    private var spans: [(begin: Int64, end: Int64)] = []
    private var walker = Walker()

    // What drawing gathers.
    private(set) var places: [Place] = []
    private(set) var holes: [Hole] = []
    private(set) var axis = PictureAxis([])
    private(set) var profile: [Bin?] = []
    private(set) var stops = StopFinder()
    private var tolerance = 0.0
    private var isAdding = false
    private var gaps: [Int64: Gap] = [:]
    private var last: Place?
    private var lastDrawn: Place?
    private var lastSequence: Int64 = 0

    /// Follows a track over the antimeridian and counts its segments.
    private struct Walker {
        var longitude: Double?
        var segment: Int32?
        var number = -1

        /// The longitude next to the one before, whatever multiple of 360° that takes.
        mutating func unwrap(_ next: Double) -> Double {
            guard let longitude else {
                self.longitude = next
                return next
            }
            let unwrapped = next + 360 * ((longitude - next) / 360).rounded()
            self.longitude = unwrapped
            return unwrapped
        }

        mutating func begins(_ segment: Int32) -> Bool {
            defer { self.segment = segment }
            return segment != self.segment
        }
    }

    /// An empty picture.
    ///
    /// - Parameter gaps: the holes of the track, by the sequence they come after.
    public init(gaps: [Gap]) {
        for gap in gaps {
            if let after = gap.after { self.gaps[after] = gap }
        }
    }

    /// Takes note of where the track goes.
    public mutating func measure(_ record: RecordedFix) {
        let fix = record.fix
        guard record.flags.isKept, fix.latitude.isFinite, fix.longitude.isFinite else { return }
        let x = Mercator.x(walker.unwrap(fix.longitude))
        let y = Mercator.y(fix.latitude)
        west = min(west, x)
        east = max(east, x)
        north = min(north, y)
        south = max(south, y)
        if let speed = fix.speed, speed.isFinite { topSpeed = max(topSpeed, speed) }
        if let height = fix.altitudeMSL ?? fix.altitudeHAE, height.isFinite {
            heights =
                min(
                    heights?.lowerBound ?? height, height)...max(
                    heights?.upperBound ?? height, height)
        }
        let begins = walker.begins(record.segment)
        guard let time = fix.time?.milliseconds else { return }
        if begins || spans.isEmpty {
            spans.append((time, time))
        } else {
            spans[spans.count - 1].end = max(spans[spans.count - 1].end, time)
        }
    }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { west > east }

    /// Takes the fix for the drawing, after all were measured.
    public mutating func add(_ record: RecordedFix) {
        let fix = record.fix
        guard record.flags.isKept, fix.latitude.isFinite, fix.longitude.isFinite else { return }
        if !isAdding { begin() }
        let begins = walker.begins(record.segment)
        var place = Place(
            x: Mercator.x(walker.unwrap(fix.longitude)), y: Mercator.y(fix.latitude),
            speed: fix.speed, begins: begins)
        if begins || walker.number < 0, fix.time != nil { walker.number += 1 }
        if begins, let last {
            end(at: last)
            if let gap = gaps[lastSequence] {
                holes.append(Hole(gap: gap, from: last, to: place))
            }
        }
        lastSequence = record.sequence
        last = place
        stops.add(fix)
        bin(fix, place)
        if let drawn = lastDrawn, !begins,
            max((drawn.x - place.x).magnitude, (drawn.y - place.y).magnitude) < tolerance
        {
            return
        }
        place.begins = begins
        draw(place)
    }

    /// The next fix is not joined to the one before.
    public mutating func breakLine() {
        walker.segment = nil
    }

    /// Ends the track.
    public mutating func finish() {
        if let last { end(at: last) }
        stops.finish()
    }

    private mutating func begin() {
        isAdding = true
        walker = Walker()
        axis = PictureAxis(spans)
        profile = [Bin?](repeating: nil, count: TrackPicture.bins)
        tolerance = max(east - west, south - north) / 3000
    }

    /// The last fix of a segment is drawn, however near.
    private mutating func end(at place: Place) {
        guard let drawn = lastDrawn, drawn.x != place.x || drawn.y != place.y else { return }
        var place = place
        place.begins = false
        draw(place)
    }

    private mutating func draw(_ place: Place) {
        places.append(place)
        lastDrawn = place
        guard places.count > TrackPicture.limit else { return }
        // A track that goes over itself again and again is drawn more coarsely.
        tolerance *= 2
        var kept: [Place] = []
        for (index, place) in places.enumerated() {
            let isEnd = index + 1 == places.count || places[index + 1].begins
            if !place.begins, !isEnd, let before = kept.last,
                max((before.x - place.x).magnitude, (before.y - place.y).magnitude) < tolerance
            {
                continue
            }
            kept.append(place)
        }
        places = kept
    }

    private mutating func bin(_ fix: Fix, _ place: Place) {
        guard let time = fix.time?.milliseconds,
            let share = axis.place(of: time, inSegment: walker.number)
        else { return }
        let index = min(TrackPicture.bins - 1, Int(share * Double(TrackPicture.bins)))
        var bin =
            profile[index]
            ?? Bin(time: time, x: place.x, y: place.y, segment: walker.number)
        if let speed = fix.speed, speed.isFinite {
            bin.speedSum += speed
            bin.speedCount += 1
        }
        bin.height = bin.height ?? fix.altitudeMSL ?? fix.altitudeHAE
        profile[index] = bin
    }
}

/// The words and units of a picture.
public struct PictureWords {
    /// Speeds are shown times this, from m/s.
    public var speedFactor = 3.6
    /// The unit of that.
    public var speedUnit = "km/h"
    /// Heights are shown times this, from metres.
    public var heightFactor = 1.0
    /// The unit of that.
    public var heightUnit = "m"
    /// A distance in words, from metres.
    public var distance: (Double) -> String = { "\(Int($0)) m" }
    /// A time with its date in words.
    public var moment: (UTCTime) -> String = { "\($0)" }
    /// A length of time in words, from milliseconds.
    public var span: (Int64) -> String = { "\($0 / 1000) s" }
    /// Milliseconds that the clock on the wall is ahead of UTC.
    public var offset: (UTCTime) -> Int64 = { _ in 0 }

    /// Metric units and UTC.
    public init() {}

    /// The time of day, with seconds when asked for.
    func clock(_ time: UTCTime, seconds: Bool = false) -> String {
        let local = UTCTime(milliseconds: time.milliseconds &+ offset(time))
        return String(local.description.dropFirst(11).prefix(seconds ? 8 : 5))
    }

    /// The day and month, as `05-01`.
    func day(_ time: UTCTime) -> String {
        let local = UTCTime(milliseconds: time.milliseconds &+ offset(time))
        return String(local.description.dropFirst(5).prefix(5))
    }
}
