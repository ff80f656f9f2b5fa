import Foundation
import Testing

@Suite struct RunTimeSettingsTests {
    private let folder: TemporaryFolder
    private let file: URL

    init() throws {
        folder = try TemporaryFolder()
        file = folder.url.appending(path: "t.conf")
        try write("[Status]\nGroup=\n[Store]\nCommitEvery=20s\n")
    }

    private func write(_ text: String) throws {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private func daemon(_ name: String = "d") throws -> RunningDaemon {
        try RunningDaemon(in: folder, name: name, ["--config", file.path])
    }

    private func tool(_ daemon: RunningDaemon, _ arguments: String...) throws -> Program {
        try Program("tracklog", ["--socket", daemon.socket.path] + arguments)
    }

    @Test func `a setting is changed at once and goes back to the files`() throws {
        let daemon = try daemon()
        let set = try tool(daemon, "set", "Policy", "interval")
        #expect(set.status == 0 && set.lines == ["DutyCycle.Policy=interval  # set"])
        let status = try #require(try tool(daemon, "status", "--json").objects().first)
        #expect((status["receiver"] as? [String: Any])?["policy"] as? String == "interval")
        let back = try tool(daemon, "set", "--unset", "Policy")
        #expect(back.lines == ["DutyCycle.Policy=continuous  # default"])
        let get = try tool(daemon, "get", "CommitEvery")
        #expect(get.lines == ["Store.CommitEvery=20s  # \(file.path):4"])
        let changed = try tool(daemon, "config", "show", "--running", "--changed")
        #expect(changed.lines.contains { $0.hasPrefix("Store.CommitEvery=20s ") })
    }

    @Test(arguments: [
        (#"{"name":"CommitEvery","value":"soon"}"#, "params.value"),
        (#"{"name":"CommitEvery","value":-1}"#, "params.value"),
        (#"{"name":"CommitEvery","value":1e300}"#, "params.value"),
        (#"{"name":"CommitEvery","value":[1,2]}"#, "params.value"),
        (#"{"name":"CommitEvery","value":{"a":1}}"#, "params.value"),
        (#"{"name":"CommitEvery","value":"9s\n[Status]\nGroup=x","keep":true}"#, "params.value"),
        (#"{"name":"CommitEvery"}"#, "params.value"),
        (#"{"name":"CommitEver","value":"9s"}"#, "params.name"),
        (#"{"name":7,"value":"9s"}"#, "params.name"),
        (#"{"name":"CommitEvery","value":"9s","keep":"yes"}"#, "params.keep"),
        (#"{"name":"CommitEvery","value":"9s","for":"ever"}"#, "params.for"),
        (#"{"name":"Store.Database","value":"/x"}"#, "params.name"),
        (#"{"name":"Correction.Pipeline","value":"+proj=nonsense"}"#, "params.value"),
    ])
    func `a bad value is refused by its field and changes nothing`(
        params: String, field: String
    ) throws {
        let daemon = try daemon()
        let client = try RawClient(daemon.socket.path)
        let before = try client.result("config")
        let error = try client.error("set", params)
        #expect(error.code == -32602 && error.field == field, "\(error)")
        #expect(try client.result("config") as NSDictionary == before as NSDictionary)
        #expect(!FileManager.default.fileExists(atPath: file.path + ".d"))
    }

    @Test func `what is kept holds after a restart, until it is taken back`() throws {
        let kept = file.path + ".d/90-set.conf"
        do {
            let daemon = try daemon()
            let set = try tool(daemon, "set", "--keep", "CommitEvery", "45s")
            #expect(set.status == 0, "\(set.errors)")
            #expect(set.errors.contains(kept))
            #expect(try tool(daemon, "set", "--keep", "Store.Database", "/x.db").status == 0)
            #expect(daemon.end(SIGTERM) == 0)
        }
        let daemon = try daemon()
        #expect(
            try tool(daemon, "get", "CommitEvery").lines
                == ["Store.CommitEvery=45s  # \(kept):4"])
        // The command line of this daemon names its database; the file has the kept one all the same.
        #expect(try String(contentsOfFile: kept, encoding: .utf8).contains("Database=/x.db\n"))
        #expect(try tool(daemon, "set", "--keep", "--unset", "CommitEvery").status == 0)
        #expect(
            try tool(daemon, "get", "CommitEvery").lines
                == ["Store.CommitEvery=20s  # \(file.path):4"])
        #expect(!(try String(contentsOfFile: kept, encoding: .utf8).contains("CommitEvery")))
    }

    @Test func `a bad file keeps the old settings and says where it is wrong`() throws {
        let daemon = try daemon()
        try write("[Store]\nCommitEvery=7s\nCommitEvry=8s\n")
        let bad = try tool(daemon, "reload")
        #expect(bad.status == 69)
        #expect(bad.errors.contains("\(file.path):3:1:") && bad.errors.contains("'CommitEvery'"))
        #expect(try tool(daemon, "get", "CommitEvery").lines[0].hasPrefix("Store.CommitEvery=20s"))
        try write("[Status]\nGroup=games\n[Store]\nCommitEvery=7s\n")
        let good = try tool(daemon, "reload")
        #expect(good.status == 0 && good.lines == ["changed: Store.CommitEvery"])
        #expect(good.errors.contains("Status.Group= holds from the next start"))
        #expect(try tool(daemon, "get", "CommitEvery").lines[0].hasPrefix("Store.CommitEvery=7s"))
        #expect(try tool(daemon, "reload").lines == ["nothing has changed"])
    }

    @Test func `a profile changes several settings together, and none goes back to the files`()
        throws
    {
        let daemon = try daemon()
        #expect(try tool(daemon, "profile", "economy").lines == ["economy in force"])
        #expect(try tool(daemon, "get", "ErrorBound").lines == ["DutyCycle.ErrorBound=200  # set"])
        #expect(try tool(daemon, "get", "CommitEvery").lines == ["Store.CommitEvery=5min  # set"])
        #expect(try tool(daemon, "profile", "parked").lines == ["parked in force"])
        #expect(
            try tool(daemon, "get", "ErrorBound").lines == ["DutyCycle.ErrorBound=30  # default"])
        let list = try tool(daemon, "profile")
        #expect(list.lines.contains { $0.hasPrefix("* parked") })
        #expect(
            try tool(daemon, "profile", "--keep", "none").lines
                == ["the settings of the files in force"])
        #expect(
            try tool(daemon, "get", "CommitEvery").lines
                == ["Store.CommitEvery=20s  # \(file.path):4"])
        let unknown = try tool(daemon, "profile", "turbo")
        #expect(unknown.status == 64 && unknown.errors.contains("precise, balanced"))
    }

    @Test func `a reload leaves what was set, and says so`() throws {
        let daemon = try daemon()
        _ = try tool(daemon, "set", "CommitEvery", "3s")
        let reload = try tool(daemon, "reload")
        #expect(reload.errors.contains("Store.CommitEvery= stays as it was set"))
        #expect(try tool(daemon, "get", "CommitEvery").lines == ["Store.CommitEvery=3s  # set"])
    }
}
