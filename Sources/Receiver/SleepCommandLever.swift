public import DutyCycle
import GNSS
public import Scheduling

/// The receiver's own sleep command, sent by gpsd as it is (`?DEVICE` with `hexdata`).
///
/// Any client of gpsd may do so; no privilege is needed.
public final class SleepCommandLever: Lever {
    private let command: SleepCommand
    private let ownOff: [UInt8]
    private let ownOn: [UInt8]
    private unowned let source: GPSDSource

    /// A command for the receiver behind `source`, with bytes for ``SleepCommand/own``.
    public init(
        _ command: SleepCommand, ownOff: [UInt8] = [], ownOn: [UInt8] = [], source: GPSDSource
    ) {
        self.command = command
        self.ownOff = ownOff
        self.ownOn = ownOn
        self.source = source
    }

    /// Sends the command; whether the receiver obeys shows on the line.
    public func set(
        isOn: Bool, for span: TimeSpan?, _ done: @escaping (LeverFailure?) -> Void
    ) {
        guard let path = source.receiverPath else {
            return done(LeverFailure("gpsd has named no receiver"))
        }
        let device = source.status.receivers.first { $0.path == path }
        if device?.isReadOnly == true {
            return done(LeverFailure("gpsd may not write to the receiver (option -b)"))
        }
        var command = command
        if command == .auto {
            guard let found = device?.driver.flatMap({ SleepCommand.suiting(driver: $0) }) else {
                let driver = device?.driver ?? "unknown"
                return done(
                    LeverFailure("the driver \(driver) tells no sleep command: set SleepCommand="))
            }
            command = found
        }
        let isOwn = command == .own
        let off = isOwn ? ownOff : command.off(for: span?.milliseconds)
        let bytes = isOn ? (isOwn ? ownOn : command.on) : off
        guard !bytes.isEmpty else { return done(nil) }
        done(source.send(bytes, to: path) ? nil : LeverFailure("gpsd is not connected"))
    }
}
