public import GNSS
import Scheduling

/// Instants as people write them on a command line.
public enum TimeText {
    /// What ``parse(_:now:offset:)`` takes, to be read after "expected".
    public static let expects =
        "a time, as 2026-03-01, \"2026-03-01 14:00\", yesterday, 14:30, -2h or 2026-03-01T14:00:00Z"

    /// The instant a text names, `nil` when it names none.
    ///
    /// - Parameters:
    ///   - text: ISO 8601; `now`, `today`, `yesterday` (their midnight); `14:30` (today); `-2h`, `2h ago`,
    ///     `+5min` (from now); `@1772373600` (seconds since 1970).
    ///   - now: what relative texts count from.
    ///   - isEnd: of a civil time that comes twice, when clocks are set back, takes the second; else the first.
    ///   - offset: milliseconds that the zone of texts which name none is ahead of UTC, at an instant.
    public static func parse(
        _ text: String, now: UTCTime, isEnd: Bool = false,
        offset: (UTCTime) -> Int64 = { _ in 0 }
    ) -> UTCTime? {
        let word = text.lowercased()
        func civil(_ time: UTCTime) -> UTCTime { instant(of: time, isEnd: isEnd, offset) }
        func midnight(daysAgo: Int64) -> UTCTime {
            let local = UTCTime(milliseconds: now.milliseconds + offset(now))
            return civil(UTCTime(milliseconds: (local.dayNumber - daysAgo) * 86_400_000))
        }
        switch word {
        case "now": return now
        case "today": return midnight(daysAgo: 0)
        case "yesterday": return midnight(daysAgo: 1)
        default: break
        }
        if let instant = relative(word, to: now) { return instant }
        if word.hasPrefix("@"), let seconds = Int64(word.dropFirst()), abs(seconds) < 1 << 40 {
            return UTCTime(milliseconds: seconds * 1000)
        }
        if word.count <= 12, word.contains(":"), !word.contains("-") {
            let local = UTCTime(milliseconds: now.milliseconds + offset(now))
            let day = UTCTime(milliseconds: local.dayNumber * 86_400_000).description.prefix(10)
            return UTCTime("\(day)T\(word)Z").map(civil)
        }
        // With a zone of its own, adding another makes it unreadable.
        if let plain = UTCTime("\(text)Z") ?? UTCTime("\(text)T00:00Z") { return civil(plain) }
        return UTCTime(text)
    }

    /// The instant of a civil time that is counted as if it were UTC.
    ///
    /// One that clocks pass over, when they are set forward, is the moment at which they are.
    private static func instant(
        of time: UTCTime, isEnd: Bool, _ offset: (UTCTime) -> Int64
    ) -> UTCTime {
        // No zone changes twice in two days.
        let day: Int64 = 86_400_000
        let offsets = [-day, day].map { offset(UTCTime(milliseconds: time.milliseconds + $0)) }
        let instants = offsets.map { UTCTime(milliseconds: time.milliseconds - $0) }
        let (first, last) = (instants[0], instants[1])
        switch (offset(first) == offsets[0], offset(last) == offsets[1]) {
        case (true, true): return isEnd ? last : first
        case (true, false): return first
        case (false, true): return last
        case (false, false): break
        }
        // The change lies between the two.
        var (before, after) = (last.milliseconds, first.milliseconds)
        while after - before > 1 {
            let middle = (before + after) / 2
            if offset(UTCTime(milliseconds: middle)) == offsets[0] {
                before = middle
            } else {
                after = middle
            }
        }
        return UTCTime(milliseconds: after)
    }

    private static func relative(_ word: String, to now: UTCTime) -> UTCTime? {
        let past = word.hasPrefix("-") || word.hasSuffix(" ago")
        guard past || word.hasPrefix("+") else { return nil }
        var length = word[...]
        if length.hasPrefix("-") || length.hasPrefix("+") { length = length.dropFirst() }
        if length.hasSuffix(" ago") { length = length.dropLast(4) }
        guard let span = DurationText.parse(String(length)) else { return nil }
        let milliseconds = past ? -span.milliseconds : span.milliseconds
        return UTCTime(milliseconds: now.milliseconds + milliseconds)
    }
}
