import GNSS

/// Drives the trip and writes down both what the receiver says and what was true.
struct Drive {
    /// What is asked for.
    struct Order {
        var seed: UInt64 = 1
        var epochs = 7200
        var hz = 1
    }

    // Late enough that midnight comes on the motorway.
    static let start = UTCTime(year: 2026, month: 3, day: 14, timeOfDay: 82_200_000)

    /// Second of the trip at which one position is kilometres off.
    static let badFix = 1500.0
    /// Second of the trip and sentence of that epoch (counted from 0) that noise on the line damages.
    static let damage: [(second: Double, sentence: Int)] = [
        (700, 0), (1300, 2), (2600, 5), (3600, 1), (5200, 0), (6900, 3),
    ]

    private(set) var truth: Truth
    private var writer = SentenceWriter()
    private var vehicle = Vehicle()
    private var receiver = Receiver()
    private var chance: Chance
    private var leg = 0
    private var legEnd = Leg.trip[0].length
    /// Seconds since the trip began, this time round.
    private var second = 0.0
    private let order: Order

    init(_ order: Order) {
        self.order = order
        chance = Chance(seed: order.seed)
        truth = Truth(seed: order.seed, hz: order.hz)
    }

    /// Makes the log, given away in pieces of about 64 kB.
    mutating func run(_ emit: ([UInt8]) -> Void) {
        writer.text.bytes.reserveCapacity(1 << 17)
        for epoch in 0..<order.epochs {
            let time = UTCTime(
                milliseconds: Drive.start.milliseconds + Int64(epoch * 1000 / order.hz))
            advance(to: time)
            write(time)
            if writer.text.bytes.count > 1 << 16 || epoch == order.epochs - 1 {
                emit(writer.text.bytes)
                writer.text.bytes.removeAll(keepingCapacity: true)
            }
        }
        truth.end(vehicle)
    }

    private mutating func advance(to time: UTCTime) {
        let step = truth.epochs == 0 ? 0 : 1 / Double(order.hz)
        second += step
        while second >= legEnd {
            if Leg.trip[leg].tunnel { receiver.reacquire(chance: &chance) }
            leg += 1
            if leg == Leg.trip.count {
                leg = 0
                second -= legEnd
                legEnd = 0
            }
            legEnd += Leg.trip[leg].length
        }
        vehicle.advance(along: Leg.trip[leg], by: step, chance: &chance)
        receiver.advance(by: step, chance: &chance)
        truth.add(leg: Leg.trip[leg], time: time, vehicle: vehicle)
    }

    private mutating func write(_ time: UTCTime) {
        var report = SentenceWriter.Report(time: time)
        if !Leg.trip[leg].tunnel {
            let metres = Ellipsoid.metresPerDegree(latitude: vehicle.latitude)
            // A reflected signal: three kilometres north-east for one epoch, all else as usual.
            let bad = isNow(Drive.badFix) ? 3000.0 : 0
            if bad > 0 { truth.badFixes.append(time) }
            report.position = (
                vehicle.latitude + (receiver.north + bad) / metres.north,
                vehicle.longitude + (receiver.east + bad) / metres.east,
                vehicle.altitude + receiver.up
            )
            report.speed = max(0, vehicle.speed + 0.05 * chance.normal())
            let course = vehicle.heading + 0.4 * chance.normal() + 360
            report.course = ((course * 100).rounded() / 100).truncatingRemainder(dividingBy: 360)
        }
        let start = writer.text.bytes.count
        writer.write(report, receiver: receiver)
        for fault in Drive.damage where isNow(fault.second) {
            damage(sentence: fault.sentence, from: start)
            truth.damaged.append(time)
        }
    }

    /// Whether this epoch is the first at or after a second of the trip.
    private func isNow(_ moment: Double) -> Bool {
        moment <= second && second < moment + 1 / Double(order.hz)
    }

    /// Changes one digit of a sentence and leaves its checksum as it was.
    private mutating func damage(sentence: Int, from start: Int) {
        var left = sentence
        var place = start
        while left > 0 {
            if writer.text.bytes[place] == UInt8(ascii: "\n") { left -= 1 }
            place += 1
        }
        place += 18
        while !(48...57).contains(writer.text.bytes[place]) { place += 1 }
        let digit = writer.text.bytes[place]
        writer.text.bytes[place] = digit == 57 ? 48 : digit + 1
    }
}
