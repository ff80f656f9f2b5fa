import Correction
import Geodesy
import Testing

@Suite struct ConvertFilterTests {
    /// Converts in pieces of `step` bytes.
    private func convert(
        _ text: String, _ format: ConvertFormat, from: CRS = .gcj02, to: CRS = .wgs84,
        step: Int = .max, _ change: (inout ConvertOptions) -> Void = { _ in }
    ) throws -> String {
        var options = ConvertOptions(from: from, to: to)
        change(&options)
        var filter = ConvertFilter(options, format: format)
        let bytes = Array(text.utf8)
        var output: [UInt8] = []
        var start = 0
        while start < bytes.count {
            let end = start + min(step, bytes.count - start)
            try filter.feed(Array(bytes[start..<end]).span, into: &output)
            start = end
        }
        try filter.finish(into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private func failure(
        _ text: String, _ format: ConvertFormat, from: CRS = .gcj02, to: CRS = .wgs84
    ) -> ConvertError? {
        do {
            _ = try convert(text, format, from: from, to: to)
            return nil
        } catch {
            return error as? ConvertError
        }
    }

    // Rows is001 and is002 of inverse_vectors.csv, and a place abroad.
    private static let pairs = [
        ("31.218398", "121.434559", "31.2202548647", "121.4299290331"),
        ("23.146927", "113.323064", "23.1495244424", "113.3176538756"),
        ("48.8566000", "2.35220", "48.8566000", "2.35220"),
    ]

    private static func sample(_ format: ConvertFormat, converted: Bool) -> String {
        let p = pairs.map { converted ? ($0.2, $0.3) : ($0.0, $0.1) }
        let system = converted ? "wgs84" : "GCJ-02"
        let crs = converted ? "wgs84" : "gcj02"
        return switch format {
        case .lines:
            "# a comment, 1 2\n\n\(p[0].0) \(p[0].1) and, more 3 4\r\n\(p[1].0),\(p[1].1)\n  \(p[2].0)\t\(p[2].1)"
        case .csv:
            "\u{FEFF}\"id\",Longitude,crs,Lat,\"a \"\"note\"\", quoted\"\r\n"
                + "1,\(p[0].1),\(system),\(p[0].0),\"two\nlines, 5\"\r\n"
                + "2, \(p[1].1) ,,\"\(p[1].0)\",\r\n3,,,,no position\r\n4,\(p[2].1),\(system),\(p[2].0),x"
        case .geoJSON:
            """
            {"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "\(crs)"}},
             "bbox": [\(p[1].1), \(p[1].0), \(p[0].1), \(p[0].0)], "features": [
             {"type": "Feature", "properties": {"coordinates": [121.4, 31.2], "bbox": [1,2,3,4],
               "q": "a \\" [1, 2] {", "crs": "bd09"},
              "geometry": {"type": "LineString", "coordinates": [[\(p[0].1), \(p[0].0), 12.50], [
                \(p[1].1) , \(p[1].0)
              ]]}},
             {"type": "Feature", "geometry": {"type": "Point", "coordinates":[\(p[2].1),\(p[2].0)]}},
             {"type": "Feature", "geometry": {"type": "Polygon", "coordinates": []}}]}

            """
        case .gpx:
            """
            <?xml version="1.0"?>
            <!-- <wpt lat="1" lon="999"> -->
            <gpx xmlns:t='urn:x'><metadata><bounds minlat="\(p[1].0)" minlon="\(p[1].1)"
              maxlat="\(p[0].0)" maxlon="\(p[0].1)"/>
            <extensions><t:crs> \(crs) </t:crs></extensions></metadata>
            <wpt lon='\(p[0].1)'   lat = "\(p[0].0)"><name>a > b <![CDATA[<wpt lat="x">]]></name></wpt>
            <trk><trkseg><trkpt lat="\(p[1].0)" lon="\(p[1].1)" note="1 > 0"><ele>4.50</ele></trkpt>
            <trkpt lat="\(p[2].0)" lon="\(p[2].1)"/></trkseg></trk></gpx>

            """
        }
    }

    @Test(arguments: ConvertFormat.allCases)
    func `positions are converted and every other byte stays`(format: ConvertFormat) throws {
        let input = Self.sample(format, converted: false)
        let expected = Self.sample(format, converted: true)
        #expect(try convert(input, format) == expected)
    }

    @Test(arguments: ConvertFormat.allCases)
    func `pieces of any size give the same file`(format: ConvertFormat) throws {
        let input = Self.sample(format, converted: false)
        let whole = try convert(input, format)
        for step in [1, 2, 3, 7, 64] {
            #expect(try convert(input, format, step: step) == whole)
        }
    }

    @Test(arguments: ConvertFormat.allCases)
    func `a file in the wanted system passes byte for byte`(format: ConvertFormat) throws {
        let input = Self.sample(format, converted: true)
        #expect(try convert(input, format, from: .wgs84, to: .wgs84) == input)
    }

    @Test(arguments: ConvertFormat.allCases)
    func `the format is seen in the first bytes`(format: ConvertFormat) {
        #expect(ConvertFormat.guess(Array(Self.sample(format, converted: false).utf8)) == format)
    }

    @Test(arguments: ConvertFormat.allCases)
    func `a file that says it is in another system is refused with the line`(
        format: ConvertFormat
    ) {
        guard format != .lines else { return }
        let error = failure(Self.sample(format, converted: false), format, from: .wgs84, to: .gcj02)
        #expect(error?.reason == .declared(.gcj02, given: .wgs84))
        let lines: [ConvertFormat: Int] = [.csv: 2, .geoJSON: 1, .gpx: 5]
        #expect(error?.line == lines[format])
    }

    @Test func `there and back again is the same place to a billionth of a degree`() throws {
        for (from, to) in [(CRS.wgs84, CRS.gcj02), (.wgs84, .bd09), (.gcj02, .bd09)] {
            let there = try convert("31.2304 121.4737", .lines, from: from, to: to)
            #expect(there != "31.2304 121.4737")
            let back = try convert(there, .lines, from: to, to: from).split(separator: " ")
            let (lat, lon) = (try #require(Double(back[0])), try #require(Double(back[1])))
            #expect(abs(lat - 31.2304) <= 1e-9 && abs(lon - 121.4737) <= 1e-9)
        }
    }

    @Test func `mistakes are named with their line`() {
        func reason(_ line: Int, _ reason: ConvertError.Reason) -> ConvertError {
            ConvertError(line: line, reason: reason)
        }
        #expect(failure("1 2\n\n116.4 39.9\n", .lines) == reason(3, .swapped))
        #expect(failure("1 2\n91 181\n", .lines) == reason(2, .outOfRange))
        #expect(failure("1 2\n3\n", .lines) == reason(2, .malformed("not two numbers")))
        #expect(failure("1 x\n", .lines) == reason(1, .malformed("not a number in a position")))
        #expect(failure("nan 1\n", .lines) == reason(1, .malformed("not a number in a position")))
        #expect(
            failure("a,b\n1,2\n", .csv) == reason(1, .noColumn("lat or latitude")))
        #expect(
            failure("lat,lon\n\"1\n2\",3\n1,\n", .csv)
                == reason(2, .malformed("not a number in a position")))
        #expect(failure("lat;lon\n1;2\n\"3\";181\n", .csv) == reason(3, .outOfRange))
        #expect(
            failure("lat,lon,crs\n1,2,EPSG:3857\n", .csv) == reason(2, .unknownSystem("EPSG:3857")))
        #expect(
            failure("{\"coordinates\":\n[1]}", .geoJSON) == reason(2, .malformed("not a position")))
        #expect(failure("{\"coordinates\":\n\n[39.9,116.4]}", .geoJSON) == reason(3, .swapped))
        #expect(
            failure("{\"a\":\n[", .geoJSON) == reason(2, .malformed("the file is cut short")))
        #expect(
            failure("<gpx>\n<wpt lat='1'/>", .gpx)
                == reason(2, .malformed("a point without lat and lon")))
        #expect(failure("<gpx>\n<wpt lat='1'", .gpx) == reason(2, .malformed("a tag does not end")))
        #expect(
            failure("\u{FEFF}lat\n", .csv)
                == reason(1, .noColumn("lon or lng or long or longitude")))
        #expect(
            "\(reason(3, .swapped))"
                == "line 3: latitude beyond 90; are latitude and longitude swapped?")
    }

    @Test func `a GPX file that was shifted says so, and is not shifted again`() throws {
        let plain = "<gpx version='1.1'><wpt lat='31.2202548647' lon='121.4299290331'/></gpx>"
        let shifted = try convert(plain, .gpx, from: .wgs84, to: .gcj02)
        #expect(shifted.hasPrefix("<gpx version='1.1'><?tracklog crs=\"gcj02\"?><wpt"))
        #expect(throws: ConvertError(line: 1, reason: .declared(.gcj02, given: .wgs84))) {
            try convert(shifted, .gpx, from: .wgs84, to: .gcj02)
        }
        let turned = try convert(shifted, .gpx, from: .gcj02, to: .bd09)
        #expect(turned.hasPrefix("<gpx version='1.1'><?tracklog crs=\"bd09\"?><wpt"))
        let back = try convert(turned, .gpx, from: .bd09, to: .wgs84)
        #expect(back.hasPrefix("<gpx version='1.1'><wpt lat='31.22025486"))
    }

    @Test func `columns can be named and longitude can come first`() throws {
        let csv = try convert("Breite\tLaenge\n31.218398\t121.434559\n", .csv) {
            $0.latitudeColumn = "breite"
            $0.longitudeColumn = "Laenge"
        }
        #expect(csv == "Breite\tLaenge\n31.2202548647\t121.4299290331\n")
        let lines = try convert("121.434559 31.218398", .lines) { $0.isLongitudeFirst = true }
        #expect(lines == "121.4299290331 31.2202548647")
    }

    @Test func `numbers are read exactly and written without exponent or minus zero`() throws {
        let text = "-0.00000000001 0.1e1\n+12.50 -1.25E-3\n0.000000000000000000001 1\n"
        let out = try convert(text, .lines, from: .wgs84, to: .gcj02) { $0.policy = .everywhere }
        for line in out.split(separator: "\n") {
            #expect(!line.contains("e") && !line.contains("-0 "))
            let numbers = line.split(separator: " ").compactMap { Double($0) }
            #expect(numbers.count == 2)
        }
        #expect(try convert("12.50 -1.25E-3", .lines) == "12.50 -1.25E-3")
    }

    @Test(arguments: ConvertFormat.allCases)
    func `damaged files end in an error or in a file, never in a trap`(format: ConvertFormat) {
        var random = SplitMix(seed: 9)
        let sound = Array(Self.sample(format, converted: false).utf8)
        let spice = Array("\"'<>[]{},:;\\\n\r\0e-+.9/!?\u{FF}".utf8)
        var refused = 0
        for _ in 0..<400 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(spice.randomElement(using: &random) ?? 0, at: place)
                case 2: bytes[place] = spice.randomElement(using: &random) ?? 0
                default: bytes.removeLast(min(place, bytes.count - 1))
                }
            }
            var filter = ConvertFilter(ConvertOptions(from: .gcj02, to: .bd09), format: format)
            var output: [UInt8] = []
            do {
                try filter.feed(bytes.span, into: &output)
                try filter.finish(into: &output)
            } catch {
                refused += 1
                #expect(error.line >= 1 && error.line <= bytes.count + 1)
            }
        }
        #expect(refused > 0 && refused < 400)
    }

    @Test func `GeoJSON that leaves WGS 84 says so, once`() throws {
        let plain = """
            {"type":"Point","coordinates":[121.429929033,31.220254865] }
            {}
            [{"type":"Point","coordinates":[2,48]}]

            """
        let shifted = try convert(plain, .geoJSON, from: .wgs84, to: .gcj02)
        let lines = shifted.split(separator: "\n")
        #expect(lines[0].hasSuffix(" ,\"crs\":\"gcj02\"}"))
        #expect(lines[1] == "{}")
        #expect(lines[2] == "[{\"type\":\"Point\",\"coordinates\":[2,48]}]")
        let back = try convert(String(lines[0]), .geoJSON, from: .gcj02, to: .wgs84)
        #expect(back.hasSuffix(" ,\"crs\":\"wgs84\"}"))
        #expect(
            failure(String(lines[0]), .geoJSON, from: .wgs84)?.reason
                == .declared(.gcj02, given: .wgs84))
    }

    @Test(arguments: [
        (ConvertFormat.csv, "lat,lon,"), (.csv, "lat,lon\n\""), (.gpx, "<gpx><!-- "),
        (.gpx, "<gpx><![CDATA["), (.gpx, "<gpx><wpt "), (.gpx, "<gpx><crs>"), (.lines, "1 2 "),
        (.geoJSON, "{\"type\":\""),
    ])
    func `what has no end is refused before it costs time or memory`(
        format: ConvertFormat, begin: String
    ) throws {
        var filter = ConvertFilter(ConvertOptions(from: .wgs84, to: .gcj02), format: format)
        var output: [UInt8] = []
        let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 17)
        try filter.feed(Array(begin.utf8).span, into: &output)
        var fed = 0
        #expect(throws: ConvertError.self) {
            while fed < 16 << 20 {
                try filter.feed(piece.span, into: &output)
                fed += piece.count
            }
        }
        #expect(fed <= 8 << 20)
    }

    @Test func `what was done is counted`() throws {
        var filter = ConvertFilter(ConvertOptions(from: .gcj02, to: .wgs84), format: .lines)
        var output: [UInt8] = []
        // The last is row js01 of gcj_boundary.csv: ambiguous.
        let text = Array("31.218398 121.434559\n48.8 2.3\n27.149480 120.709646\n".utf8)
        try filter.feed(text.span, into: &output)
        try filter.finish(into: &output)
        #expect(filter.counts.positions == 3)
        #expect(filter.counts.moved == 2)
        #expect(filter.counts.ambiguous == 1)
    }
    @Test(arguments: [
        "31.218398", "+31.218398", "31.21839800", "031.218398", "31.2183980000001", "3.1218398e1",
        "31.218398000000000000001", "0.31218398E+2",
    ])
    func `a number is read in any of its forms, many lines at once or one`(text: String) throws {
        // Row is001 of inverse_vectors.csv.
        let line = "\(text) 121.434559\n"
        let expected = ["31.2202548647", "121.4299290331"]
        for step in [1, 50, Int.max] {
            let output = try convert(
                "0 0\n" + String(repeating: line, count: 130), .lines, step: step)
            let lines = output.split(separator: "\n")
            #expect(lines.count == 131)
            #expect(lines.dropFirst().allSatisfy { same($0.split(separator: " "), expected) })
        }
    }

    private func same(_ texts: [Substring], _ expected: [String]) -> Bool {
        zip(texts, expected).allSatisfy { text, expected in
            guard let a = Double(text), let b = Double(expected) else { return false }
            return abs(a - b) <= 2e-10
        }
    }

    @Test func `a bad line among many is named and the ones before it are whole`() {
        let good = String(repeating: "31.218398 121.434559\n", count: 100)
        #expect(failure(good + "31.218398 181.434559\n" + good, .lines)?.line == 101)
        #expect(failure(good + "121.434559 31.218398\n", .lines)?.reason == .swapped)
    }
}
