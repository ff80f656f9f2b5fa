import GNSS

/// Learns whether the sentences without a time (VTG, GSA, HDT, PGRME) go before the position they belong to.
///
/// Most receivers send them behind it. Nothing in a log tells the two apart but its beginning: where it begins with
/// as many of them as then lie between two epochs, and none lies within one, they lead.
struct LeadingSentences {
    /// Whether nothing is left to be learnt.
    private(set) var isSettled = false
    /// Whether they belong to the position that follows.
    private(set) var lead = false

    /// How many came before the first position of the log, nothing with a time between.
    private var head = 0
    /// How many came since the last sentence with a time of the first epoch.
    private var tail = 0
    /// The kinds seen when the last of them came.
    private var seen: EpochState.Sentences = []
    /// The first epoch before they came, and the second one with them, should they lead.
    private var before = EpochState()
    private var following = EpochState()

    private static let timeless: EpochState.Sentences = .gsa

    /// A date or the like lies between them and the first position: they need not be its own.
    mutating func interrupt() { head = 0 }

    /// Whether the next one is to be taken by ``following`` as well.
    mutating func isOnTrial(_ epoch: EpochState) -> Bool {
        guard epoch.isFix || epoch.isVoid else {
            head += 1
            return false
        }
        guard head > 0 else {
            isSettled = true
            return false
        }
        let seen = epoch.seen.subtracting(Self.timeless)
        if tail > 0, seen != self.seen {
            // One lay within the epoch.
            isSettled = true
            return false
        }
        if tail == 0 {
            before = epoch
            following = EpochState()
        }
        self.seen = seen
        tail += 1
        return true
    }

    /// Exchanges the epoch at hand and the one that follows, should they lead.
    mutating func exchange(_ epoch: inout EpochState) { swap(&epoch, &following) }

    /// Decides at the end of the first epoch with a position.
    ///
    /// - Parameter epoch: the one that ends; what belongs to the next is taken out of it.
    /// - Returns: the next, with what was said of it already.
    @inline(__always)
    mutating func next(after epoch: inout EpochState) -> EpochState {
        isSettled ? EpochState() : firstNext(after: &epoch)
    }

    @inline(never)
    private mutating func firstNext(after epoch: inout EpochState) -> EpochState {
        guard epoch.isFix || epoch.isVoid else {
            // A date alone: what came behind it was said of the position to come.
            return head > 0 ? epoch.timeless : EpochState()
        }
        isSettled = true
        lead =
            head > 0 && tail == head && epoch.seen.subtracting(Self.timeless) == seen
        guard lead else { return EpochState() }
        epoch = before
        return following
    }

    /// A sentence of the epoch before came behind one that was taken for the next: they do not lead.
    mutating func refute() {
        isSettled = true
        lead = false
    }
}

extension EpochState {
    /// What sentences without a time said.
    fileprivate var timeless: EpochState {
        var state = EpochState()
        state.seen = seen.intersection(.gsa)
        state.mode = mode
        state.satellitesNamed = satellitesNamed
        (state.pdop, state.hdop, state.vdop) = (pdop, hdop, vdop)
        (state.speed, state.course) = (speed, course)
        if let heading = rare?.heading {
            state.rare = Rare()
            state.rare?.heading = heading
        }
        return state
    }
}

extension NMEADecoder {
    /// Lets a sentence without a time change the epoch that it belongs to.
    @inline(__always)
    mutating func takeTimeless(
        _ emit: (Epoch) -> Void, _ take: (inout EpochState) -> Void
    ) {
        if !leading.isSettled || leading.lead { return takeUnsettled(emit, take) }
        take(&epoch)
    }

    @inline(never)
    private mutating func takeUnsettled(
        _ emit: (Epoch) -> Void, _ take: (inout EpochState) -> Void
    ) {
        if leading.lead {
            if epoch.isFix || epoch.isVoid { _ = openNext(-1, emit) }
            return take(&epoch)
        }
        let isOnTrial = leading.isOnTrial(epoch)
        take(&epoch)
        guard isOnTrial else { return }
        leading.exchange(&epoch)
        take(&epoch)
        leading.exchange(&epoch)
    }
}
