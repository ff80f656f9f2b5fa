/// What a receiver at the vehicle's place reports: errors, satellites, dilution of precision.
struct Receiver {
    /// One satellite in view.
    struct Satellite {
        var id: Int
        var elevation: Int
        var azimuth: Int
        var strength: Int
        /// Bad luck of this satellite, dB.
        var loss: Int
    }

    private(set) var north = 0.0
    private(set) var east = 0.0
    private(set) var up = 0.0
    private(set) var gps: [Satellite] = []
    private(set) var galileo: [Satellite] = []
    private(set) var hdop = 0.9
    private(set) var vdop = 1.4
    private var skyAge = 0.0
    private var strengthAge = 0.0

    /// Drifts by `step` seconds: an AR(1) error of 1.5 m with a memory of about a minute.
    mutating func advance(by step: Double, chance: inout Chance) {
        let memory = 1 - 0.015 * step
        let kick = 1.45 * (1 - memory * memory).squareRoot()
        north = north * memory + kick * chance.normal()
        east = east * memory + kick * chance.normal()
        up = up * memory + 1.8 * kick * chance.normal()
        skyAge -= step
        strengthAge -= step
        if skyAge <= 0 {
            skyAge = 300
            gps = Receiver.satellites(chance.among(8...11), of: 32, chance: &chance)
            galileo = Receiver.satellites(chance.among(5...8), of: 36, chance: &chance)
            strengthAge = 0
        }
        if strengthAge <= 0 {
            strengthAge = 5
            for i in gps.indices { Receiver.fade(&gps[i], chance: &chance) }
            for i in galileo.indices { Receiver.fade(&galileo[i], chance: &chance) }
            let used = Double(used(gps).count + used(galileo).count)
            hdop = 0.5 + 5 / used + chance.within(0...0.08)
            vdop = hdop * 1.55
        }
    }

    /// Comes out of a tunnel with a worse position than usual.
    mutating func reacquire(chance: inout Chance) {
        north += 5 * chance.normal()
        east += 5 * chance.normal()
    }

    /// The satellites strong enough to be used.
    func used(_ satellites: [Satellite]) -> [Satellite] {
        Array(satellites.filter { $0.strength > 22 }.prefix(12))
    }

    private static func satellites(_ count: Int, of all: Int, chance: inout Chance) -> [Satellite] {
        var ids: Set<Int> = []
        while ids.count < count { ids.insert(chance.among(1...all)) }
        return ids.sorted().map { id in
            Satellite(
                id: id, elevation: chance.among(4...86), azimuth: chance.among(0...359),
                strength: 0, loss: chance.among(0...7))
        }
    }

    /// Higher satellites are heard better.
    private static func fade(_ satellite: inout Satellite, chance: inout Chance) {
        satellite.strength =
            26 + min(satellite.elevation, 60) / 3 - satellite.loss + chance.among(-1...1)
    }
}
