import DutyCycle
import Foundation
import GNSS
import Scheduling

/// SplitMix64 (Steele, Lea, Flood 2014).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func uniform() -> Double { Double.random(in: 0..<1, using: &self) }

    /// A normal deviate (Box, Muller 1958).
    mutating func normal() -> Double {
        (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }
}

/// A receiver, a sky and a virtual loop around one duty cycle.
///
/// Starts are those of `reference/power.md`, section 3: hot 5 s in the median with a long tail, up to 32 s; warm
/// and cold need 18 to 36 s of unbroken signal; opening a closed device takes 4 to 7 s.
final class World {
    var duty: DutyCycle
    let loop = VirtualLoop()
    private var random: SplitMix
    private let hasSky: (Double) -> Bool
    private let saysHeard: Bool
    private let reopens: Bool

    private var isOn = false
    private var onAt = 0.0
    private var offAt = -1e9
    private var speaksAt = 0.0
    /// Seconds of signal until the fix.
    private var needs = 0.0
    private var trackingSince: Double?
    private var ephemerisAt = -1e9
    private var wake: BootTime?
    private var sequence: Int64 = 0
    private var times: [Int64: Double] = [:]

    /// How far the time of fixes is off the time that goes by, seconds.
    var clockIsOff = 0.0

    /// What came out.
    var chosen: [Double] = []
    var cycles: [Cycle] = []
    var onTime = 0.0
    var dues = 0
    var switches = 0

    init(
        _ settings: DutyCycle.Settings, seed: UInt64, learned: Learned = Learned(),
        saysHeard: Bool = true, reopens: Bool = true,
        hasSky: @escaping (Double) -> Bool
    ) {
        duty = DutyCycle(settings, learned: learned)
        random = SplitMix(state: seed)
        self.hasSky = hasSky
        self.saysHeard = saysHeard
        self.reopens = reopens
        obey(duty.tell(.started(nil), at: loop.now))
    }

    var now: Double { Double(loop.now.milliseconds) / 1000 }

    /// Runs until `seconds`, or until that many cycles ended.
    func run(until seconds: Double, cycles limit: Int = .max) {
        while now < seconds, cycles.count < limit {
            var next = BootTime(milliseconds: Int64(seconds * 1000))
            // Epochs are at whole seconds and arrive 0.2 s later.
            if isOn {
                next = BootTime(milliseconds: (loop.now.milliseconds + 800) / 1000 * 1000 + 200)
            }
            if let wake, wake <= next {
                loop.advance(to: wake)
                self.wake = nil
                dues += 1
                obey(duty.tell(.due, at: loop.now))
            } else {
                loop.advance(to: next)
                if isOn { epoch() }
            }
        }
    }

    func tell(_ fact: Fact) {
        obey(duty.tell(fact, at: loop.now))
    }

    private func epoch() {
        guard now >= speaksAt else { return }
        let sky = hasSky(now)
        guard sky else {
            trackingSince = nil
            // Signals lost for long must be found again.
            needs = max(needs, 2)
            obey(duty.tell(.noFix(heard: saysHeard ? 0 : nil), at: loop.now))
            return
        }
        needs -= 1
        guard needs <= 0 else {
            obey(duty.tell(.noFix(heard: saysHeard ? 5 : nil), at: loop.now))
            return
        }
        if trackingSince == nil { trackingSince = now }
        let tracked = now - (trackingSince ?? now)
        if tracked >= 30 { ephemerisAt = now }
        var fix = Fix(
            time: UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 0), latitude: 51,
            longitude: 0.5, mode: .threeD)
        fix.time?.milliseconds += Int64((now + clockIsOff) * 1000)
        fix.errors.eph = 4 + 12 * exp(-tracked / 1.5) + 0.3 * random.uniform()
        sequence += 1
        times[sequence] = now
        obey(duty.tell(.fix(FixFact(fix, flags: [], sequence: sequence)), at: loop.now))
    }

    private func obey(_ command: Command?) {
        guard let command else { return }
        wake = command.wake
        if let cycle = command.ended { cycles.append(cycle) }
        if let sequence = command.chosen, let time = times[sequence] {
            chosen.append(time)
        }
        guard command.isOn != isOn else { return }
        isOn = command.isOn
        switches += 1
        if isOn {
            onAt = now
            let isClosed = reopens && now - offAt > 60
            speaksAt = now + (isClosed ? 4 + 3 * random.uniform() : 1)
            trackingSince = nil
            // The ephemeris is good for four hours.
            needs =
                now - ephemerisAt < 14_400
                ? min(32, max(1, 5 * exp(0.5 * random.normal()))) : 18 + 18 * random.uniform()
        } else {
            offAt = now
            onTime += now - onAt
        }
    }
}
