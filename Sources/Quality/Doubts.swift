public import GNSS
public import Scheduling

/// Fixes whose times may yet be taken for wrong, or for right.
struct Doubts {
    /// One that may be judged anew.
    struct Item {
        var number: Int64
        var fix: Fix
        var at: BootTime
        var flags: FixFlags
    }

    /// How many fixes were judged so far.
    var count: Int64 = 0
    private(set) var items: [Item] = []
    /// What was known before the first of them.
    private(set) var places = Plausibility()
    private(set) var line: TimeLine.Moment?

    /// More than a receiver needs that reports ten times a second.
    private static let most = 32

    var isOpen: Bool { !items.isEmpty }

    mutating func begin(_ places: Plausibility, _ line: TimeLine.Moment?) {
        self.places = places
        self.line = line
    }

    mutating func add(_ fix: Fix, at: BootTime, _ flags: FixFlags) {
        items.append(Item(number: count, fix: fix, at: at, flags: flags))
    }

    mutating func end() {
        items = []
    }

    /// Whether another fix does not belong to them.
    func isOver(for fix: Fix, at: BootTime) -> Bool {
        guard let first = items.first else { return false }
        return first.fix.device != fix.device || items.count >= Doubts.most
            || at - first.at >= QualityGate.patience
    }
}

extension QualityGate {
    /// Another verdict on an earlier fix.
    public struct Revision: Equatable, Sendable {
        /// How many fixes ago it was judged; 0 is the last one.
        public var ago: Int
        /// What is to be said of it.
        public var flags: FixFlags
    }

    /// How long verdicts may wait for the times to prove themselves.
    public static let patience = TimeSpan.seconds(10)

    /// Lets the verdicts so far stand.
    public mutating func letStand() {
        doubts.end()
        isUndecided = false
    }

    /// Takes note of a fix that was judged while times were in doubt, and says what is to be said of it.
    mutating func weigh(
        _ fix: Fix, at: BootTime, _ flags: FixFlags, after places: Plausibility,
        _ line: TimeLine.Moment?
    ) -> FixFlags {
        let mayChange = flags.isKept || !flags.isDisjoint(with: QualityGate.refusals)
        guard mayChange, fix.time != nil else { return flags }
        if doubts.isOver(for: fix, at: at) {
            doubts.end()
            return flags
        }
        if !doubts.isOpen { doubts.begin(places, line) }
        doubts.add(fix, at: at, flags)
        guard !receivers[Int(fix.device)].times.isUndecided else { return flags }
        revise()
        doubts.end()
        return revisions.last?.ago == 0 ? revisions.removeLast().flags : flags
    }

    /// Judges all of them anew now that the time of the last one is believed.
    private mutating func revise() {
        let items = doubts.items
        var isOnLine = [Bool](repeating: true, count: items.count)
        guard var line = items.last.flatMap(QualityGate.moment) else { return }
        for (index, item) in items.enumerated().reversed() {
            guard let moment = QualityGate.moment(item) else { continue }
            let isNear = abs(line.time &- moment.time) <= settings.maximumDisorder.milliseconds
            isOnLine[index] = isNear || moment.leads(to: line)
            if isOnLine[index], moment.time < line.time { line = moment }
        }
        let isRight = zip(items, isOnLine).allSatisfy { item, isOnLine in
            isOnLine ? item.flags.isDisjoint(with: QualityGate.refusals) : !item.flags.isKept
        }
        guard !isRight else { return }
        var places = doubts.places
        // The first of the line is a step when the track before does not lead to it.
        var isStep = doubts.line.map { $0.time >= line.time || !$0.leads(to: line) } ?? false
        for (item, isOnLine) in zip(items, isOnLine) {
            var flags = item.flags
            if isOnLine {
                flags.formIntersection(QualityGate.lasting)
                if flags.isKept, isStep {
                    flags.insert(.timeStep)
                    isStep = false
                }
                flags = QualityGate.place(
                    item.fix, at: item.at, flags, isAccurate: settings.admits(item.fix),
                    settings.agreement, &places)
            } else if flags.isKept {
                flags.insert(.untrustedTime)
            }
            guard flags != item.flags else { continue }
            revisions.append(Revision(ago: Int(doubts.count - item.number), flags: flags))
        }
        if let device = items.last?.fix.device { receivers[Int(device)].places = places }
    }

    /// What is said of a time that does not follow.
    private static let refusals: FixFlags = [.staleTime, .futureTime]
    /// What does not change with the line of time a fix is on.
    private static let lasting = FixFlags(
        rawValue:
            ~(FixFlags([.staleTime, .futureTime, .timeStep, .outlier, .speedSuspect]).rawValue))

    private static func moment(_ item: Doubts.Item) -> TimeLine.Moment? {
        item.fix.time.map { TimeLine.Moment($0.milliseconds, item.at) }
    }
}
