import Foundation

/// A true way through a day, a point a second, with its sky and a motion sensor.
struct Journey {
    /// A position in metres with its velocity in m/s.
    struct Point {
        var time: Double
        var x: Double
        var y: Double
        var east: Double
        var north: Double
    }

    private(set) var x: [Double] = [0]
    private(set) var y: [Double] = [0]
    private(set) var sky: [Bool] = [true]
    private(set) var isTrip: [Bool] = [false]
    private var motion: [Bool] = [false]
    var hasSensor = true
    private var random: SplitMix
    private var heading = 0.0

    init(seed: UInt64) {
        random = SplitMix(state: seed)
    }

    var seconds: Int { x.count }

    mutating func stay(_ seconds: Int, sky hasSky: Bool) {
        for _ in 0..<seconds { add(0, hasSky, isTrip: false) }
    }

    mutating func walk(_ seconds: Int) {
        for _ in 0..<seconds {
            heading += 0.05 * random.normal()
            add(1.35, true, isTrip: true)
        }
    }

    /// City blocks with turns and lights, or a motorway with bends.
    mutating func drive(_ kilometres: Double, isCity: Bool) {
        var driven = 0.0
        var speed = 0.0
        let top = isCity ? 13.0 : 33
        while driven < kilometres * 1000 {
            let block = isCity ? 150 + 450 * random.uniform() : 2000 + 4000 * random.uniform()
            let stops = random.uniform() < (isCity ? 0.35 : 0.05)
            let bend = isCity ? 0 : 0.004 * random.normal()
            var left = block
            while left > 0 {
                let goal = stops ? min(top, (2 * 1.8 * left).squareRoot()) : min(top, 5 + left / 8)
                speed = min(goal, speed + 1.6)
                speed = max(speed, 0.8)
                heading += bend * speed / 10
                add(speed, true, isTrip: true)
                left -= speed
                driven += speed
            }
            if stops {
                speed = 0
                for _ in 0..<Int(10 + 35 * random.uniform()) { add(0, true, isTrip: true) }
            }
            if isCity, random.uniform() < 0.5 { turn(at: &speed) }
        }
    }

    /// A right angle to either side in about five seconds.
    private mutating func turn(at speed: inout Double) {
        let side = random.uniform() < 0.5 ? 1.0 : -1
        speed = 5
        for _ in 0..<5 {
            heading += side * .pi / 10
            add(speed, true, isTrip: true)
        }
    }

    private mutating func add(_ speed: Double, _ hasSky: Bool, isTrip: Bool) {
        x.append(x[x.count - 1] + speed * sin(heading))
        y.append(y[y.count - 1] + speed * cos(heading))
        sky.append(hasSky)
        self.isTrip.append(isTrip)
        // A running engine shakes the sensor at lights too; a false alarm an hour and a half at rest.
        let isAlarm =
            motion[motion.count - 1] && !self.isTrip[motion.count - 1] && random.uniform() < 0.9
        motion.append(isTrip || isAlarm || random.uniform() < 1.0 / 2400)
    }

    func point(at time: Double) -> Point {
        let index = min(max(Int(time), 0), seconds - 1)
        let next = min(index + 1, seconds - 1)
        let before = max(next - 1, 0)
        return Point(
            time: time, x: x[index], y: y[index], east: x[next] - x[before],
            north: y[next] - y[before])
    }

    func sensor(at time: Double) -> Bool {
        // It needs three seconds to be sure.
        motion[min(max(Int(time) - 3, 0), seconds - 1)]
    }

    /// Distances of the recorded track, read back with its velocities, from the truth in trip seconds,
    /// ascending.
    func errors(of track: [Point]) -> [Double] {
        var errors: [Double] = []
        var index = 0
        for second in 0..<seconds where isTrip[second] {
            let time = Double(second) + 0.2
            while index + 1 < track.count, track[index + 1].time <= time { index += 1 }
            guard let first = track.first, time >= first.time else { continue }
            let there =
                index + 1 < track.count
                ? Self.bridge(track[index], track[index + 1], at: time)
                : (track[index].x, track[index].y)
            errors.append(hypot(there.0 - x[second], there.1 - y[second]))
        }
        return errors.sorted()
    }

    /// A cubic Hermite bridge whose end velocities count as far as the chord bears them out.
    private static func bridge(_ a: Point, _ b: Point, at time: Double) -> (Double, Double) {
        let span = b.time - a.time
        let s = (time - a.time) / span
        let (cx, cy) = ((b.x - a.x) / span, (b.y - a.y) / span)
        let fastest = max(hypot(a.east, a.north), hypot(b.east, b.north))
        let weight = span > 900 ? 0 : min(1, 1.5 * hypot(cx, cy) / max(fastest, 1e-6))
        func cubic(_ p: Double, _ q: Double, _ v: Double, _ w: Double, _ c: Double) -> Double {
            let v = weight * v + (1 - weight) * c
            let w = weight * w + (1 - weight) * c
            let (s2, s3) = (s * s, s * s * s)
            return (2 * s3 - 3 * s2 + 1) * p + (s3 - 2 * s2 + s) * span * v
                + (3 * s2 - 2 * s3) * q + (s3 - s2) * span * w
        }
        return (cubic(a.x, b.x, a.east, b.east, cx), cubic(a.y, b.y, a.north, b.north, cy))
    }

    /// A day of a person who drives to work, with an hour's walk at noon.
    static func commuter(_ seed: UInt64) -> Journey {
        var day = Journey(seed: seed)
        day.stay(600, sky: true)
        day.stay(7 * 3600, sky: false)
        day.walk(240)
        day.drive(14, isCity: true)
        day.walk(120)
        day.stay(4 * 3600, sky: false)
        day.walk(1800)
        day.stay(4 * 3600, sky: false)
        day.walk(120)
        day.drive(14, isCity: true)
        day.stay(24 * 3600 - day.seconds, sky: true)
        return day
    }

    /// Three hours of motorway in a day.
    static func motorway(_ seed: UInt64) -> Journey {
        var day = Journey(seed: seed)
        day.stay(8 * 3600, sky: true)
        day.drive(5, isCity: true)
        day.drive(160, isCity: false)
        day.stay(1200, sky: true)
        day.drive(160, isCity: false)
        day.drive(5, isCity: true)
        day.stay(24 * 3600 - day.seconds, sky: true)
        return day
    }

    /// A day in one place under open sky.
    static func parked(_ seed: UInt64) -> Journey {
        var day = Journey(seed: seed)
        day.stay(24 * 3600, sky: true)
        return day
    }
}
