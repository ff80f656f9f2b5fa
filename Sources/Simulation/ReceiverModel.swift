import DutyCycle
import Glibc

/// What a receiver draws and how it starts, as far as a schedule meets it.
///
/// Draws are those of data sheets at the module (`reference/power.md`, section 3).
public enum ReceiverPreset: String, CaseIterable, Sendable {
    /// u-blox 8.
    case m8
    /// u-blox 10.
    case m10
    /// MediaTek 3339.
    case mtk
    /// A stick on a bus that nothing switches off.
    case usb

    /// Milliwatts while it searches, tracks and sleeps.
    public var milliwatts: (acquiring: Double, tracking: Double, off: Double) {
        switch self {
        case .m8: (96, 87, 0.05)
        case .m10: (36, 25, 0.1)
        case .mtk: (72, 60, 0.05)
        case .usb: (150, 130, 130)
        }
    }

    /// Millijoules of one wake-up of the host.
    static let wakeUp = 30.0
}

/// Times to first fix of a simulated receiver, seconds.
public struct StartTimes: Equatable, Sendable {
    /// The median of a hot start, log-normal with 0.6.
    public var hot = 5.0
    /// From the command to a running receiver: gpsd takes 4 to 7 s where it opens the device anew.
    public var delay = 0.5

    static let hotSpread = 0.6
    static let hotAtMost = 30.0
    static let warm = 20.0...38
    static let cold = 28.0...60
    /// The ephemeris is taken for good for so long; makers say up to 4 h.
    static let ephemeris = 7200.0
    /// Unbroken tracking that reads it.
    static let reading = 30
    /// Finding satellites again after a short loss.
    static let again = 3.0

    /// The usual ones.
    public init() {}
}

/// A receiver over one track: the same second brings every policy the same luck and noise.
struct ReceiverModel {
    struct Fix {
        var second: Int
        var x: Double
        var y: Double
        var east: Double
        var north: Double
        var eph: Double
    }

    enum Report {
        case silent
        case noFix(heard: Int)
        case fix(Fix)
    }

    private let track: TrueTrack
    private let times: StartTimes
    private let chance: Chance
    /// Correlated error in metres: 2.5 m a coordinate, kept for a minute.
    private let drift: [(Double, Double)]

    private(set) var starts: [StartClass: Int] = [:]
    private var onAt = 0.0
    private var ephemerisAt: Double?
    private var hasAlmanac = false
    private var needs = 0.0
    /// Satellites that are heard without sky, too faint to be of use.
    private var faint = 0
    private var isAgain = false
    /// Seconds of unbroken tracking; 0 while it searches.
    private(set) var tracking = 0
    private var lost = 0

    private static let sigma = 2.5

    init(_ track: TrueTrack, _ times: StartTimes, seed: UInt64) {
        self.track = track
        self.times = times
        chance = Chance(seed)
        var random = SplitMix(seed &* 1001 &+ 17)
        let keep = exp(-1.0 / 60)
        let fresh = Self.sigma * (1 - keep * keep).squareRoot()
        var error = (Self.sigma * random.normal(), Self.sigma * random.normal())
        drift = (0..<track.seconds).map { _ in
            error = (
                keep * error.0 + fresh * random.normal(), keep * error.1 + fresh * random.normal()
            )
            return error
        }
    }

    mutating func switchOn(_ now: Double) {
        let second = min(max(0, Int(now)), track.seconds - 1)
        onAt = now
        tracking = 0
        lost = 0
        isAgain = false
        // In three of ten starts, one to five.
        faint = max(0, 5 - Int(chance.uniform(.faint, second) * 50 / 3))
        let kind: StartClass =
            ephemerisAt.map { now - $0 <= StartTimes.ephemeris } ?? false
            ? .hot : hasAlmanac ? .warm : .cold
        starts[kind, default: 0] += 1
        needs = times.delay + searchTime(kind, second)
    }

    mutating func switchOff() {
        tracking = 0
    }

    private func searchTime(_ kind: StartClass, _ second: Int) -> Double {
        let luck = chance.uniform(.luck, second)
        func within(_ range: ClosedRange<Double>) -> Double {
            range.lowerBound + (range.upperBound - range.lowerBound) * luck
        }
        return switch kind {
        case .hot:
            min(
                StartTimes.hotAtMost,
                times.hot * exp(StartTimes.hotSpread * chance.normals(.start, second).0))
        case .warm: within(StartTimes.warm)
        case .cold: within(StartTimes.cold)
        }
    }

    /// What it reports at a whole second.
    mutating func report(_ second: Int) -> Report {
        let now = Double(second)
        guard now - onAt >= times.delay else { return .silent }
        let sky = track.hasSky[second]
        guard tracking > 0 else {
            let hears = now - onAt >= 3
            guard sky else { return .noFix(heard: hears ? faint : 0) }
            if isAgain {
                isAgain = false
                let isStale = ephemerisAt.map { now - $0 > StartTimes.ephemeris } ?? true
                needs = isStale ? searchTime(.warm, second) : StartTimes.again
            }
            // Only seconds with sky bring it nearer.
            needs -= min(1, now - onAt)
            if needs > 0 { return .noFix(heard: hears ? 5 : 0) }
            begin(second)
            return .fix(fix(second))
        }
        if sky {
            lost = 0
        } else {
            lost += 1
            if lost > 4 {
                tracking = 0
                lost = 0
                isAgain = true
                return .noFix(heard: 0)
            }
        }
        tracking += 1
        if tracking >= StartTimes.reading { ephemerisAt = now }
        return .fix(fix(second))
    }

    private mutating func begin(_ second: Int) {
        tracking = 1
        let age = ephemerisAt.map { Double(second) - $0 } ?? .infinity
        // A start without a good ephemeris had to read it.
        if age > StartTimes.ephemeris { ephemerisAt = Double(second) }
        hasAlmanac = true
    }

    /// Errors shrink over the first seconds after a start.
    private func fix(_ second: Int) -> Fix {
        let scale = 1 + 1.5 * exp(-Double(tracking - 1) / 6)
        let white = chance.normals(.white, second)
        let speed = chance.normals(.velocity, second)
        let truth = track.velocity(second)
        return Fix(
            second: second,
            x: track.x[second] + scale * (drift[second].0 + 0.6 * white.0),
            y: track.y[second] + scale * (drift[second].1 + 0.6 * white.1),
            east: truth.east + 0.15 * speed.0, north: truth.north + 0.15 * speed.1,
            eph: 2 * Self.sigma * scale * exp(0.25 * chance.normals(.estimate, second).0))
    }
}
