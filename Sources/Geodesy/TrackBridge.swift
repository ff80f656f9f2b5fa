import Glibc

/// The way between two fixes, as far as they tell it.
///
/// A cubic Hermite curve through both places with both velocities; for who goes slowly enough to turn on the spot,
/// half of a way with one corner. Velocities that the way between the places does not bear out (it stood somewhere in
/// between) count less, down to a straight line; time that it is known to have stood is left out. Metres and seconds
/// on a plane.
public struct TrackBridge: Sendable {
    /// One end.
    public struct End: Sendable {
        /// Seconds.
        public var time: Double
        /// Metres east.
        public var x: Double
        /// Metres north.
        public var y: Double
        /// Velocity to the east, m/s; `nil` when unknown.
        public var east: Double?
        /// Velocity to the north, m/s; `nil` when unknown.
        public var north: Double?

        /// An end.
        public init(time: Double, x: Double, y: Double, east: Double?, north: Double?) {
            self.time = time
            self.x = x
            self.y = y
            self.east = east
            self.north = north
        }
    }

    private let from: End
    private let to: End
    /// Until then it stood at the beginning, and from then at the end.
    private var leaves: Double
    private var arrives: Double
    /// When it stood in between.
    private var pause: ClosedRange<Double>?
    /// Where it stood then, as far as the velocities before and after tell.
    private var place: (x: Double, y: Double)?
    /// Time in movement.
    private var span = 0.0
    /// Velocities at the ends as far as they count.
    private var v0 = (x: 0.0, y: 0.0)
    private var v1 = (x: 0.0, y: 0.0)
    /// When it turned the one corner, seconds of movement, and what the two straight ways leave open.
    private var corner = 0.0
    private var open = (x: 0.0, y: 0.0)
    /// How much of the way with the corner is in it, 0 … 1.
    private var sharpness = 0.0

    /// A longer hole is bridged by a straight line, seconds.
    public static let longest = 900.0
    /// Slower than this is standing, m/s.
    private static let still = 0.6
    /// The usual speed of a way whose fast end has 1.
    private static let usual = 0.7
    /// A direction is kept for so long in the mean, seconds.
    private static let persistence = 120.0
    /// At this speed, m/s, a bend is wide and nothing of a corner is left.
    private static let wide = 20.0

    /// The way from one end to a later one.
    ///
    /// - Parameter stood: when a sensor says that it stood.
    public init(from: End, to: End, stood: ClosedRange<Double>? = nil) {
        self.from = from
        self.to = to
        leaves = from.time
        arrives = max(to.time, from.time)
        var (isRestBefore, isRestAfter) = (false, false)
        if let stood, stood.upperBound > leaves, stood.lowerBound < arrives {
            let low = max(stood.lowerBound, leaves)
            let high = min(stood.upperBound, arrives)
            if low - leaves < 5 {
                leaves = high
                isRestBefore = true
            } else if arrives - high < 5 {
                arrives = low
                isRestAfter = true
            } else {
                pause = low...high
            }
        }
        span = max(0, arrives - leaves - (pause.map { $0.upperBound - $0.lowerBound } ?? 0))
        guard span > 0 else { return }
        var chord = (x: (to.x - from.x) / span, y: (to.y - from.y) / span)
        (v0, v1) = (chord, chord)
        // Who is found far faster than the way took has stood for most of it: where it was seen last.
        if span > Self.longest, let east = to.east, let north = to.north,
            hypot(chord.x, chord.y) < Self.usual * hypot(east, north) / 2
        {
            isRestBefore = true
        }
        guard let e0 = isRestBefore ? 0 : from.east, let n0 = isRestBefore ? 0 : from.north,
            let e1 = isRestAfter ? 0 : to.east, let n1 = isRestAfter ? 0 : to.north,
            span <= Self.longest || isRestBefore
        else { return }
        if let pause {
            (v0, v1) = ((e0, n0), (e1, n1))
            place = stop(after: pause.lowerBound - leaves, before: arrives - pause.upperBound)
            return
        }
        let (s0, s1) = (hypot(e0, n0), hypot(e1, n1))
        let fastest = max(s0, s1)
        if min(s0, s1) < Self.still, fastest > 2 * Self.still {
            // It stood at one end, who knows how long: as long as its speed at the other leaves over.
            let needed = hypot(to.x - from.x, to.y - from.y) / (Self.usual * fastest)
            let idle = max(0, span - needed)
            if s0 < s1 { leaves += idle } else { arrives -= idle }
            span -= idle
            chord = ((to.x - from.x) / span, (to.y - from.y) / span)
        }
        let weight = min(1, 1.5 * hypot(chord.x, chord.y) / max(fastest, 1e-6))
        v0 = (chord.x + weight * (e0 - chord.x), chord.y + weight * (n0 - chord.y))
        v1 = (chord.x + weight * (e1 - chord.x), chord.y + weight * (n1 - chord.y))
        sharpness = 0.6 * max(0, 1 - fastest * fastest / (Self.wide * Self.wide))
        turn()
    }

