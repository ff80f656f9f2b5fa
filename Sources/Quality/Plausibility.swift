import GNSS
import Geodesy
import Scheduling

/// Whether a position can follow from those before it, by elapsed time and Doppler speed.
///
/// The limit grows with the time since the anchor, so that nothing locks for ever, and there is no ceiling on
/// speed: trains, planes and parachutes pass because their own Doppler speed says so. Positions that do not
/// fit the track but fit each other overrule it; if the track then comes back, it is taken up at once.
struct Plausibility {
    /// A position that others are measured against.
    private struct Anchor {
        var latitude: Double
        var longitude: Double
        var altitude: Double?
        /// UTC, when the fix has it.
        var time: Int64?
        var seenAt: Int64
        /// Speed by Doppler, or by the step that led here when there is none, m/s.
        var speed: Double?
        var hasDoppler: Bool
        var noise: Double
        /// How many in a row agree, itself included, speeds and all.
        var support = 1
        /// How many in a row do not contradict each other.
        var following = 1
        /// Milliseconds since the first of those, by the receiver's clock where it has one.
        var lasting: Int64 = 0
    }

    private var track: Anchor?
    private var claim: Anchor?
    private var former: Anchor?

    /// Without any speed, the first step may be that of an airliner, m/s.
    private static let unknownSpeed = 350.0
    /// Change of speed that a fix need not explain, m/s²: hard braking, free fall.
    private static let acceleration = 10.0
    /// The most speed that acceleration alone explains, m/s.
    private static let speedGain = 300.0
    /// Vertical jumps of receivers that go from 2D to 3D, m.
    private static let verticalSlack = 500.0
    /// How long each position that overrules a track takes, a receiver of 1 Hz being the measure, ms.
    private static let claimStep: Int64 = 900
    /// How long a track that was overruled may come back, ms.
    private static let comeback: Int64 = 30_000

    /// What the last position was to the track.
    struct Finding {
        var fits: Bool
        var speedIsSuspect: Bool
        /// Whether no way led to it from the last position that fitted.
        var isStep = false
    }

    /// Whether the track was near and leads to the position, `nil` without a track; changes nothing.
    func continuesTrack(_ fix: Fix, at: BootTime) -> Bool? {
        guard let track else { return nil }
        let step = Self.reaches(track, Self.anchor(fix, at))
        return step.fits && step.metres < 100_000
    }

    /// Judges the next position.
    mutating func judge(_ fix: Fix, at: BootTime, agreement: Int) -> Finding {
        var next = Self.anchor(fix, at)
        guard let track else {
            self.track = next
            return Finding(fits: true, speedIsSuspect: false)
        }
        let step = Self.reaches(track, next)
        if step.fits {
            Self.link(track, &next, step)
            self.track = next
            claim = nil
            return Finding(fits: true, speedIsSuspect: step.agrees == false)
        }
        if let former, Self.milliseconds(former, next) <= Self.comeback {
            let back = Self.reaches(former, next)
            if back.fits {
                Self.link(former, &next, back)
                self.former = nil
                self.track = next
                claim = nil
                return Finding(fits: true, speedIsSuspect: false, isStep: true)
            }
        }
        if let claim {
            let step = Self.reaches(claim, next)
            Self.link(claim, &next, step)
            if !step.fits {
                next.following = 1
                next.lasting = 0
            }
            let needed = agreement + (next.hasDoppler ? 0 : 1) + (track.support >= 10 ? 1 : 0)
            // A receiver of 10 Hz is not right sooner than one of 1 Hz.
            let isLasting = next.lasting >= Int64(needed - 1) * Self.claimStep
            if isLasting, next.support >= needed || next.following >= 5 * agreement {
                former = track
                self.track = next
                self.claim = nil
                return Finding(fits: true, speedIsSuspect: false, isStep: true)
            }
        }
        claim = next
        return Finding(fits: false, speedIsSuspect: false)
    }

    private static func anchor(_ fix: Fix, _ at: BootTime) -> Anchor {
        // Beyond escape velocity it is no speed.
        let speed = fix.speed.flatMap { $0 < 12_000 ? $0 : nil }
        // A typical user range error of 5 m, when the receiver gives no estimate itself.
        let noise = fix.errors.eph ?? (fix.dop.hdop ?? 2) * 5
        return Anchor(
            latitude: fix.latitude, longitude: fix.longitude,
            altitude: fix.mode == .threeD ? fix.altitudeMSL ?? fix.altitudeHAE : nil,
            time: fix.time?.milliseconds, seenAt: at.milliseconds, speed: speed,
            hasDoppler: speed != nil, noise: min(noise, 100))
    }

    /// From one to the other by the receiver's clock, by the host's when a date is missing.
    private static func milliseconds(_ from: Anchor, _ to: Anchor) -> Int64 {
        if let a = from.time, let b = to.time { return abs(b &- a) }
        return abs(to.seenAt &- from.seenAt)
    }

    /// A step from one position to another.
    private struct Step {
        var seconds: Double
        var metres: Double
        /// Not farther than time, speed and noise allow.
        var fits: Bool
        /// Neither farther nor nearer than the Doppler speeds say; `nil` when that cannot be told.
        var agrees: Bool?
    }

    private static func reaches(_ from: Anchor, _ to: Anchor) -> Step {
        let seconds = Double(milliseconds(from, to)) / 1000
        let metres = LocalDistance.between(
            from.latitude, from.longitude, to.latitude, to.longitude)
        let speed = max(from.speed ?? to.speed ?? unknownSpeed, to.speed ?? 0)
        let gained = min(acceleration / 2 * seconds, speedGain) * seconds
        let slack = max(15, 3 * (from.noise + to.noise))
        var fits = metres <= 1.25 * speed * seconds + gained + slack
        if let a = from.altitude, let b = to.altitude {
            // Falling is the fastest honest way to change height: 50 to 130 m/s.
            fits = fits && abs(b - a) <= verticalSlack + (150 + speed) * seconds
        }
        var agrees: Bool?
        if from.hasDoppler, to.hasDoppler, seconds > 0, let a = from.speed, let b = to.speed {
            // 3 m: rounding of coarse receivers and what noise changes from one fix to the next.
            let tolerance = max(2, 0.4 * max(a, b)) + 3 / seconds + abs(a - b)
            let excess = metres / seconds - (a + b) / 2
            // A longer way may bend; then only too far is wrong.
            agrees = excess <= tolerance && (seconds > 10 || excess >= -tolerance)
        }
        return Step(seconds: seconds, metres: metres, fits: fits, agrees: agrees)
    }

    /// Carries what is known of `from` over to the position that follows it.
    private static func link(_ from: Anchor, _ to: inout Anchor, _ step: Step) {
        if !to.hasDoppler, step.seconds > 0 { to.speed = step.metres / step.seconds }
        to.following = min(from.following + 1, 1000)
        to.lasting = min(from.lasting &+ milliseconds(from, to), 3_600_000)
        if step.fits, step.seconds > 0, step.agrees ?? !to.hasDoppler {
            to.support = min(from.support + 1, 1000)
        }
    }
}
