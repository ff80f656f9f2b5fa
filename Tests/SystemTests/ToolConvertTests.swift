import Foundation
import Testing

@Suite struct ToolConvertTests {
    /// Points of the vectors kept with the geodesy tests; their README says how they were made.
    private struct Vector {
        var wgs84, gcj02, bd09: String

        static func read() throws -> [Vector] {
            let file = Program.root.appending(path: "Tests/GeodesyTests/Fixtures/vectors.csv")
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                whereSeparator: \.isNewline)
            return lines.dropFirst().compactMap { line in
                let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(
                    String.init)
                // Policies differ over the other regions.
                guard fields.count >= 10, fields[3] == "mainland" else { return nil }
                return Vector(
                    wgs84: "\(fields[4]) \(fields[5])", gcj02: "\(fields[6]) \(fields[7])",
                    bd09: "\(fields[8]) \(fields[9])")
            }
        }
    }

    private func convert(_ text: String, _ options: String...) throws -> Program {
        let folder = try TemporaryFolder()
        let input = folder.url.appending(path: "in")
        try text.write(to: input, atomically: false, encoding: .utf8)
        return try Program("tracklog", ["convert"] + options, input: input)
    }

    private func distance(_ a: String, _ b: String) throws -> Double {
        func degrees(_ text: String) throws -> [Double] {
            try text.split(separator: " ").map { try #require(Double($0)) }
        }
        return try zip(degrees(a), degrees(b)).map { abs($0 - $1) }.max() ?? .infinity
    }

    @Test func `lines come out as the vectors have them, both ways`() throws {
        let vectors = try Vector.read()
        try #require(vectors.count >= 50)
        let text = vectors.map { $0.wgs84 + "\n" }.joined()
        for (system, wanted) in [("gcj02", \Vector.gcj02), ("bd09", \Vector.bd09)] {
            let there = try convert(text, "--from", "wgs84", "--to", system)
            #expect(there.status == 0 && there.lines.count == vectors.count)
            for (line, vector) in zip(there.lines, vectors) {
                #expect(try distance(line, vector[keyPath: wanted]) <= 1e-9)
            }
            let back = try convert(
                String(decoding: there.output, as: UTF8.self), "--from", system, "--to", "wgs84")
            for (line, vector) in zip(back.lines, vectors) {
                #expect(try distance(line, vector.wgs84) <= 1e-9)
            }
        }
    }

    // 39.90872 116.39747 is 39.9101234936 116.4037135693 in GCJ-02 by the formula of the vectors' README.
    @Test(arguments: [
        (
            "39.90872 116.39747 gate\n# note\n\n", [],
            "39.9101234936 116.4037135693 gate\n# note\n\n"
        ),
        ("116.39747, 39.90872\r\n", ["--order", "lonlat"], "116.4037135693, 39.9101234936\r\n"),
        (
            "name;Latitude;Longitude\n\"a;b\";39.90872;116.39747\nx;;\n", [],
            "name;Latitude;Longitude\n\"a;b\";39.9101234936;116.4037135693\nx;;\n"
        ),
        (
            "<gpx><wpt lon='116.39747' lat=\"39.90872\"><ele>5</ele></wpt>\n</gpx>\n", [],
            "<gpx><?tracklog crs=\"gcj02\"?><wpt lon='116.4037135693' lat=\"39.9101234936\">"
                + "<ele>5</ele></wpt>\n</gpx>\n"
        ),
    ])
    func `everything but the position stays as it is`(
        input: String, options: [String], output: String
    ) throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "in")
        try input.write(to: file, atomically: false, encoding: .utf8)
        let program = try Program(
            "tracklog", ["convert", "--from", "wgs84", "--to", "gcj02", file.path] + options)
        #expect(program.status == 0)
        #expect(String(decoding: program.output, as: UTF8.self) == output)
    }

    @Test func `GeoJSON says what it is in and is not converted twice`() throws {
        let text = """
            {"type":"FeatureCollection","bbox":[1,2,3,4],"features":[{"type":"Feature","properties":{"n":1},
            "geometry":{"type":"LineString","coordinates":[[116.39747,39.90872,5],[116.4,39.9]]}}]}
            """
        let shifted = try convert(text, "--from", "wgs84", "--to", "gcj02")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(shifted.output)) as? [String: Any])
        #expect(object["crs"] as? String == "gcj02")
        #expect(object["bbox"] as? [Double] == [1, 2, 3, 4])
        let feature = try #require((object["features"] as? [[String: Any]])?.first)
        let line = try #require(
            (feature["geometry"] as? [String: Any])?["coordinates"] as? [[Double]])
        #expect(abs(line[0][0] - 116.4037135693) < 1e-9 && line[0][2] == 5)
        let again = try convert(
            String(decoding: shifted.output, as: UTF8.self), "--from", "wgs84", "--to", "gcj02")
        #expect(again.status == 65)
        #expect(again.errors.contains("says that it is in gcj02"))
    }

    @Test(arguments: [
        (
            "39.9 116.4\n116.4 39.9\n",
            "standard input:2: latitude beyond 90; are latitude and longitude swapped?"
        ),
        ("1 2\nhello there\n", "standard input:2: not a number in a position"),
        ("1 2\n1 999\n", "standard input:2: position out of range"),
        ("name,x,y\n", "standard input:1: no column lat or latitude"),
        ("lat,lon\n1,east\n", "standard input:2: not a number in a position"),
    ])
    func `what is no position is told with its line`(input: String, message: String) throws {
        let program = try convert(input, "--from", "wgs84", "--to", "gcj02")
        #expect(program.status == 65)
        #expect(program.errors == "tracklog: \(message)\n")
    }

    @Test func `a file that cannot be converted leaves nothing under the new name`() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "in").path
        try "39 116\nnonsense\n".write(toFile: file, atomically: false, encoding: .utf8)
        let program = try Program(
            "tracklog", ["convert", "--from", "wgs84", "--to", "gcj02", file, "-o", "\(file).out"])
        #expect(program.status == 65)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["in"])
    }

    @Test func `an unknown system or region is told`() throws {
        #expect(try convert("", "--from", "gcj2", "--to", "wgs84").status == 64)
        #expect(try convert("", "--from", "gcj02").errors.contains("'--to' is missing"))
        let region = try convert("", "--from", "gcj02", "--to", "wgs84", "--regions", "googel")
        #expect(region.status == 64 && region.errors.contains("did you mean 'google'?"))
        #expect(
            try Program(
                "tracklog", ["convert", "--from", "gcj02", "--to", "wgs84", "/nonexistent"]
            ).status == 66)
    }
}
