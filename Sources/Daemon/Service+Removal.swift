import GNSS
import Glibc
import JSON
import Platform
import Scheduling
import StatusProtocol
import StatusServer
import Storage

extension Service {
    /// Between two steps of a removal, so that fixes and clients have their turn.
    private static let pause = TimeSpan.milliseconds(10)

    /// Registers what removes something on purpose.
    func registerRemoval(on server: StatusServer) {
        server.register(
            .forget,
            later: { [unowned self] request, client, reply in
                do throws(RPCError) {
                    let scope = try Service.scope(request.params)
                    let by = client.peer.map { "\($0.uid)" } ?? "unknown"
                    feed.refresh()
                    pipeline.forget(scope)
                    if let fix = lastDurable?.fix, scope.covers(fix) { lastDurable = nil }
                    forget(Forgetting(scope), by: by, reply)
                } catch {
                    reply.fail(error)
                }
            })
    }

    private static func scope(_ params: JSONObject) throws(RPCError) -> RemovalScope {
        var scope = RemovalScope()
        scope.since = try time("since", params)
        scope.until = try time("until", params)
        if let since = scope.since, let until = scope.until, until < since {
            throw .invalidParameter("until", "is before since")
        }
        if let radius = params["radius"]?.number {
            guard let latitude = params["lat"]?.number, let longitude = params["lon"]?.number else {
                throw .invalidParameter("radius", "needs lat and lon")
            }
            scope.within = .init(latitude: latitude, longitude: longitude, radius: radius)
        } else if params["lat"] != nil || params["lon"] != nil {
            throw .invalidParameter("radius", "is missing")
        }
        guard scope != RemovalScope() else {
            throw .invalidParameter("since", "or until or radius must say what to remove")
        }
        return scope
    }

    private static func time(_ name: String, _ params: JSONObject) throws(RPCError) -> UTCTime? {
        guard let text = params[name]?.string else { return nil }
        guard let time = UTCTime(text) else {
            throw .invalidParameter(name, "must be a time, as 2026-05-01T10:00:00Z")
        }
        return time
    }

    /// Removes a step, and goes on with the next when others have had their turn.
    private func forget(_ begun: Forgetting, by uid: String, _ reply: PendingReply) {
        var work = begun
        do throws(StoreError) {
            try store.advance(&work, now: SystemClock.wall)
        } catch {
            // What is gone is gone; the store is tried again by the next commit.
            commit()
            return reply.fail(.unavailable("\(work.fixes) fixes are removed, then: \(error)"))
        }
        guard work.isDone else {
            _ = loop.schedule(loop.now + Service.pause, slack: Service.pause) { [weak self] in
                self?.forget(work, by: uid, reply)
            }
            return
        }
        journal.write(
            .notice, "forgotten",
            ["fixes": "\(work.fixes)", "marks": "\(work.marks)", "by_uid": uid])
        var report = ForgetReport()
        report.fixes = work.fixes
        report.marks = work.marks
        report.isErased = !store.isErasing
        reply.succeed { $0.append(report) }
        publishState()
    }
}
