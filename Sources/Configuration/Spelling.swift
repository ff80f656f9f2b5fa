/// Finds what a person most likely meant.
public enum Spelling {
    /// The candidate nearest to `word`, `nil` when none is near enough to be worth naming.
    ///
    /// Letter case counts for nothing. Near enough is a third of the word's length, at least one edit; a
    /// candidate that begins with the word (two letters or more) is near too.
    public static func nearest(to word: String, among candidates: some Sequence<String>) -> String?
    {
        let wanted = Array(word.lowercased().utf8.prefix(64))
        guard !wanted.isEmpty else { return nil }
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let other = Array(candidate.lowercased().utf8.prefix(64))
            var edits = distance(wanted, other)
            if wanted.count >= 2, other.starts(with: wanted) { edits = min(edits, 1) }
            guard edits <= max(1, wanted.count / 3) else { continue }
            if best.map({ edits < $0.distance }) ?? true { best = (edits, candidate) }
        }
        return best?.candidate
    }

    /// Insertions, deletions, substitutions and swaps of neighbours between two words.
    ///
    /// Source: optimal string alignment, a restriction of F. J. Damerau, "A technique for computer
    /// detection and correction of spelling errors", CACM 7 (1964).
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, before[j - 1] + 1)
                }
                row.append(cost)
            }
            before = last
            last = row
        }
        return last[b.count]
    }
}
