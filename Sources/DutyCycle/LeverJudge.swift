public import Scheduling

/// Tells whether switching the receiver off did what it is for, and what it saves.
///
/// It is told what happened and reads nothing itself.
public struct LeverJudge: Sendable {
    /// What happened.
    public enum Fact: Equatable, Sendable {
        /// The receiver is being switched off, until then when that is known.
        case off(until: BootTime?)
        /// The lever has done its work.
        case carriedOut
        /// The lever could not do its work, and why.
        case failed(String)
        /// The receiver sent something.
        case data
        /// gpsd says whether it has the receiver open; with the number of its other clients, when it can be seen.
        case device(isOpen: Bool, others: Int?)
        /// Other clients of gpsd want the receiver: it was left on for them.
        case shared(Int)
        /// There is no connection to gpsd: nothing can be seen.
        case blind
        /// The receiver is being switched on.
        case on
        /// Time has passed.
        case time
    }

    /// What to do about it.
    public enum Action: Equatable, Sendable {
        /// Ask gpsd for its devices.
        case ask
        /// The receiver woke by itself: switch it off again.
        case again
        /// The lever has failed: let gpsd go of the device.
        case fallBack
        /// Others keep the receiver on: take its fixes.
        case ride
    }

    /// What is known of it.
    public enum Verdict: Equatable, Sendable {
        /// It was not switched off yet.
        case untried
        /// It works.
        case verified
        /// It was off for less than gpsd holds a device.
        case brief
        /// So many other clients keep the receiver on.
        case shared(Int)
        /// gpsd keeps it open though nobody watches.
        case alwaysOpen
        /// gpsd keeps it open, for whom cannot be seen.
        case heldOpen
        /// It went on sending.
        case talking
        /// The lever could not do its work.
        case failed(String)
        /// gpsd was gone while it was to be checked.
        case blind
    }

    /// The lever that was asked for.
    public let wanted: PowerLever
    /// The last word on it.
    public private(set) var verdict = Verdict.untried
    /// Whether the next word is being waited for.
    public private(set) var isChecking = false
    /// Failures in a row.
    public private(set) var failures = 0
    /// When ``Fact/time`` is to be told; `nil` when nothing is waited for.
    public private(set) var nextCheck: BootTime?

    /// How long after its command a receiver may go on sending.
    private let linger: TimeSpan
    private var isOff = false
    private var hasFallenBack = false
    private var until: BootTime?
    private var silentSince: BootTime?
    private var asked = 0
    private var repeats = 0
    private var givenUpUntil: BootTime?
    /// Whether gpsd was seen to keep a device open that nobody watches.
    private var isReleaseFutile = false

    /// gpsd.c, RELEASE_TIMEOUT: how long gpsd holds a device after its last watcher; and a look a little later.
    static let hold = TimeSpan.seconds(60)
    private static let holdIsOver = TimeSpan.seconds(62)
    /// gpsd 3.22 closes when something wakes it: the first question does, the second one tells.
    private static let asksAgain = TimeSpan.seconds(2)
    /// A receiver that still sends so long after the command did not obey (power.md, section 2).
    private static let obeysWithin = TimeSpan.seconds(3)
    /// Silence of this length is sleep.
    private static let silence = TimeSpan.seconds(4)
    /// A receiver that wakes by its own timer may do so this much too early.
    private static let early = TimeSpan.seconds(2)
    /// So many failures in a row, and it is left alone for this long.
    private static let patience = 3
    private static let rest = TimeSpan.seconds(3600)

    /// A judge of a lever; `linger` is how long the receiver may send after the command by its own design.
    public init(_ wanted: PowerLever, linger: TimeSpan = .seconds(0)) {
        self.wanted = wanted
        self.linger = linger
    }

    /// The lever that is used now: that which was asked for, or what it falls back to.
    public func inForce(at now: BootTime) -> PowerLever {
        guard hasFallenBack || givenUpUntil.map({ now < $0 }) ?? false else { return wanted }
        return isReleaseFutile ? .none : .gpsd
    }

