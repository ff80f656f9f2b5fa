import Glibc
public import Scheduling
public import StatusProtocol

/// A socket that clients come in through.
struct Listener {
    let descriptor: Int32
    let watch: WatchID
    let role: Role
}

extension StatusServer {
    /// Takes clients from a listening Unix stream socket, which stays the caller's to close after ``stop()``.
    ///
    /// - Parameter role: what everyone who may open the socket may do; see ``access``.
    public func listen(on descriptor: Int32, grants role: Role = .reader) throws(WatchError) {
        setNonBlocking(descriptor)
        let watch = try loop.watch(descriptor, for: .readable) { [unowned self] _ in
            accept(from: descriptor, role: role)
        }
        listeners.append(Listener(descriptor: descriptor, watch: watch, role: role))
    }

    /// Takes no more clients and closes all connections.
    public func stop() {
        for listener in listeners { loop.cancel(listener.watch) }
        listeners = []
        for client in clients.values {
            _ = client.output.flush(to: client.descriptor)
            close(client)
        }
        for timer in [acceptTimer, sweep?.timer].compactMap({ $0 }) { loop.cancel(timer) }
        acceptTimer = nil
        sweep = nil
    }

    private func accept(from descriptor: Int32, role: Role) {
        // A storm of connections gets its share of a turn, not all of it.
        for _ in 0..<64 {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection >= 0 {
                admit(connection, role: role)
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pauseAccept()
            default: return
            }
        }
    }

    private func admit(_ connection: Int32, role: Role) {
        setNonBlocking(connection)
        let isGuest = clients.count - guests.count >= limits.clients
        if isGuest, guests.count >= limits.guests, let oldest = guests.first {
            count { $0.refused += 1 }
            clients[oldest].map(close)
        }
        count { $0.accepted += 1 }
        let client = Client(
            number: UInt64(counts.accepted), descriptor: connection, socketRole: role,
            isGuest: isGuest, now: loop.now, requestBytes: limits.requestBytes)
        do throws(WatchError) {
            client.watch = try loop.watch(connection, for: .readable) { [unowned self] readiness in
                ready(client, readiness)
            }
        } catch {
            _ = Glibc.close(connection)
            return
        }
        clients[client.number] = client
        if isGuest { guests.append(client.number) }
        count { _ in }
        // Most clients have asked by now: no second turn of the loop for them.
        receive(client)
        update(client)
    }

    /// Out of descriptors or memory: a listening socket would call without end, so it is left alone until a
    /// client goes, or for a second.
    private func pauseAccept() {
        guard !isAcceptPaused else { return }
        isAcceptPaused = true
        for listener in listeners { loop.change(listener.watch, to: []) }
        acceptTimer = loop.schedule(loop.now + .seconds(1), slack: .milliseconds(250)) {
            [unowned self] in
            resumeAccept()
        }
    }

    func resumeAccept() {
        guard isAcceptPaused else { return }
        isAcceptPaused = false
        if let acceptTimer { loop.cancel(acceptTimer) }
        acceptTimer = nil
        for listener in listeners { loop.change(listener.watch, to: .readable) }
    }

    private func setNonBlocking(_ descriptor: Int32) {
        // Neither fails on an open socket.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
