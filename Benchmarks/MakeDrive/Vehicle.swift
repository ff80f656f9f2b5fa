/// Where the machine truly is and how it moves.
struct Vehicle {
    // The Great Victoria Desert, where nobody lives; the streets there are invented.
    static let home = (latitude: -28.6, longitude: 127.1)

    var latitude = home.latitude
    var longitude = home.longitude
    /// Metres above mean sea level.
    var altitude = 412.0
    /// Degrees from true north, 0 ..< 360.
    var heading = 62.0
    /// m/s.
    var speed = 0.0
    /// Metres gone since the start.
    var distance = 0.0
    /// Seconds gone at more than walking off the spot, 0.5 m/s.
    var movingTime = 0.0
    /// m/s.
    var topSpeed = 0.0

    private var target = 0.0
    private var haltLeft = 0.0
    private var bendLeft = 0.0
    private var slope = 0.0

    /// Moves on by `step` seconds.
    mutating func advance(along leg: Leg, by step: Double, chance: inout Chance) {
        if !leg.speeds.contains(target) || chance.happens(every: leg.pace, within: step) {
            target = chance.within(leg.speeds)
        }
        if leg.haltEvery > 0, haltLeft <= 0, chance.happens(every: leg.haltEvery, within: step) {
            haltLeft = chance.within(leg.halt)
        }
        if abs(bendLeft) < 1, speed > 1, chance.happens(every: leg.bendEvery, within: step) {
            bendLeft =
                leg.corners
                ? (chance.unit() < 0.5 ? -leg.bend : leg.bend) : leg.bend * chance.normal()
        }
        var wanted = target
        if haltLeft > 0 {
            haltLeft -= step
            wanted = 0
        } else if leg.corners, abs(bendLeft) > 15 {
            wanted = min(wanted, 5)
        }
        steer(by: step)
        // Comfortable: 1.6 m/s² on, 2.4 m/s² off.
        speed = max(0, speed + max(-2.4, min(1.6, (wanted - speed) * 0.6)) * step)
        if wanted == 0, speed < 0.15 { speed = 0 }
        move(by: step, chance: &chance)
    }

    /// Turns through the bend as fast as 2 m/s² sideways and a wheel's lock allow.
    private mutating func steer(by step: Double) {
        guard speed > 0.5 else { return }
        let rate = min(25, 2 / speed / Ellipsoid.radiansPerDegree) * step
        let turn = max(-rate, min(rate, bendLeft))
        bendLeft -= turn
        heading += turn + homeward * step
        heading -= (heading / 360).rounded(.down) * 360
    }

    /// Degrees a second back towards home, so that a log of weeks stays on one map.
    private var homeward: Double {
        let north = Vehicle.home.latitude - latitude
        let east = Vehicle.home.longitude - longitude
        guard north * north + east * east > 0.6 else { return 0 }
        let (sine, cosine) = Ellipsoid.sineAndCosine(degrees: heading)
        // The sign of the cross product says to which side home lies.
        return sine * north - cosine * east > 0 ? -0.8 : 0.8
    }

    private mutating func move(by step: Double, chance: inout Chance) {
        let path = speed * step
        let metres = Ellipsoid.metresPerDegree(latitude: latitude)
        let (sine, cosine) = Ellipsoid.sineAndCosine(degrees: heading)
        latitude += path * cosine / metres.north
        longitude += path * sine / metres.east
        slope = slope * 0.99 + 0.004 * chance.normal() - (altitude - 412) * 1e-6 * min(path, 1)
        altitude += slope * path
        distance += path
        if speed > 0.5 { movingTime += step }
        topSpeed = max(topSpeed, speed)
    }
}