    /// Takes what happened and says what to do.
    public mutating func tell(_ fact: Fact, at now: BootTime) -> Action? {
        switch fact {
        case .off(let until):
            isOff = true
            self.until = until
            asked = 0
            repeats = 0
            hasFallenBack = false
            if inForce(at: now).releasesDevice { expectRelease(now) }
        case .on:
            isOff = false
            isChecking = false
            nextCheck = nil
            silentSince = nil
        case .carriedOut:
            if isOff, !inForce(at: now).releasesDevice, wanted != .none {
                silentSince = now + Self.obeysWithin + linger
                check(at: now + Self.obeysWithin + linger + Self.silence)
            }
        case .failed(let reason): return fail(.failed(reason), now)
        case .data: return heard(now)
        case .device(let isOpen, let others): return see(isOpen, others, now)
        case .shared(let count):
            end(.shared(count))
            return .ride
        case .blind:
            if isOff, isChecking { end(.blind) }
        case .time: return passed(now)
        }
        return nil
    }

    private mutating func check(at due: BootTime) {
        isChecking = true
        nextCheck = due
    }

    private mutating func end(_ verdict: Verdict) {
        self.verdict = verdict
        isChecking = false
        nextCheck = nil
    }

    private mutating func expectRelease(_ now: BootTime) {
        if let until, until - now < Self.holdIsOver + Self.asksAgain {
            end(verdict == .alwaysOpen || verdict == .heldOpen ? verdict : .brief)
        } else {
            check(at: now + Self.holdIsOver)
        }
    }

    private mutating func fail(_ verdict: Verdict, _ now: BootTime) -> Action? {
        end(verdict)
        silentSince = nil
        failures += 1
        if failures >= Self.patience { givenUpUntil = now + Self.rest }
        guard isOff, wanted.touchesReceiver, !hasFallenBack else { return nil }
        hasFallenBack = true
        return .fallBack
    }

    private mutating func heard(_ now: BootTime) -> Action? {
        guard isOff, let silentSince, now >= silentSince else { return nil }
        if isChecking { return fail(.talking, now) }
        // Its own timer wakes it about when it is wanted; any earlier, it is sent to sleep again.
        if let until, until - now <= Self.early { return nil }
        repeats += 1
        self.silentSince = nil
        return repeats > 3 ? fail(.talking, now) : .again
    }

    private mutating func see(_ isOpen: Bool, _ others: Int?, _ now: BootTime) -> Action? {
        // gpsd tells of its devices unasked too, as in the answer to the end of a watch.
        guard isOff, isChecking, asked > 0, inForce(at: now).releasesDevice else { return nil }
        guard isOpen else {
            isReleaseFutile = false
            works(now)
            return nil
        }
        if asked < 2 {
            nextCheck = now + Self.asksAgain
            return nil
        }
        switch others {
        case nil: end(.heldOpen)
        case 0?: end(.alwaysOpen)
        case let count?:
            end(.shared(count))
            return .ride
        }
        isReleaseFutile = true
        return nil
    }

    private mutating func passed(_ now: BootTime) -> Action? {
        guard isOff, isChecking, let nextCheck, now >= nextCheck else { return nil }
        if inForce(at: now).releasesDevice {
            asked += 1
            // An answer sets the next time; without one it is asked once more and then left.
            self.nextCheck = asked < 3 ? now + .seconds(5) : nil
            if asked >= 3 {
                end(.blind)
                return nil
            }
            return .ask
        }
        works(now)
        return nil
    }

    private mutating func works(_ now: BootTime) {
        // What the fallback does says nothing about the lever that failed.
        guard inForce(at: now) == wanted else { return end(verdict) }
        failures = 0
        givenUpUntil = nil
        end(.verified)
    }
}
