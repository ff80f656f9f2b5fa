public import GNSS
import Scheduling
import StatusProtocol

/// Where fixes that are on the disk are had again, for clients that want each once and none lost.
public struct WatchHistory {
    /// The last sequence that is certain to be on the disk.
    public var durableSequence: () -> Int64
    /// Appends notifications of the next fixes after a sequence, as many as go well in one piece.
    ///
    /// Returns the sequence that was reached, `after` when there are no more.
    public var append: (_ after: Int64, _ client: Client, _ buffer: inout TextBuffer) -> Int64

    /// A history.
    public init(
        durableSequence: @escaping () -> Int64,
        append: @escaping (_ after: Int64, _ client: Client, _ buffer: inout TextBuffer) -> Int64
    ) {
        self.durableSequence = durableSequence
        self.append = append
    }
}

extension StatusServer {
    /// Sends what has become durable to those who watch from a sequence on.
    public func becameDurable() {
        for client in clients.values where client.cursor != nil { pump(client) }
    }

    /// Begins to send a client the durable fixes after a sequence; they follow the reply.
    func beginHistory(after: Int64, for client: Client) throws(RPCError) {
        guard let history else {
            throw .unavailable("nothing is recorded, so there is nothing to have again")
        }
        let newest = history.durableSequence()
        guard after <= newest else {
            throw .invalidParameter(
                "after",
                "is beyond the last durable sequence \(newest): it was counted in another database")
        }
        client.cursor = after
        pumpSoon(client)
    }

    /// Sends the next piece, as long as the client keeps up; the loop gets its turn between two pieces.
    func pump(_ client: Client) {
        guard client.isOpen, !client.isEnding, let cursor = client.cursor, let history,
            client.output.count <= StatusServer.lowWater
        else { return }
        var buffer = TextBuffer()
        let reached = history.append(cursor, client, &buffer)
        client.cursor = reached
        send(buffer.bytes, to: client)
        if reached > cursor { pumpSoon(client) }
    }

    private func pumpSoon(_ client: Client) {
        guard !client.isPumping else { return }
        client.isPumping = true
        _ = loop.schedule(loop.now, slack: .milliseconds(1)) { [weak self, weak client] in
            guard let self, let client else { return }
            client.isPumping = false
            pump(client)
        }
    }
}
