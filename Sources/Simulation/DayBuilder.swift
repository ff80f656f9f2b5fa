import Glibc

/// Puts a synthetic day together: stays, walks, drives and sailing.
///
/// After `reference/power.md`, section 8: city streets with corners and lights, motorways with bends, a trail, tacks.
struct DayBuilder {
    private(set) var x = [0.0]
    private(set) var y = [0.0]
    private var hasSky = [true]
    private var isMoving = [false]
    private var vibrates = [false]
    private var heading: Double
    var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(seed)
        heading = random.uniform(0, 2 * .pi)
    }

    private mutating func add(
        _ dx: Double, _ dy: Double, sky: Bool = true, moving: Bool = true, shakes: Bool? = nil
    ) {
        x.append(x[x.count - 1] + dx)
        y.append(y[y.count - 1] + dy)
        hasSky.append(sky)
        isMoving.append(moving)
        vibrates.append(shakes ?? moving)
    }

    private mutating func go(_ speed: Double) {
        add(speed * cos(heading), speed * sin(heading))
    }

    mutating func stay(_ seconds: Double, sky: Bool = true) {
        for _ in 0..<Int(seconds) { add(0, 0, sky: sky, moving: false) }
    }

    /// In a building: no sky, a short walk a few times an hour.
    mutating func indoors(_ seconds: Double) {
        let (x0, y0) = (x[x.count - 1], y[y.count - 1])
        var left = 0
        var goal = (x0, y0)
        for _ in 0..<Int(seconds) {
            if left == 0, random.uniform() < 2.5 / 3600 {
                left = Int(random.uniform(8, 25))
                goal = (x0 + random.uniform(-15, 15), y0 + random.uniform(-15, 15))
            }
            let (dx, dy) = (goal.0 - x[x.count - 1], goal.1 - y[y.count - 1])
            let distance = hypot(dx, dy)
            if left > 0, distance < 1.2 { left = 0 }
            guard left > 0 else {
                add(0, 0, sky: false, moving: false)
                continue
            }
            left -= 1
            add(dx / distance, dy / distance, sky: false, moving: left > 0)
        }
    }

    /// A walk that wanders and turns; `stops` is the chance of a pause each second.
    mutating func walk(
        _ seconds: Double, speed: Double = 1.35, wiggle: Double = 0.05, stops: Double = 0
    ) {
        var drift = 0.0
        var pause = 0
        for _ in 0..<Int(seconds) {
            if pause > 0 {
                pause -= 1
                add(0, 0, moving: false, shakes: pause > 0 && random.uniform() < 0.5)
                continue
            }
            if stops > 0, random.uniform() < stops { pause = Int(random.uniform(10, 90)) }
            drift = 0.85 * drift + wiggle * random.normal()
            heading += 0.5 * drift
            if random.uniform() < 1.0 / 110 { heading += random.sign() * random.uniform(0.7, 1.6) }
            go(max(0.4, speed + 0.15 * random.normal()))
        }
    }

    /// A drive: straight pieces, corners and lights in a city, bends on a motorway.
    mutating func drive(_ kilometres: Double, city: Bool = true) {
        var left = kilometres * 1000
        var speed = 0.0
        while left > 0 {
            let piece = city ? random.uniform(90, 420) : random.uniform(700, 3500)
            let cruise = city ? random.uniform(9, 14) : random.uniform(24, 33)
            let bend = city ? 0 : random.normal() * 0.0004
            let isRed = city && random.uniform() < 0.35
            let goal = isRed ? 0 : city ? 4.5 : cruise
            var run = 0.0
            while run < piece {
                let limit = min(
                    cruise, max(goal * goal + 2 * 1.6 * (piece - run), 0.3).squareRoot())
                speed += max(-2.2, min(1.4, limit - speed)) + 0.12 * random.normal()
                speed = max(0.6, speed)
                heading += bend * speed + 0.0008 * random.normal()
                run += speed
                go(speed)
            }
            if isRed {
                speed = 0
                // The engine idles: a sensor feels it.
                for _ in 0..<Int(random.uniform(8, 55)) { add(0, 0, moving: false, shakes: true) }
            }
            if city { corner(&speed) }
            left -= piece
        }
        while speed > 0.5 {
            speed -= 1.5
            go(max(speed, 0))
        }
    }

    private mutating func corner(_ speed: inout Double) {
        let choice = random.uniform()
        guard choice < 0.6 else { return }
        let turn = (choice < 0.3 ? -1 : 1) * Double.pi / 2
        for _ in 0..<4 {
            heading += turn / 4
            speed = max(speed, 3.5)
            go(speed)
        }
    }

    mutating func sail(_ seconds: Double, speed: Double = 3, tack: Double = 2400) {
        var now = speed
        var next = random.uniform(0.5, 1.5) * tack
        for second in 0..<Int(seconds) {
            now += 0.02 * (speed - now) + 0.03 * random.normal()
            heading += 0.004 * random.normal()
            if Double(second) > next {
                heading += random.sign() * 1.6
                next = Double(second) + random.uniform(0.5, 1.5) * tack
            }
            go(now)
        }
    }

    /// The day, cut or filled up with rest to 24 hours.
    consuming func track(_ name: String, seed: UInt64) -> TrueTrack {
        let day = 86_400
        let missing = day - x.count
        if missing > 0 { stay(Double(missing), sky: hasSky[hasSky.count - 1]) }
        return TrueTrack(
            name: name, x: Array(x.prefix(day)), y: Array(y.prefix(day)),
            hasSky: Array(hasSky.prefix(day)), isMoving: Array(isMoving.prefix(day)),
            vibrates: Array(vibrates.prefix(day)), seed: seed)
    }
}
