import Foundation
import Testing

@Suite struct ToolSimulateTests {
    static func simulate(_ arguments: String...) throws -> Program {
        try Program("tracklog", ["simulate"] + arguments)
    }

    @Test func `a day has a row for people and an object for programs, the same each time`() throws
    {
        let table = try Self.simulate("--days", "parked")
        #expect(table.status == 0 && table.lines.count == 3)
        #expect(table.lines[1].hasPrefix("parked#1 "))
        let first = try Self.simulate("--days", "parked,van", "--json", "--seed", "9")
        let second = try Self.simulate("--days", "parked,van", "--json", "--seed", "9")
        #expect(first.output == second.output)
        let object = try #require(try first.objects().first)
        let runs = try #require(object["runs"] as? [[String: Any]])
        #expect(runs.map { $0["track"] as? String } == ["parked#9", "van#9"])
        let error = try #require(runs[1]["error"] as? [String: Any])
        #expect(try #require(error["p95"] as? Double) > 10)
    }

    @Test func `a track comes from GPX, a table or a log, and is the same`() throws {
        let folder = try TemporaryFolder()
        var gpx = "<?xml version=\"1.0\"?>\n<gpx><trk><trkseg>"
        var csv = "time,lat,lon\n"
        for second in 0..<120 {
            let latitude = 51 + Double(second) * 0.0001
            csv += "\(1_777_593_600 + second),\(latitude),0.5\n"
            let minute = second / 60
            let rest = second % 60
            gpx +=
                "<trkpt lat=\"\(latitude)\" lon='0.5'><time>"
                + "2026-05-01T00:0\(minute):\(rest < 10 ? "0" : "")\(rest)Z</time></trkpt>\n"
        }
        gpx += "</trkseg></trk></gpx>"
        let files = [("a.gpx", gpx), ("a.csv", csv)]
        let outputs = try files.map { name, text in
            let url = folder.url.appending(path: name)
            try Data(text.utf8).write(to: url)
            let done = try Self.simulate("--track", url.path, "--json")
            #expect(done.status == 0, "\(done.errors)")
            return String(decoding: done.output, as: UTF8.self).replacing(name, with: "a")
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].contains("\"seconds\":120,"))
    }

    @Test func `curves are written by their ending`() throws {
        let folder = try TemporaryFolder()
        let (svg, json) = (
            folder.url.appending(path: "c.svg"), folder.url.appending(path: "c.json")
        )
        let done = try Self.simulate(
            "--days", "parked", "--curve", svg.path, "--curve", json.path)
        #expect(done.status == 0)
        #expect(try String(contentsOf: svg, encoding: .utf8).contains("<polyline"))
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: json))
        #expect(((object as? [String: Any])?["curves"] as? [Any])?.count ?? 0 >= 4)
    }

    @Test(arguments: [
        (["--days", "monday"], 64), (["--policy", "lazy"], 64), (["--seed", "-1"], 64),
        (["--curve", "c.png"], 64), (["--set", "DutyCycle.ErrorBound=0"], 78),
        (["--track", "/nowhere"], 66), (["--track", "/dev/null"], 65),
    ])
    func `a mistake has its exit code and one line`(arguments: [String], code: Int) throws {
        let done = try Program("tracklog", ["simulate"] + arguments)
        #expect(Int(done.status) == code)
        #expect(done.errors.split(separator: "\n").count == 1, "\(done.errors)")
    }
}
