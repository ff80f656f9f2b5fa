extension LeverJudge {
    /// The verdict in one word, for programs.
    public var state: String {
        if wanted == .none { return "none" }
        // What was seen to work is believed until it is seen to fail.
        if isChecking, verdict != .verified { return "checking" }
        return switch verdict {
        case .untried: "untried"
        case .verified: "verified"
        case .brief, .shared, .alwaysOpen, .heldOpen, .talking: "no_effect"
        case .failed: "failed"
        case .blind: "unknown"
        }
    }

    /// What being off saves, and why not more: a sentence for a person.
    ///
    /// - Parameter device: the receiver as gpsd names it, when that is known.
    public func saving(device: String?) -> String {
        if wanted == .none { return "off saves host wake-ups only: no lever is set with Power=" }
        let kept = "off saves host wake-ups only: gpsd keeps the receiver on because"
        switch verdict {
        case .untried: return "not known yet: the receiver was not off so far"
        case .verified: return effect(device)
        case .brief:
            return
                "\(kept) it holds a device for 60 s after its last watcher, longer than off lasts"
        case .shared(let count):
            let clients = count == 1 ? "another client uses" : "\(count) other clients use"
            return "off would save nothing: \(clients) gpsd; its fixes are taken for nothing"
        case .alwaysOpen: return "\(kept) it was started with -n"
        case .heldOpen:
            return "\(kept) another client watches it, or it was started with -n"
        case .talking:
            return "off saves host wake-ups only: the receiver went on sending after \(name)"
        case .failed(let reason):
            return "off saves host wake-ups only: \(name) failed: \(reason)"
        case .blind: return "not known: gpsd could not be asked"
        }
    }

    private var name: String { wanted.rawValue }

    private func effect(_ device: String?) -> String {
        switch wanted {
        case .gpsd where device?.hasPrefix("/dev/gnss") == true, .gnssDevice:
            "gpsd has closed the receiver and the kernel switches it off"
        case .gpsd:
            "gpsd has closed the device; the receiver draws its power on unless closing switches it off"
        case .hexdata: "the receiver sleeps by its own command: the line is silent"
        case .modemmanager: "the modem's positioning is off: the line is silent"
        case .rfkill, .gpio, .command: "the receiver is off: the line is silent"
        case .none: ""
        }
    }
}
