/// The fixes from which the one that stands for an interval is taken.
struct FixWindow: Equatable {
    /// The best fix so far.
    struct Candidate: Equatable {
        var sequence: Int64
        var at: Int64
        var accuracy: Double?
    }

    private(set) var best: Candidate?
    /// When the first fix came.
    private(set) var began: Int64 = 0
    private var finest = Double.infinity
    private var count = 0

    /// So many fixes without any estimate are taken for settled.
    private static let enough = 5

    /// Takes a fix; of two that are about as good, or both good enough, the later one is better.
    ///
    /// - Parameter isDue: whether it comes when one is due: it stands for that moment unless it is much worse.
    mutating func add(_ report: FixFact, _ now: Int64, gate: Double, isDue: Bool = false) {
        if count == 0 { began = now }
        count += 1
        let accuracy = report.accuracy ?? .infinity
        finest = min(finest, accuracy)
        if best == nil || accuracy <= max(gate * (isDue ? 2 : 1), finest * (isDue ? 2 : 1.3)) {
            best = Candidate(sequence: report.sequence, at: now, accuracy: report.accuracy)
        }
    }

    /// Whether no better fix need be waited for.
    func isGood(gate: Double) -> Bool {
        finest <= gate || finest == .infinity && count >= Self.enough
    }
}
