import Platform
import Receiver
import Scheduling

/// A modem's positioning as a lever of the receiver.
final class ModemLever: Lever {
    private let modem: ModemPositioning

    init(_ modem: ModemPositioning) {
        self.modem = modem
    }

    func set(
        isOn: Bool, for span: TimeSpan?, _ done: @escaping (LeverFailure?) -> Void
    ) {
        modem.set(isOn: isOn) { done($0.map { LeverFailure($0) }) }
    }
}
