import Foundation
import Testing

/// `why` on the socket, over the bundled drive whose tunnel is known.
@Suite struct WhyTests {
    @Test func `the socket tells points, holes and their reasons`() throws {
        let folder = try TemporaryFolder()
        let database = folder.url.appending(path: "d.db")
        let arguments = ["--replay", Fixture.drive.path, "--database", database.path]
        #expect(try Program("tracklogd", arguments).status == 0)
        let gap = try SQLite.run(
            """
            SELECT time_from, time_to, after_sequence,
            strftime('%Y-%m-%dT%H:%M:%SZ', time_from, '+60 seconds')
            FROM gaps WHERE reason = 'no_sky' LIMIT 1
            """, on: database
        ).split(separator: "|").map(String.init)
        let daemon = try RunningDaemon(in: folder)
        let client = try RawClient(daemon.socket.path)
        let hole = try client.result("why", "{\"time\":\"\(gap[3])\"}")
        #expect(hole["recorded"] as? Bool == false)
        let reasons = try #require(hole["reasons"] as? [[String: Any]])
        #expect(reasons.map { $0["reason"] as? String } == ["no_sky"], "\(reasons)")
        #expect(reasons[0]["begin"] as? String == gap[0])
        #expect(reasons[0]["end"] as? String == gap[1])
        let before = try #require(hole["before"] as? [String: Any])
        #expect(before["sequence"] as? Int == Int(gap[2]) && before["lat"] == nil)
        let point = try client.result("why", "{\"time\":\"2026-03-14T23:00:00.5Z\"}")
        #expect(point["recorded"] as? Bool == true)
        #expect((point["reasons"] as? [Any])?.isEmpty == true)
        let early = try client.result("why", "{\"time\":\"2026-03-01T00:00:00Z\"}")
        #expect(early["recorded"] as? Bool == false && early["before"] == nil)
    }

    @Test func `after the last fix the socket tells what is now`() throws {
        let folder = try TemporaryFolder()
        let daemon = try RunningDaemon(in: folder, ["--speed", "50"])
        let fixes = try RawClient(daemon.socket.path)
        _ = try fixes.result("watch", "{\"kinds\":[\"fixes\"]}")
        _ = try fixes.object()
        let client = try RawClient(daemon.socket.path)
        _ = try client.result("pause")
        let now = try client.result("why", "{\"time\":\"2026-03-15T12:00:00Z\"}")
        #expect(now["recorded"] as? Bool == false)
        let last = try #require((now["reasons"] as? [[String: Any]])?.last)
        #expect(last["reason"] as? String == "paused" && last["detail"] as? String == "now")
    }

    @Test(arguments: [
        ("{}", "params.time"), (#"{"time":7}"#, "params.time"),
        (#"{"time":"yesterday"}"#, "params.time"), (#"{"time":"2026-13-01"}"#, "params.time"),
        (#"{"time":"2026-03-01T00:00:00Z","zone":"UTC"}"#, "params.zone"),
    ])
    func `a time that is none is refused`(params: String, field: String) throws {
        let folder = try TemporaryFolder()
        let daemon = try RunningDaemon(in: folder)
        let client = try RawClient(daemon.socket.path)
        let error = try client.error("why", params)
        #expect(error.code == -32602 && error.field == field)
    }
}
