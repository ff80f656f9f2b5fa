import GNSS
import Scheduling

/// What levers and their proof need of the source.
extension GPSDSource {
    /// The receiver a command goes to.
    public var receiverPath: String? {
        status.chosen ?? settings.device
            ?? (status.receivers.first(where: \.isActive) ?? status.receivers.first)?.path
    }

    /// Whether what a receiver sends would be seen.
    public var isListening: Bool { isConnected }

    /// How many other clients gpsd has; `nil` when it is on another machine or that cannot be seen.
    public var otherClients: Int? {
        guard ["localhost", "127.0.0.1", "::1"].contains(settings.address.host) else { return nil }
        return GPSDClients.count(port: settings.address.port).map {
            max(0, $0 - (isConnected ? 1 : 0))
        }
    }

    /// Hands on no more epochs, and keeps the device open: what comes is told to ``onHeard`` alone.
    public func rest() {
        guard isWanted else { return }
        if isConnected { read() }
        isWanted = false
        guard isConnected else { return stop() }
        complete()
        cancel(&checkTimer)
        cancel(&drainTimer)
        tell(.disconnected(.off))
    }

    /// Lets go of a device that was kept open by ``rest()``.
    public func release() {
        guard !isWanted, isConnected else { return }
        if connection?.send("?WATCH={\"enable\":false}\r\n") == true { poke() } else { stop() }
    }

    /// Asks gpsd which devices it has; the answer comes by ``onReport``.
    ///
    /// - Returns: whether it could be asked.
    public func askDevices() -> Bool {
        isConnected && connection?.send("?DEVICES;\r\n") == true
    }

    /// Has gpsd send bytes to a receiver, as they are.
    ///
    /// - Returns: whether gpsd could be asked.
    public func send(_ bytes: [UInt8], to path: String) -> Bool {
        guard isConnected else { return false }
        var text = TextBuffer()
        text.append("?DEVICE={\"path\":")
        text.append(json: path)
        text.append(",\"hexdata\":\"")
        let digits = Array("0123456789abcdef".utf8)
        for byte in bytes {
            text.append(byte: digits[Int(byte >> 4)])
            text.append(byte: digits[Int(byte & 15)])
        }
        text.append("\"}\r\n")
        return connection?.send(text.string) == true
    }
}
