public import Scheduling

/// Chooses the profile in force from what is so, with delays against flutter.
public struct ProfileChooser: Sendable {
    private struct State {
        var holds = false
        /// Since when its conditions say otherwise.
        var since: BootTime?
    }

    /// The rules, in the order of the settings.
    public let rules: [ProfileRule]
    /// The index of the rule in force; `nil` for the plain settings.
    public private(set) var current: Int?
    /// When a delay ends and it is to be asked again.
    public private(set) var due: BootTime?
    private var states: [State]

    /// A chooser that has seen nothing.
    public init(_ rules: [ProfileRule]) {
        self.rules = rules
        states = rules.map { _ in State() }
    }

    /// The name of the rule in force.
    public var name: String? { current.map { rules[$0].name } }

    /// Looks at what is so.
    ///
    /// - Returns: whether another rule is in force now.
    public mutating func judge(_ circumstances: Circumstances, at now: BootTime) -> Bool {
        due = nil
        for index in rules.indices {
            let rule = rules[index]
            let isMet = rule.conditions.allSatisfy(circumstances.meet)
            guard isMet != states[index].holds else {
                states[index].since = nil
                continue
            }
            let since = states[index].since ?? now
            let end = since + (isMet ? rule.onDelay : rule.offDelay)
            if now >= end {
                states[index] = State(holds: isMet, since: nil)
            } else {
                states[index].since = since
                due = due.map { min($0, end) } ?? end
            }
        }
        let before = current
        current = rules.indices.filter { states[$0].holds }
            .reduce(nil as Int?) { best, index in
                best.map { rules[$0].priority >= rules[index].priority } ?? false ? best : index
            }
        return current != before
    }

    /// The minutes until a time of the week begins or ends; `nil` when no rule asks for one.
    public func minutesToChange(after minute: Int) -> Int? {
        rules.flatMap(\.conditions).compactMap { condition in
            guard case .time(let time) = condition else { return nil }
            return time.minutesToChange(after: minute)
        }.min()
    }
}
