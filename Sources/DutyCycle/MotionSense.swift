import Scheduling

/// What a motion sensor has said, with its short mistakes left out.
struct MotionSense {
    /// Whether there is a sensor.
    private(set) var isPresent = false
    private var isMoving = false
    /// Since when it has said so, ms.
    private var since: Int64 = 0
    /// When the spell of motion began that lasts or ended last; pauses of a moment do not end it.
    private var spellBegan: Int64 = 0
    private var spellEnded: Int64 = 0
    /// The rest that lasts, or ended with the last spell.
    private var restBegan: Int64?
    private var chosenAt: Int64 = 0
    /// The longest rest since a fix was chosen.
    private var longest: ClosedRange<Int64>?

    /// A pause this short is no rest, and motion this short in a rest no departure, ms.
    private static let moment: Int64 = 3000
    private static let stir: Int64 = 30_000
    /// A rest shorter than this is not told.
    private static let shortest: Int64 = 15_000
    /// What a sensor takes to be sure that it moves.
    private static let latency: Int64 = 2000

    /// How long nothing has moved; `nil` without a sensor.
    func quiet(_ now: Int64) -> Int64? {
        isPresent ? isMoving ? 0 : now &- since : nil
    }

    /// Since when nothing has moved; `nil` while it moves or without a sensor.
    var quietSince: Int64? { isPresent && !isMoving ? since : nil }

    /// How long the spell of motion lasted that ended last.
    var lastSpell: Int64 { spellEnded &- spellBegan }

    /// When it left the place where it stood; `nil` when it had not stood for long.
    var left: Int64? {
        guard isMoving, let rest = restBegan, spellBegan &- rest >= Self.shortest else {
            return nil
        }
        return spellBegan &- Self.latency
    }

    mutating func tell(_ isMoving: Bool, _ now: Int64) {
        guard isMoving != self.isMoving || !isPresent else { return }
        if !isPresent {
            restBegan = isMoving ? nil : now
            spellBegan = now
            spellEnded = now
        } else if isMoving {
            if now &- spellEnded > Self.moment {
                spellBegan = now
                note(endingAt: now &- Self.latency)
            }
        } else {
            spellEnded = now
            // A stir does not end a rest.
            if restBegan == nil || lastSpell > Self.stir { restBegan = now }
        }
        isPresent = true
        self.isMoving = isMoving
        since = now
    }

    private mutating func note(endingAt end: Int64) {
        guard let rest = restBegan else { return }
        let begin = max(rest, chosenAt)
        guard end &- begin >= Self.shortest else { return }
        if longest.map({ $0.upperBound &- $0.lowerBound <= end &- begin }) ?? true {
            longest = begin...end
        }
    }

    /// A fix was chosen: when it stood since the one before.
    mutating func chosen(_ now: Int64) -> ClosedRange<BootTime>? {
        if isPresent, !isMoving { note(endingAt: now) }
        defer {
            longest = nil
            chosenAt = now
        }
        return longest.map {
            BootTime(milliseconds: $0.lowerBound)...BootTime(milliseconds: $0.upperBound)
        }
    }
}
