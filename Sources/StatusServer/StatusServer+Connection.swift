import GNSS
import Glibc
import Scheduling
import StatusProtocol

extension StatusServer {
    /// Unsent output beyond which a client's next request waits until it reads.
    static let lowWater = 16 << 10

    // MARK: Input

    func ready(_ client: Client, _ readiness: Readiness) {
        if readiness.contains(.writable) {
            flush(client)
            work(client)
            pump(client)
        }
        if client.interest.contains(.readable) {
            if !readiness.isDisjoint(with: [.readable, .hangup]) { receive(client) }
        } else if readiness.contains(.hangup) {
            // Nobody is there to read an answer.
            close(client)
        }
        update(client)
    }

    func receive(_ client: Client) {
        for _ in 0..<4 {
            guard client.isOpen, wantsInput(client) else { return }
            let count = unsafe recv(
                client.descriptor, &scratch, scratch.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                client.input.append(scratch[..<count])
                work(client)
                if count < scratch.count { return }
            } else if count == 0 {
                client.hasInputEnded = true
                return work(client)
            } else if errno != EINTR {
                if errno != EAGAIN, errno != EWOULDBLOCK { close(client) }
                return
            }
        }
    }

    private func wantsInput(_ client: Client) -> Bool {
        mayWork(client) && !client.hasInputEnded
    }

    private func mayWork(_ client: Client) -> Bool {
        client.isOpen && !client.isEnding && !client.isThrottled && client.pending == 0
            && client.output.count <= StatusServer.lowWater
            && !(client.isGuest && client.hasAsked)
    }

    /// Answers the requests that are waiting, as far as the client keeps up with the answers.
    private func work(_ client: Client) {
        guard !client.isWorking else { return }
        client.isWorking = true
        defer { client.isWorking = false }
        while mayWork(client) {
            guard isInRate(client) else { return }
            guard
                let line = client.input.next()
                    ?? (client.hasInputEnded ? client.input.finish() : nil)
            else { return }
            client.requests += 1
            var reply = TextBuffer()
            switch line {
            case .line(let bytes): reply = answer(bytes, of: client)
            case .overlong:
                client.hasAsked = true
                reply.appendError(
                    to: .null,
                    RPCError(
                        code: RPCError.Code.invalidRequest,
                        message: "a request has at most \(limits.requestBytes) bytes"))
            }
            send(reply.bytes, to: client)
        }
    }

    /// Holds a client back that asks more than its share, without an answer and without harm.
    private func isInRate(_ client: Client) -> Bool {
        let tenth = TimeSpan.milliseconds(100)
        if loop.now - client.windowBegan >= tenth {
            client.windowBegan = loop.now
            client.requests = 0
        }
        guard client.requests >= limits.requestsPerTenth else { return true }
        client.isThrottled = true
        _ = loop.schedule(client.windowBegan + tenth, slack: .milliseconds(20)) {
            [weak self, weak client] in
            guard let self, let client, client.isOpen else { return }
            client.isThrottled = false
            work(client)
            update(client)
        }
        return false
    }

    // MARK: Output

    /// Sends at once what the client takes and queues the rest; cuts a client that leaves too much unread.
    func send(_ bytes: [UInt8], to client: Client) {
        guard client.isOpen, !client.isEnding, !bytes.isEmpty else { return }
        let wasEmpty = client.output.count == 0
        client.output.append(bytes)
        if wasEmpty { flush(client) }
        if client.isOpen, client.output.count > limits.outputBytes {
            cut(client, "more than \(limits.outputBytes) bytes were left unread")
        } else if client.output.count > limits.outputBytes / 8 {
            // Smaller queues are not worth adding up.
            boundTotal()
        }
        if wasEmpty { update(client) }
    }

