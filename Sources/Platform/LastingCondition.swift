public import Scheduling

/// Decides what the log says of a condition that lasts or comes and goes: the first time at once, then
/// counted summaries at growing distances, so that one condition never fills a log.
///
/// At most 14 lines in any hour, whatever happens, and one an hour in the long run.
public struct LastingCondition: Sendable {
    /// What to write.
    public enum Word: Equatable, Sendable {
        /// Nothing now.
        case nothing
        /// It has begun.
        case first
        /// It lasts: so many occurrences since the last word, over that time.
        case again(count: Int64, over: TimeSpan)
        /// It is over: so many occurrences since the last word, over that time.
        case over(count: Int64, TimeSpan)
    }

    // 30 s, 1, 2, 4, … 32 min, then an hour: 7 words in the first hour, each with its end.
    private static let shortest = TimeSpan.seconds(30)
    private static let longest = TimeSpan.seconds(3600)

    private var wait = LastingCondition.shortest
    private var lastWord: BootTime?
    private var lastSeen = BootTime(nanoseconds: 0)
    private var unsaid: Int64 = 0
    private var isSaid = false
    private var isActive = false

    /// A condition that was not met yet.
    public init() {}

    /// It occurred.
    public mutating func occurred(at now: BootTime) -> Word {
        // An hour without it makes it news again.
        if now - lastSeen >= LastingCondition.longest { lastWord = nil }
        lastSeen = now
        let begins = !isActive
        isActive = true
        guard let lastWord else {
            wait = LastingCondition.shortest
            return say(.first, at: now)
        }
        unsaid += 1
        guard now - lastWord >= wait else { return .nothing }
        wait = min(wait + wait, LastingCondition.longest)
        return say(
            begins && unsaid == 1 ? .first : .again(count: unsaid, over: now - lastWord), at: now)
    }

    /// It is over; said only when its beginning was.
    public mutating func ended(at now: BootTime) -> Word {
        guard isActive else { return .nothing }
        isActive = false
        guard isSaid, let lastWord else { return .nothing }
        isSaid = false
        let word = Word.over(count: unsaid, now - lastWord)
        unsaid = 0
        return word
    }

    private mutating func say(_ word: Word, at now: BootTime) -> Word {
        lastWord = now
        unsaid = 0
        isSaid = true
        return word
    }
}
