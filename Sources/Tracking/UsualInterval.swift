/// The interval at which a source gives fixes, learnt from them.
///
/// It follows down at once and up slowly, so that a hole does not become usual; two equal holes in a row
/// are not holes but a slow source.
struct UsualInterval {
    /// Milliseconds; `nil` before the first step.
    private(set) var usual: Int64?
    private var hole: Int64?

    /// With nothing known yet, a first step up to this is taken for the interval, ms.
    private static let slowest: Int64 = 120_000

    /// Whether a step of `elapsed` is a hole; learns from it.
    mutating func isHole(_ elapsed: Int64, gapAfter: Int64) -> Bool {
        guard elapsed > 0 else { return false }
        if wouldBeHole(elapsed, gapAfter: gapAfter) {
            if let hole, abs(elapsed &- hole) <= elapsed / 4 {
                usual = elapsed
                self.hole = nil
                return false
            }
            hole = elapsed
            return true
        }
        hole = nil
        if let usual {
            self.usual = elapsed < usual ? (usual + elapsed) / 2 : usual + (elapsed - usual) / 8
        } else {
            usual = elapsed
        }
        return false
    }

    /// Whether a step of `elapsed` would be a hole.
    func wouldBeHole(_ elapsed: Int64, gapAfter: Int64) -> Bool {
        guard let usual else { return elapsed > max(gapAfter, Self.slowest) }
        return elapsed > gapAfter && elapsed / 3 > usual
    }
}