    /// Where it stood: on from the one end and back from the other, the nearer one the more.
    private func stop(after: Double, before: Double) -> (x: Double, y: Double) {
        func reach(_ span: Double) -> Double {
            Self.persistence * (1 - exp(-span / Self.persistence))
        }
        let (t0, t1) = (reach(after), reach(before))
        let ahead = (x: from.x + v0.x * t0, y: from.y + v0.y * t0)
        let behind = (x: to.x - v1.x * t1, y: to.y - v1.y * t1)
        let (d0, d1) = (hypot(v0.x, v0.y) * t0 + 5, hypot(v1.x, v1.y) * t1 + 5)
        let share = d0 * d0 / (d0 * d0 + d1 * d1)
        return (
            ahead.x + share * (behind.x - ahead.x), ahead.y + share * (behind.y - ahead.y)
        )
    }

    /// Finds the corner: where it goes from one velocity to the other so that the places fit best.
    private mutating func turn() {
        let change = (x: v1.x - v0.x, y: v1.y - v0.y)
        let square = change.x * change.x + change.y * change.y
        let missed = (
            x: to.x - from.x - span * (v0.x + v1.x) / 2,
            y: to.y - from.y - span * (v0.y + v1.y) / 2
        )
        let shift =
            square > 1e-9 ? (missed.x * change.x + missed.y * change.y) / square : 0
        corner = min(span, max(0, span / 2 - shift))
        open = (
            missed.x + change.x * (corner - span / 2), missed.y + change.y * (corner - span / 2)
        )
    }

    /// Where it was, metres; the ends outside of them.
    public func position(at time: Double) -> (x: Double, y: Double) {
        if time <= leaves { return (from.x, from.y) }
        if time >= arrives { return (to.x, to.y) }
        var elapsed = time - leaves
        if let pause, let place {
            if time < pause.lowerBound {
                let span = pause.lowerBound - leaves
                return leg(elapsed / span, span, (from.x, from.y), place, v0, nil)
            }
            let left = arrives - pause.upperBound
            guard time > pause.upperBound else { return place }
            return leg((time - pause.upperBound) / left, left, place, (to.x, to.y), nil, v1)
        }
        if let pause {
            if time > pause.lowerBound { elapsed = pause.lowerBound - leaves }
            if time > pause.upperBound { elapsed += time - pause.upperBound }
        }
        guard span > 0 else { return (from.x, from.y) }
        let s = elapsed / span
        let x = Self.cubic(s, span, from.x, to.x, v0.x, v1.x)
        let y = Self.cubic(s, span, from.y, to.y, v0.y, v1.y)
        guard sharpness > 0 else { return (x, y) }
        var angular = (
            x: from.x + v0.x * elapsed + open.x * s, y: from.y + v0.y * elapsed + open.y * s
        )
        if elapsed > corner {
            let left = span - elapsed
            angular = (
                to.x - v1.x * left - open.x * (1 - s), to.y - v1.y * left - open.y * (1 - s)
            )
        }
        return (x + sharpness * (angular.x - x), y + sharpness * (angular.y - y))
    }

    /// A way with a velocity at one of its ends; at the other it is that of the straight way.
    private func leg(
        _ s: Double, _ span: Double, _ p0: (x: Double, y: Double), _ p1: (x: Double, y: Double),
        _ v0: (x: Double, y: Double)?, _ v1: (x: Double, y: Double)?
    ) -> (x: Double, y: Double) {
        let straight = (x: (p1.x - p0.x) / span, y: (p1.y - p0.y) / span)
        let (u0, u1) = (v0 ?? straight, v1 ?? straight)
        return (
            Self.cubic(s, span, p0.x, p1.x, u0.x, u1.x), Self.cubic(s, span, p0.y, p1.y, u0.y, u1.y)
        )
    }

    private static func cubic(
        _ s: Double, _ span: Double, _ p0: Double, _ p1: Double, _ v0: Double, _ v1: Double
    ) -> Double {
        let s2 = s * s
        let s3 = s2 * s
        return (2 * s3 - 3 * s2 + 1) * p0 + (s3 - 2 * s2 + s) * span * v0
            + (3 * s2 - 2 * s3) * p1 + (s3 - s2) * span * v1
    }
}