    private func boundTotal() {
        let total = clients.values.reduce(0) { $0 + $1.output.count }
        guard total > limits.totalOutputBytes,
            let most = clients.values.max(by: { $0.output.count < $1.output.count })
        else { return }
        cut(most, "all clients together left more than \(limits.totalOutputBytes) bytes unread")
    }

    /// Sends the reply that was waited for and goes on with what the client has asked since.
    func finish(_ client: Client, _ bytes: [UInt8]) {
        client.pending -= 1
        guard client.isOpen else { return }
        send(bytes, to: client)
        work(client)
        update(client)
    }

    private func flush(_ client: Client) {
        guard client.isOpen else { return }
        switch client.output.flush(to: client.descriptor) {
        case .done: client.deadline = nil
        case .some: client.deadline = loop.now + limits.unreadTime
        case .none: client.deadline = client.deadline ?? loop.now + limits.unreadTime
        case .failed: close(client)
        }
    }

    /// Tells a client that it is too slow, forgets what it did not read, and gives it a last while to hear of it.
    private func cut(_ client: Client, _ reason: String) {
        count { $0.dropped += 1 }
        client.isEnding = true
        client.kinds = []
        watchersChanged()
        client.output.keepStartedLine()
        var words = TextBuffer()
        words.appendError(
            to: .null,
            RPCError(code: RPCError.Code.tooSlow, message: "disconnected: \(reason)"))
        client.output.append(words.bytes)
        flush(client)
        guard client.isOpen else { return }
        client.deadline = loop.now + limits.unreadTime
        update(client)
    }

    // MARK: State

    /// Makes what the loop watches, the deadline and the life of a client fit its state.
    func update(_ client: Client) {
        guard client.isOpen else { return }
        let isIdle = client.output.count == 0 && client.pending == 0
        let isFinished =
            client.isEnding || (client.isGuest && client.hasAsked)
            || (client.hasInputEnded && client.kinds.isEmpty && !client.isThrottled)
        if isIdle, isFinished { return close(client) }
        var interest: Readiness = []
        if wantsInput(client) { interest.insert(.readable) }
        if client.output.count > 0 { interest.insert(.writable) }
        if interest != client.interest, let watch = client.watch {
            client.interest = interest
            loop.change(watch, to: interest)
        }
        if client.output.count == 0, !client.hasAsked {
            client.deadline =
                client.began + (client.isGuest ? limits.guestTime : limits.firstRequestTime)
        }
        if let deadline = client.deadline { arm(deadline) }
    }

    func close(_ client: Client) {
        guard client.isOpen else { return }
        client.isOpen = false
        if let watch = client.watch { loop.cancel(watch) }
        _ = Glibc.close(client.descriptor)
        clients[client.number] = nil
        if client.isGuest { guests.removeAll { $0 == client.number } }
        if !client.kinds.isEmpty { watchersChanged() }
        client.kinds = []
        count { _ in }
        resumeAccept()
        guard clients.isEmpty else { return }
        // Nothing to look after: nothing wakes.
        if let sweep { loop.cancel(sweep.timer) }
        sweep = nil
    }

    // MARK: Deadlines

    /// One timer looks after all clients.
    private func arm(_ deadline: BootTime) {
        if let sweep {
            guard deadline < sweep.due else { return }
            loop.cancel(sweep.timer)
        }
        let timer = loop.schedule(deadline, slack: .milliseconds(250)) { [unowned self] in
            sweep = nil
            expire()
        }
        sweep = (timer, deadline)
    }

    private func expire() {
        let now = loop.now
        for client in clients.values {
            guard let deadline = client.deadline else { continue }
            if deadline > now {
                arm(deadline)
            } else if client.isEnding || client.isGuest {
                close(client)
            } else if client.output.count > 0 {
                cut(client, "output was left unread for \(Int(limits.unreadTime.seconds)) s")
                close(client)
            } else {
                cut(client, "nothing was asked for \(Int(limits.firstRequestTime.seconds)) s")
                close(client)
            }
        }
    }
}
