import Foundation
import GNSS
import Storage
import Testing

@Suite struct ToolPowerTests {
    /// A day of four cycles in two hours: on for 60 s each, the first fix after 10, 20, 30 s and never.
    private func store(lever: String = "hexdata") throws -> ToolStore {
        let store = try ToolStore()
        let file = try TrackStore(path: store.path)
        file.beginRun(
            Run(
                bootID: "boot", started: ToolStore.time(0), startedBoot: 1_000_000,
                source: "test", configuration: "0", version: "test"))
        for (index, time) in ([10_000, 20_000, 30_000, nil] as [Int64?]).enumerated() {
            // At 10:00, 10:30, 11:00 and 11:30 UTC.
            var cycle = Cycle(
                began: 1_000_000 + Int64(index) * 1_800_000,
                because: index == 0 ? "start" : "interval")
            cycle.ended = cycle.began + 60_000
            cycle.endedBecause = time == nil ? "timeout" : "fix"
            cycle.timeToFirstFix = time
            cycle.fixes = time == nil ? 0 : 5
            cycle.kept = time == nil ? 0 : 4
            cycle.lever = lever
            cycle.start = index == 0 ? "cold" : "hot"
            cycle.heard = 7
            file.record(cycle)
        }
        try file.close(ending: "stopped")
        return store
    }

    private func number(_ object: Any?, _ key: String) -> Double? {
        ((object as? [String: Any])?[key] as? NSNumber)?.doubleValue
    }

    @Test func `time, energy and first fixes are summed, by hour and day`() throws {
        let told = try store().tool("power", "--json", "--milliwatts", "100 50 1")
        #expect(told.status == 0)
        let all = try #require(try told.objects().first)
        // By hand: on 4 x 60 s; three gaps of 29 min; acquiring 10 + 20 + 30 + 60 s.
        #expect(number(all, "on") == 240)
        #expect(number(all, "off") == 5220)
        #expect(number(all, "acquiring") == 120)
        #expect(number(all, "tracking") == 120)
        #expect(abs((number(all, "duty") ?? 0) - 240.0 / 5460) < 1e-4)
        // (120 s x 100 mW + 120 s x 50 mW + 5220 s x 1 mW) / 3600 s = 6.45 mWh.
        #expect(number(all, "energy") == 6.45)
        #expect(number(all, "cycles") == 4)
        #expect(number(all, "kept") == 12)
        #expect(number(all, "fixes_per_on_minute") == 3)
        #expect(number(all, "without_fix") == 1)
        // Nearest rank of 10, 20, 30.
        #expect(number(all["time_to_first_fix"], "p50") == 20)
        #expect(number(all["time_to_first_fix"], "p90") == 30)
        #expect(number((all["starts"] as? [String: Any])?["hot"], "cycles") == 3)
        #expect(number(all["began_because"], "interval") == 3)
        #expect(number(all["ended_because"], "timeout") == 1)
        #expect(number(all["levers"], "hexdata") == 4)
        let hours = try #require(all["hours"] as? [[String: Any]])
        #expect(hours.count == 24)
        #expect(number(hours[10], "on") == 120)
        // The gap from 10:31 to 11:00 is all in the hour of ten.
        #expect(number(hours[10], "off") == 3480)
        #expect(number(hours[11], "off") == 1740)
        #expect(number(hours[12], "off") == 0)
        let days = try #require(all["days"] as? [[String: Any]])
        #expect(days.count == 1)
        #expect(days.first?["day"] as? String == "2026-05-01T00:00:00.000Z")
    }

    @Test func `a day begins at midnight of the zone, an hour where its clock says so`() throws {
        let told = try store().tool("power", "--json", "--tz", "+13:30")
        let all = try #require(try told.objects().first)
        // 10:00 UTC is 23:30; 10:30 is midnight.
        let days = try #require(all["days"] as? [[String: Any]])
        #expect(
            days.map { $0["day"] as? String } == [
                "2026-04-30T10:30:00.000Z", "2026-05-01T10:30:00.000Z",
            ])
        let hours = try #require(all["hours"] as? [[String: Any]])
        #expect(number(hours[23], "on") == 60)
        #expect(number(hours[0], "on") == 120)
        #expect(number(hours[1], "on") == 60)
        #expect(all["energy"] == nil)
    }

    @Test func `off with nothing switched costs what tracking costs`() throws {
        let told = try store(lever: "none").tool("power", "--json", "--milliwatts", "100 50 1")
        let all = try #require(try told.objects().first)
        // (120 x 100 + (120 + 5220) x 50) / 3600
        #expect(number(all, "energy") == 77.5)
    }

    @Test func `a range leaves out the cycles that began outside of it`() throws {
        let told = try store().tool(
            "power", "--json", "--since", "2026-05-01T10:20:00Z", "--until", "2026-05-01T11:10:00Z")
        let all = try #require(try told.objects().first)
        #expect(number(all, "cycles") == 2)
        #expect(number(all, "off") == 1740)
    }

    @Test func `people get a table with bars`() throws {
        let told = try store().tool("power", "--milliwatts", "m8")
        #expect(told.status == 0)
        let text = String(decoding: told.output, as: UTF8.self)
        #expect(text.contains("4.4 % in 4 cycles"))
        #expect(text.contains("p50 20.0 s, p90 30.0 s, p99 30.0 s, 1 of 4 had none"))
        #expect(text.contains("█") || text.contains("▉"))
        let without = try store().tool("power")
        #expect(String(decoding: without.output, as: UTF8.self).contains("set Milliwatts="))
    }

    @Test func `the drawing is well-formed and has a bar for each hour with time on`() throws {
        let store = try store()
        let file = store.folder.url.appending(path: "p.svg")
        #expect(try store.tool("power", "-o", file.path).status == 0)
        let checked = try Program("/usr/bin/xmllint", ["--noout", "--nonet", file.path])
        #expect(checked.status == 0, "\(checked.errors)")
        let text = try String(contentsOf: file, encoding: .utf8)
        // Two hours and one day, each with acquiring and tracking.
        #expect(text.components(separatedBy: "<rect fill=\"#").count - 1 == 6)
    }

    @Test func `a draw that is none and an empty track are told`() throws {
        let store = try store()
        #expect(try store.tool("power", "--milliwatts", "m9").status == 64)
        let empty = try ToolStore().tool("power")
        #expect(empty.status == 0)
        #expect(empty.errors.contains("no receiver cycle has ended"))
    }
}
