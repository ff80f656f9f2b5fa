public import GNSS
import Geodesy

/// Tells movement from the drift of a receiver at rest.
///
/// A fix every second at rest adds kilometres a night when steps are summed. Here a place is left only when
/// two fixes in a row are away from it by more than the noise, and is reached when for ``restAfter``
/// milliseconds no fix left its surroundings; what was counted in that time is taken back.
public struct MotionFilter: Sendable {
    /// Whether the receiver moves.
    public enum State: Equatable, Sendable {
        /// It goes somewhere.
        case moving
        /// It stays where it is.
        case still
    }

    /// What one fix adds; negative when earlier movement turns out to have been drift.
    public struct Progress: Equatable, Sendable {
        /// Metres.
        public var distance = 0.0
        /// Milliseconds in movement.
        public var movingTime: Int64 = 0

        /// Nothing.
        public init() {}

        mutating func add(_ other: Progress) {
            distance += other.distance
            movingTime &+= other.movingTime
        }
    }

    private struct Point {
        var latitude: Double
        var longitude: Double
        var milliseconds: Int64

        func distance(to other: Point) -> Double {
            LocalDistance.between(latitude, longitude, other.latitude, other.longitude)
        }
    }

    /// Moving or still; still until movement is seen.
    public private(set) var state = State.still
    /// Where it rests, or where the stretch began that shows movement.
    private var anchor: Point?
    /// The last point that was counted.
    private var counted: Point?
    /// The first fix away from the place of rest.
    private var departure: Point?
    private var lastMilliseconds: Int64 = 0
    /// How many fixes came, up to three.
    private var taken = 0
    /// Whether each fix so far was further from the first, as no drift has it for long.
    private var leadsAway = true
    private var lastAway = 0.0
    /// What the way of the first fixes is, which are too few to tell it from drift by its length.
    public private(set) var pending = Progress()
    /// What was counted since the anchor.
    private var sinceAnchor = Progress()

    /// How long a receiver stays in one place before it rests, ms.
    public static let restAfter: Int64 = 20_000
    /// Movement below this is found by its distance alone, m/s.
    private static let slowest = 0.7
    /// Steps are counted from here on, so that the zigzag of noise is not, m.
    private static let shortest = 2.0

    /// A filter that knows no place.
    public init() {}

    /// Takes the next kept fix of a segment.
    ///
    /// - Parameter milliseconds: when, on any one clock; a fix from earlier than the last adds nothing.
    public mutating func follow(_ fix: Fix, at milliseconds: Int64) -> Progress {
        let here = Point(
            latitude: fix.latitude, longitude: fix.longitude, milliseconds: milliseconds)
        guard let anchor, let counted else {
            taken = 1
            anchor = here
            counted = here
            lastMilliseconds = milliseconds
            return Progress()
        }
        let elapsed = milliseconds &- lastMilliseconds
        guard elapsed > 0 else { return Progress() }
        lastMilliseconds = milliseconds
        let noise = min(fix.errors.eph ?? (fix.dop.hdop ?? 2) * 5, 100)
        let away = anchor.distance(to: here)
        taken = min(taken + 1, 3)
        pending = Progress()
        if taken == 2, away > max(Self.shortest, noise / 2) {
            pending.distance = away
            pending.movingTime = elapsed
        }
        let sinceFirst = milliseconds &- anchor.milliseconds
        leadsAway =
            leadsAway && state == .still && away > lastAway
            && away * 1000 >= Self.slowest * Double(sinceFirst)
            && (fix.speed ?? Self.slowest) >= Self.slowest
        lastAway = away
        if taken == 3, leadsAway, away > Self.shortest {
            pending.distance = away
            pending.movingTime = sinceFirst
        }
        guard state == .still else { return move(here, away, noise, fix.speed, counted, elapsed) }
        let progress = rest(here, away, noise, fix.speed)
        if state == .moving { pending = Progress() }
        return progress
    }

    private mutating func rest(
        _ here: Point, _ away: Double, _ noise: Double, _ speed: Double?
    ) -> Progress {
        let isDriven = (speed ?? 0) >= Self.slowest && away > max(Self.shortest, noise / 2)
        guard isDriven || away > max(25, 2 * noise), let anchor else {
            departure = nil
            return Progress()
        }
        guard let departure else {
            departure = here
            return Progress()
        }
        // The way there began at the place of rest; when, is known from the speed or not at all.
        let first = anchor.distance(to: departure)
        var progress = Progress()
        progress.distance = first + departure.distance(to: here)
        progress.movingTime = here.milliseconds &- departure.milliseconds
        if leadsAway {
            progress.movingTime = here.milliseconds &- anchor.milliseconds
        } else if let speed, speed >= Self.slowest {
            let before = Int64(min(first / speed, 60) * 1000)
            progress.movingTime &+= min(
                before, max(0, departure.milliseconds &- anchor.milliseconds))
        }
        state = .moving
        begin(at: here)
        self.departure = nil
        return progress
    }

    private mutating func move(
        _ here: Point, _ away: Double, _ noise: Double, _ speed: Double?, _ counted: Point,
        _ elapsed: Int64
    ) -> Progress {
        var progress = Progress()
        progress.movingTime = elapsed
        let step = counted.distance(to: here)
        if step >= Self.shortest {
            progress.distance = step
            self.counted = here
        }
        if away > max(8, noise / 2) {
            begin(at: here)
            return progress
        }
        sinceAnchor.distance += progress.distance
        sinceAnchor.movingTime &+= elapsed
        guard let anchor, here.milliseconds &- anchor.milliseconds >= Self.restAfter,
            (speed ?? 0) < Self.slowest
        else { return progress }
        // It has been at rest since the anchor.
        state = .still
        progress.distance -= sinceAnchor.distance
        progress.movingTime &-= sinceAnchor.movingTime
        sinceAnchor = Progress()
        self.counted = anchor
        return progress
    }

    private mutating func begin(at here: Point) {
        anchor = here
        counted = here
        sinceAnchor = Progress()
    }
}
