import Foundation
import Scheduling
import Testing

@testable import Configuration

@Suite struct SettingsLoaderTests {
    private func load(_ text: String) throws -> LoadedSettings {
        try SettingsLoader.read(Array(text.utf8), path: "t.conf")
    }

    private func problems(_ text: String) -> [String] {
        do {
            _ = try load(text)
            return []
        } catch let error as SettingsError {
            return error.problems.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }

    @Test func `values are taken with their file and line`() throws {
        let loaded = try load(
            """
            # a comment
            ; another
            [Store]
              CommitEvery = 1min
            Database=/a b/x=y.db
            [Source]
            Gpsd=[fe80::1]:3000\r

            [DutyCycle]
            Policy=interval
            """)
        #expect(loaded.settings.store.commitEvery == .seconds(60))
        #expect(loaded.settings.store.database == "/a b/x=y.db")
        #expect(loaded.settings.source.gpsd.host == "fe80::1")
        #expect(loaded.settings.source.gpsd.port == 3000)
        #expect(loaded.settings.dutyCycle.policy == .interval)
        #expect(loaded.origins["Store.CommitEvery"] == .file(path: "t.conf", line: 4))
        #expect(loaded.origins["Source.Gpsd"] == .file(path: "t.conf", line: 7))
        #expect(loaded.origins["Log.Level"] == nil)
        #expect(loaded.warnings.isEmpty)
    }

    @Test(arguments: [
        (
            "[Store]\nComitEvery=1",
            "t.conf:2:1: unknown key 'ComitEvery' in [Store]; did you mean 'CommitEvery'?"
        ),
        ("[Stor]\nX=1", "t.conf:2:1: unknown section [Stor]; did you mean [Store]?"),
        ("[Log]\nInterval=1", "t.conf:2:1: 'Interval' does not belong in [Log] but in [DutyCycle]"),
        (
            "[Log]\n Level=loud",
            "t.conf:2:8: bad value 'loud' for Level=: expected error, warning, notice, info, debug"
        ),
        (
            "[Status]\nMaxClients = 0",
            "t.conf:2:14: bad value '0' for MaxClients=: expected a whole number of connections from 1 to 1000"
        ),
        ("Level=info", "t.conf:1:1: a setting before the first [Section]"),
        ("[Log]\nLevel", "t.conf:2:1: expected Key=value, found 'Level'"),
        ("[Log", "t.conf:1:1: a section looks like [Name]"),
        ("[Log]\nLevel=\u{0}info", "t.conf:2:7: the line is not plain UTF-8 text"),
    ])
    func `a mistake is told with line, column and the nearest right word`(
        text: String, message: String
    ) {
        #expect(problems(text) == [message])
    }

    @Test func `every mistake is told at once`() {
        #expect(problems("[Log]\nLevel=x\n[Nope]\nA=1\n").count == 2)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: SettingsError.self) {
            try SettingsLoader.read(Array("[Log]\nLevel=".utf8) + [0xFF], path: "t.conf")
        }
    }

