public import Scheduling

/// Tells from what comes, and from what does not, how the live source is, and what to do about it.
///
/// A connection that stands proves nothing: a gpsd that was stopped still accepts one, and one that has lost
/// its receiver is silent. Only data is a sign of life.
public struct SourceWatchdog: Sendable {
    /// Its limits.
    public struct Settings: Equatable, Sendable {
        /// How long a receiver may be silent before gpsd is asked whether it lives; two and a half of its periods
        /// when that is longer.
        public var asksAfter = TimeSpan.seconds(5)
        /// How long a receiver may be silent; three of its periods when that is longer.
        public var silentAfter = TimeSpan.seconds(9)
        /// How long a receiver may take to say its first word; gpsd probes for up to 7 s.
        public var startsWithin = TimeSpan.seconds(20)
        /// How long gpsd may take to answer.
        public var answersWithin = TimeSpan.seconds(5)
        /// How long a receiver may report without a fix before that is said.
        public var noFixAfter = TimeSpan.seconds(8)
        /// How long an old fix may be repeated before that is said.
        public var repeatedAfter = TimeSpan.seconds(10)
        /// How often the connection is made anew while a receiver is silent or repeats itself.
        public var reopensEvery = TimeSpan.seconds(60)

        /// The limits that suit a receiver of 1 Hz.
        public init() {}
    }

    /// What happened.
    public enum Fact: Equatable, Sendable {
        /// There is no connection, for the reason that the state names.
        case disconnected(SourceState)
        /// The connection stands and WATCH was sent.
        case connected
        /// gpsd said something that is no measurement, or that is one of a receiver that does not make the track.
        case answer
        /// Another receiver makes the track from now on, for want of a fix of the one before.
        case replaced
        /// The next epoch, which has waited in the socket, comes `interval` after the one before by the receiver's
        /// clock: what was missing between them is past.
        case waited(interval: TimeSpan)
        /// gpsd has that many receivers.
        case receivers(Int)
        /// A new epoch came, `interval` after the one before by the receiver's clock.
        case epoch(hasFix: Bool, interval: TimeSpan?)
        /// A report of an epoch that had been complete came, at the same place or another one.
        case repeated(samePosition: Bool)
        /// Time has passed.
        case time
    }

    /// What is to be done.
    public enum Action: Equatable, Sendable {
        /// Send WATCH again: it opens a receiver that gpsd has let go, and its answer shows that gpsd lives.
        case watch
        /// Close the connection and make a new one.
        case reopen
    }

    /// How the source is.
    public private(set) var state = SourceState.off
    /// Since when.
    public private(set) var since = BootTime(nanoseconds: 0)

    private let settings: Settings
    private var connectedAt: BootTime?
    private var answeredAt: BootTime?
    private var askedAt: BootTime?
    private var reopenedAt: BootTime?
    private var dataAt: BootTime?
    private var fixAt: BootTime?
    private var newAt: BootTime?
    private var moves = false
    private var receivers = 0
    /// Whether gpsd was asked since the last data.
    private var hasAsked = false
    private var interval = TimeSpan.seconds(1)
    /// The last intervals; the shortest of them counts, for one epoch that was lost makes the next a long one.
    private var intervals: [TimeSpan] = []

    /// A source that is off.
    public init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Takes a fact and says what is to be done.
    public mutating func tell(_ fact: Fact, at now: BootTime) -> Action? {
        switch fact {
        case .disconnected(let reason):
            let since = reason == .unreachable ? silentSince ?? now : now
            connectedAt = nil
            askedAt = nil
            // Another attempt tells nothing new about the trouble it is made for.
            let isAttempt = reason == .connecting || reason == .resolving
            let isLost = state == .unreachable || state == .resolveFailed
            if !isAttempt || !(isTrouble || isLost) { change(to: reason, at: since) }
            return nil
        case .connected:
            connectedAt = now
            answeredAt = nil
            askedAt = now
            dataAt = nil
            newAt = now
            hasAsked = false
            if !isTrouble { change(to: .greeting, at: now) }
        case .answer: answered(at: now)
        case .replaced:
            if state == .streaming { change(to: isBlind ? .noFix : .receiverSilent, at: now) }
            return nil
        case .waited(let interval):
            // By both clocks: a receiver whose time leaps has not been silent.
            guard state == .streaming, let dataAt, interval >= silentAfter,
                now - dataAt >= silentAfter, interval - (now - dataAt) < .seconds(2)
            else { return nil }
            change(to: .receiverSilent, at: dataAt + silentAfter)
            return nil
        case .receivers(let count):
            receivers = count
            guard connectedAt != nil else { return nil }
            answered(at: now)
            if count == 0 {
                change(to: .noReceiver, at: now)
            } else if state == .noReceiver || state == .greeting {
                dataAt = nil
                connectedAt = now
                change(to: .starting, at: now)
            }
        case .epoch(let hasFix, let interval):
            answered(at: now)
            receivers = max(receivers, 1)
            dataAt = now
            newAt = now
            hasAsked = false
            moves = false
            reopenedAt = nil
            if let interval, interval > .seconds(0), interval <= .seconds(60) { learn(interval) }
            if hasFix {
                fixAt = now
                change(to: .streaming, at: now)
            } else if state != .streaming {
                change(to: .noFix, at: now)
            }
        case .repeated(let samePosition):
            answered(at: now)
            dataAt = now
            if !samePosition { moves = true }
        case .time: break
        }
        return check(at: now)
    }

