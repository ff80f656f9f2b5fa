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
    /// The rests since a fix was chosen, in order.
    private var rests: [ClosedRange<Int64>] = []

    /// A pause this short is no rest, and motion this short in a rest no departure, ms.
    private static let moment: Int64 = 3000
    private static let stir: Int64 = 30_000
    /// Who moves about for less than this part of the rest around it does not go away.
    private static let rarely: Int64 = 5
    private static let mostRests = 64
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
        // What only a stir has broken is the same rest, longer.
        if let last = rests.last, begin <= last.upperBound {
            rests[rests.count - 1] = min(begin, last.lowerBound)...end
        } else {
            rests.append(begin...end)
            if rests.count > Self.mostRests { joinNearest() }
        }
    }

    private mutating func joinNearest() {
        let nearest = rests.indices.dropFirst().min {
            rests[$0].lowerBound &- rests[$0 - 1].upperBound
                < rests[$1].lowerBound &- rests[$1 - 1].upperBound
        }
        guard let nearest else { return }
        rests[nearest - 1] = rests[nearest - 1].lowerBound...rests[nearest].upperBound
        rests.remove(at: nearest)
    }

    /// The longest rest, with those before and after it between which it moved little.
    private var whole: ClosedRange<Int64>? {
        guard
            let longest = rests.indices.max(by: {
                rests[$0].upperBound &- rests[$0].lowerBound
                    < rests[$1].upperBound &- rests[$1].lowerBound
            })
        else { return nil }
        var (low, high) = (rests[longest].lowerBound, rests[longest].upperBound)
        var (moved, rested): (Int64, Int64) = (0, 0)
        for index in rests.indices where index > longest {
            moved = moved &+ (rests[index].lowerBound &- rests[index - 1].upperBound)
            rested = rested &+ (rests[index].upperBound &- rests[index].lowerBound)
            if moved &* Self.rarely <= rested { high = rests[index].upperBound }
        }
        (moved, rested) = (0, 0)
        for index in rests.indices.reversed() where index < longest {
            moved = moved &+ (rests[index + 1].lowerBound &- rests[index].upperBound)
            rested = rested &+ (rests[index].upperBound &- rests[index].lowerBound)
            if moved &* Self.rarely <= rested { low = rests[index].lowerBound }
        }
        return low...high
    }

    /// A fix was chosen: when it stood since the one before.
    mutating func chosen(_ now: Int64) -> ClosedRange<BootTime>? {
        if isPresent, !isMoving { note(endingAt: now) }
        defer {
            rests = []
            chosenAt = now
        }
        return whole.map {
            BootTime(milliseconds: $0.lowerBound)...BootTime(milliseconds: $0.upperBound)
        }
    }
}