    @Test func `the last of two lines wins and is warned of`() throws {
        let loaded = try load("[Log]\nLevel=debug\nLevel=error\n")
        #expect(loaded.settings.log.level == .error)
        #expect(
            loaded.warnings.map(\.description) == ["t.conf:3:1: Level= replaces the one of line 2"])
    }

    @Test func `an empty value sets back`() throws {
        let loaded = try load(
            "[Log]\nLevel=debug\nLevel=\n[Status]\nGroup=\n[Source]\nReplay=a\nReplay=\nReplay=b\n")
        #expect(loaded.settings.log.level == Settings().log.level)
        #expect(loaded.settings.status.group == nil)
        #expect(loaded.settings.source.replay == ["b"])
    }

    @Test func `the command line wins over drop-ins and they over the file`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "tracklog-settings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("t.conf.d"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func write(_ name: String, _ text: String) throws {
            try text.write(
                to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8)
        }
        try write(
            "t.conf",
            "[Store]\nCommitEvery=1s\nCommitCount=1\n[Log]\nLevel=error\n[Source]\nReplay=a\n")
        try write("t.conf.d/10.conf", "[Store]\nCommitEvery=2s\nCommitCount=2\n")
        try write("t.conf.d/20.conf", "[Store]\nCommitEvery=3s\n")
        try write("t.conf.d/30.conf~", "[Store]\nCommitEvery=4s\n")
        let path = folder.appendingPathComponent("t.conf").path
        let loaded = try SettingsLoader.load(
            path,
            overrides: [
                SettingOverride(name: "Log.Level", value: "debug", origin: .option("--log-level")),
                SettingOverride(name: "Source.Replay", value: "b", origin: .option("--replay")),
                SettingOverride(name: "Source.Replay", value: "c", origin: .option("--replay")),
            ])
        #expect(loaded.settings.store.commitEvery == .seconds(3))
        #expect(loaded.settings.store.commitCount == 2)
        #expect(loaded.settings.log.level == .debug)
        #expect(loaded.settings.source.replay == ["b", "c"])
        #expect(loaded.origins["Store.CommitEvery"]?.description == "\(path).d/20.conf:2")
        #expect(loaded.origins["Log.Level"]?.description == "--log-level")
        #expect(loaded.files.count == 3)
    }

    @Test func `a file that was asked for must be there`() throws {
        let error = #expect(throws: SettingsError.self) {
            try SettingsLoader.load("/nonexistent/t.conf")
        }
        #expect(error?.isMissingInput == true)
        #expect(error?.description == "/nonexistent/t.conf: No such file or directory")
    }

    @Test func `a bad value on the command line names the option`() {
        let error = #expect(throws: SettingsError.self) {
            try SettingsLoader.read(
                [], path: "",
                overrides: [
                    SettingOverride(name: "Log.Levle", value: "x", origin: .option("--set"))
                ])
        }
        #expect(
            error?.description == "--set: unknown setting 'Log.Levle'; did you mean 'Log.Level'?")
    }

    @Test func `the digest follows what shapes the track and nothing else`() throws {
        let plain = try load("").settings
        #expect(
            try load("[Log]\nLevel=debug\n[Store]\nDatabase=x\n").settings.digest == plain.digest)
        #expect(try load("[Tracking]\nGapAfter=61\n").settings.digest != plain.digest)
        #expect(try load("[Tracking]\nGapAfter=10.0\n").settings.digest == plain.digest)
    }

    // draft-eastlake-fnv, appendix C: 64 bit FNV-1a vectors.
    @Test(
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func `the digest is FNV-1a`(text: String, hash: UInt64) {
        #expect(Settings.hash(text) == hash)
    }

    @Test(arguments: [
        (
            "[DutyCycle]\nPolicy=interval\nInterval=10s\nSettle=2s\n[Receiver]\nPower=hexdata\n",
            "t.conf:3:1: DutyCycle.Interval= the receiver never sleeps: the interval is not above "
                + "KeepOnBelow=12s; the nearest that saves power is 13s"
        ),
        (
            "[DutyCycle]\nPolicy=interval\nSettle=60s\n",
            "t.conf:3:1: DutyCycle.Settle= the best fix is waited for longer than the interval; "
                + "the nearest workable is 59s"
        ),
        (
            "[DutyCycle]\nInterval=10s\n",
            "t.conf:2:1: DutyCycle.Interval= has no effect with Policy=continuous; set Policy=interval"
        ),
        (
            "[DutyCycle]\nPolicy=adaptive\nErrorBound=5\n",
            "t.conf:3:1: DutyCycle.ErrorBound= is below the receiver's own error, GoodAccuracy=8: it "
                + "costs fixes and gains nothing; the nearest workable is 8"
        ),
        (
            "[DutyCycle]\nPolicy=budget\nEnergyBudget=0.5\n",
            "t.conf:3:1: DutyCycle.EnergyBudget= does not bring one fix: a start takes up to a minute at "
                + "96 milliwatts (Milliwatts=); the nearest workable is 2"
        ),
        (
            "[DutyCycle]\nErrorBound=50\n",
            "t.conf:2:1: DutyCycle.ErrorBound= has no effect with Policy=continuous; set Policy=adaptive"
        ),
        (
            "[DutyCycle]\nPolicy=interval\nInterval=10min\nSkipAtRest=yes\nHeartbeat=5min\n",
            "t.conf:5:1: DutyCycle.Heartbeat= is shorter than Interval=10min, which holds then; "
                + "the nearest that has an effect is 10min"
        ),
        (
            "[Recording]\nMinimumTime=1min\nMaximumSilence=30s\n",
            "t.conf:3:1: Recording.MaximumSilence= is shorter than MinimumTime=1min, which has no effect "
                + "then; the nearest workable is 1min"
        ),
        (
            "[DutyCycle]\nPolicy=interval\nInterval=60s\n",
            "t.conf:3:1: DutyCycle.Interval= saves nothing with Power=gpsd: gpsd holds a device for 60s "
                + "after its last watcher; the nearest workable is 1min3s"
        ),
        (
            "[DutyCycle]\nPolicy=interval\nInterval=5min\n[Recording]\nMinimumTime=10min\n",
            "t.conf:5:1: Recording.MinimumTime= leaves out fixes that the receiver is switched on for: "
                + "one comes each Interval=5min; the nearest workable is 5min"
        ),
        (
            "[DutyCycle]\nPolicy=adaptive\nErrorBound=30\n[Recording]\nMinimumDistance=100\n",
            "t.conf:5:1: Recording.MinimumDistance= leaves out fixes that hold ErrorBound=30; "
                + "the nearest workable is 30"
        ),
        (
            "[Source]\nDrainEvery=1min\n[Store]\nCommitEvery=30s\n",
            "t.conf:2:1: Source.DrainEvery= fixes wait in the socket for longer than CommitEvery=30s, "
                + "which cannot be held; the nearest workable is 30s"
        ),
        (
            "[Correction]\nRegions=amap\n",
            "t.conf:2:1: Correction.Regions= has no effect with System=wgs84, which is shifted nowhere"
        ),
    ])
    func `settings that contradict each other are warned of with the nearest workable value`(
        text: String, warning: String
    ) throws {
        #expect(try load(text).warnings.map(\.description) == [warning])
    }

    @Test(arguments: [
        (
            "low Policy=interval battery<20 battery>80",
            "never holds: no battery is so full; "
                + "the nearest workable is battery<81"
        ),
        (
            "low Policy=interval speed<1 speed>10",
            "never holds: no speed is so; "
                + "the nearest workable is speed<11"
        ),
        (
            "low Policy=interval power=battery power=external",
            "never holds: power= is given both "
                + "ways; keep one"
        ),
        (
            "low Policy=interval Interval=5min Lead=6min battery<20",
            "Lead= the receiver never "
                + "sleeps: it is switched on as early as the fix before; use auto"
        ),
        ("high Interval=5min battery<20", "has the name of an earlier one; give it another"),
        (
            "low Interval=5min battery<20",
            "is never in force: high, which always holds, comes "
                + "first; the nearest workable is priority=1"
        ),
    ])
    func `a profile that cannot work is told at its line`(text: String, message: String) throws {
        let isFirst = text.contains("Policy")
        let first = isFirst ? "power=external" : ""
        let loaded = try load(
            "[DutyCycle]\nProfile=high Policy=interval Interval=10min \(first)\nProfile=\(text)\n")
        let name = text.prefix { $0 != " " }
        #expect(
            loaded.warnings.map(\.description).first == "t.conf:3:1: profile \(name): \(message)")
    }

    @Test func `a profile that puts out the light it is seen by is told`() throws {
        let text = "[DutyCycle]\nPolicy=interval\nProfile=home Policy=on-demand zone=52,13,200\n"
        let warnings = try load(text).warnings.map(\.description)
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.hasPrefix("t.conf:3:1: profile home: is left only when a sensor")
                == true)
    }

    @Test func `a setting that a profile makes use of has an effect`() throws {
        let text =
            "[Receiver]\nPower=hexdata\n[DutyCycle]\nInterval=5min\nProfile=low Policy=interval battery<20\n"
        #expect(try load(text).warnings.isEmpty)
    }

    @Test(arguments: [
        (
            "policy=interval",
            "bad value 'policy=interval' in Profile=: did you mean 'Policy'? It takes a name"
        ),
        ("Interval=soon", "bad value 'Interval=soon' in Profile=: expected a name"),
        ("speed=3", "bad value 'speed=3' in Profile=: expected a name"),
        // No whereabouts stand in the journal.
        ("zone=52.5163,13.3777,x", "bad value 'zone=…' in Profile=: expected a name"),
    ])
    func `the wrong word of a profile is told`(word: String, message: String) {
        let error = #expect(throws: SettingsError.self) {
            try load("[DutyCycle]\nProfile=night time=22:00-06:00 \(word) Settle=5s\n")
        }
        #expect(error?.problems.count == 1)
        #expect(
            error?.problems.first?.message.hasPrefix(message) == true,
            "\(String(describing: error))")
    }

    @Test func `the defaults contradict nothing`() throws {
        #expect(try load("").warnings.isEmpty)
        #expect(try load("[DutyCycle]\nPolicy=interval\n").warnings.isEmpty)
    }

    @Test(arguments: [
        ("localhost", "localhost:2947"), ("box:1", "box:1"), ("::1", "[::1]:2947"),
        ("[::1]:99", "[::1]:99"), ("10.0.0.1:65535", "10.0.0.1:65535"),
    ])
    func `an address of gpsd is read`(text: String, canonical: String) {
        #expect(HostPort(text)?.text == canonical)
    }

    @Test(arguments: [
        "", ":2947", "host:", "host:0", "host:65536", "[::1", "[::1]x", "a b", "host:29x",
    ])
    func `what is no address is refused`(text: String) {
        #expect(HostPort(text) == nil)
    }

    @Test func `settings are a file, and a pipe without a writer is refused at once`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/tracklog-\(UUID()).conf"
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let error = #expect(throws: SettingsError.self) { try SettingsLoader.load(path) }
        #expect(error?.description == "\(path): not a regular file")
        #expect(error?.isMissingInput == true)
        #expect(try SettingsLoader.load("/dev/null").settings.store.database != "")
    }
}