    /// When ``Fact/time`` is to be told at the latest; `nil` while there is no connection.
    public var nextCheck: BootTime? {
        guard let connectedAt else { return nil }
        if let askedAt { return askedAt + settings.answersWithin }
        switch state {
        case .greeting: return connectedAt + settings.answersWithin
        case .noReceiver: return (answeredAt ?? connectedAt) + settings.reopensEvery
        case .starting: return connectedAt + settings.startsWithin
        case .receiverSilent, .oldFixRepeated, .timeStandsStill:
            return (reopenedAt ?? since) + settings.reopensEvery
        default:
            guard let dataAt else { return connectedAt + settings.startsWithin }
            let due = dataAt + (hasAsked ? silentAfter : asksAfter)
            if isBlind, let fixAt { return min(due, fixAt + settings.noFixAfter) }
            guard let newAt, newAt < dataAt else { return due }
            return min(due, newAt + settings.repeatedAfter)
        }
    }

    /// Whether more has been missed than an epoch that is late.
    func isOverdue(at now: BootTime) -> Bool {
        guard state == .streaming, askedAt == nil, let dataAt, !isBlind, newAt == dataAt
        else { return true }
        return now - dataAt >= overdueAfter
    }

    /// How long no epoch may come before it is more than late.
    var overdueAfter: TimeSpan { max(.seconds(interval.seconds * 2.5), .seconds(1.5)) }

    /// How soon the next epoch is here, if it comes.
    var nextEpoch: TimeSpan { .seconds(interval.seconds * 1.5) }

    private mutating func check(at now: BootTime) -> Action? {
        guard let connectedAt else { return nil }
        if let asked = askedAt, now - asked >= settings.answersWithin {
            let since = silentSince ?? now
            askedAt = nil
            change(to: .gpsdSilent, at: since)
            return .reopen
        }
        if state == .greeting, askedAt == nil, now - connectedAt >= settings.answersWithin {
            // It greets and does not say what receivers it has.
            change(to: .gpsdSilent, at: now)
            return .reopen
        }
        if askedAt != nil || receivers == 0 || state == .greeting {
            if state == .noReceiver, askedAt == nil,
                now - (answeredAt ?? connectedAt) >= settings.reopensEvery
            {
                return ask(at: now)
            }
            return nil
        }
        let allowed = dataAt == nil ? settings.startsWithin : silentAfter
        if now - (dataAt ?? connectedAt) >= allowed {
            return trouble(.receiverSilent, first: .watch, at: now)
        }
        if let newAt, let dataAt, dataAt > newAt, now - newAt >= settings.repeatedAfter {
            return trouble(moves ? .timeStandsStill : .oldFixRepeated, first: .reopen, at: now)
        }
        if !hasAsked, !isTrouble, let dataAt, now - dataAt >= asksAfter {
            // A gpsd that hangs is found before its silence is taken for the receiver's.
            hasAsked = true
            return ask(at: now)
        }
        if isBlind, let fixAt, now - fixAt >= settings.noFixAfter {
            change(to: .noFix, at: now)
        }
        return nil
    }

    /// Since when there is a silence of which it is not known yet whether it is gpsd's; until that is, it is told as the
    /// receiver's.
    private var silentSince: BootTime? {
        state == .receiverSilent && askedAt == since ? since : nil
    }

    private mutating func learn(_ interval: TimeSpan) {
        if intervals.count == 4 { intervals.removeFirst() }
        intervals.append(interval)
        self.interval = intervals.min() ?? interval
    }

    /// Whether the last epoch had no fix, and that may pass.
    private var isBlind: Bool {
        guard state == .streaming, let fixAt, let newAt else { return false }
        return newAt > fixAt
    }

    /// Enters a state of the receiver with its remedy, and opens anew from time to time while it lasts.
    private mutating func trouble(
        _ trouble: SourceState, first: Action, at now: BootTime
    ) -> Action? {
        if state != trouble {
            change(to: trouble, at: now)
            reopenedAt = now
            return first == .watch ? ask(at: now) : first
        }
        guard now - (reopenedAt ?? since) >= settings.reopensEvery else { return nil }
        reopenedAt = now
        return .reopen
    }

    private mutating func ask(at now: BootTime) -> Action? {
        askedAt = now
        return .watch
    }

    private mutating func answered(at now: BootTime) {
        guard connectedAt != nil else { return }
        answeredAt = now
        askedAt = nil
        if state == .gpsdSilent { change(to: .greeting, at: now) }
    }

    private mutating func change(to new: SourceState, at now: BootTime) {
        guard new != state else { return }
        state = new
        since = now
    }

    private var isTrouble: Bool {
        switch state {
        case .gpsdSilent, .receiverSilent, .oldFixRepeated, .timeStandsStill: true
        default: false
        }
    }

    private var silentAfter: TimeSpan {
        max(settings.silentAfter, .seconds(interval.seconds * 3))
    }

    private var asksAfter: TimeSpan {
        let share = TimeSpan.seconds(settings.silentAfter.seconds * 0.6)
        return max(min(settings.asksAfter, share), .seconds(interval.seconds * 2.5))
    }
}
