import GNSS
import Testing

@testable import Import

/// What columns and members of other programs are named, and what is in them.
@Suite struct ColumnTests {
    // 2024-03-05T10:00:00Z, by `date -u -d @1709632800`.
    private let ten = UTCTime(milliseconds: 1_709_632_800_000)

    private func fix(_ text: String, _ format: ImportFormat = .csv) throws -> Fix {
        #expect(ImportFormat.guess(text.utf8) == format)
        return try #require(try points(text, format).first?.fix)
    }

    private func notUnderstood(_ text: String, _ format: ImportFormat = .csv) throws -> [String] {
        var importer = TrackImporter(format)
        try importer.feed(Array(text.utf8)) { _ in }
        try importer.finish { _ in }
        return importer.notUnderstood
    }

    @Test(arguments: [
        // QStarz, Holux, Columbus, and tables made of NMEA.
        ("INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT(m),SPEED(km/h)\n"
            + "1,T,2024/03/05,10:00:00,SPS,33.5,S,70.25,W,519.5,36\n"),
        "time,lat,ns,lon,ew\n2024-03-05T10:00:00Z,33.5,s,70.25,w\n",
        "time,lat,lat_dir,lon,lon_dir\n2024-03-05T10:00:00Z,33.5,S,70.25,W\n",
        "time,latitude,N/S Indicator,longitude,E/W Indicator\n1709632800,33.5,S,70.25,W\n",
        "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT\n1,T,240305,100000,33.5S,70.25W,5\n",
        "time,latitude,latitude_ns,longitude,LongitudeEW\n1709632800,33.5,S,70.25,W\n",
        "time,lat,lat_ref,lon,lon_ref\n2024-03-05T10:00:00Z,-33.5,S,-70.25,West\n",
    ])
    func `south and west stand beside degrees without a sign`(text: String) throws {
        let fix = try fix(text)
        #expect(fix.latitude == -33.5 && fix.longitude == -70.25 && fix.time == ten)
    }

    /// gpsbabel 1.8, v900.cc: km/h, cells padded with NULs.
    @Test(arguments: ["TAG", "RCR"], ["36", "36\0\0"])
    func `loggers that count their records drive in kilometres an hour`(
        column: String, speed: String
    ) throws {
        let fix = try fix(
            "INDEX,\(column),DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING\n"
                + "1,T,240305,100000,33.5N,70.25E,5\0\0,\(speed),90\0\n")
        #expect(abs((fix.speed ?? 0) - 10) < 1e-9 && fix.time == ten && fix.altitudeMSL == 5)
    }

    @Test func `north and east change nothing, nanoseconds neither, and other letters are none`()
        throws
    {
        let north = try fix("lat,n/s,lon,e/w\n33.5,N,70.25,E\n")
        #expect(north.latitude == 33.5 && north.longitude == 70.25)
        #expect(try fix("lat,ns,lon\n33.5,999,70.25\n").latitude == 33.5)
        #expect(
            complaint("lat,n/s,lon\n33.5,X,70.25\n", .csv)
                == ImportError(line: 2, message: "north or south is neither"))
        #expect(try fix("lat,lon\n33.5°,70.25°\n").latitude == 33.5)
        #expect(complaint("lat,lon\n33 5,70.25\n", .csv)?.message == "lat is no number")
    }

    @Test(arguments: [
        "utc_time", "gps_time", "gpstime", "timestamp_utc", "time_utc", "created_at", "tst",
        "timestampMs", "epoch", "unixtime", "deviceTime", "when", "ISO8601", "Time (UTC)",
        "Date/Time", "local_time", "Unix Time", "fixTime", "unix", "ts", "recordedAt",
        "recorded at",
        "occurred_at", "lastSeen", "time_ms", "epochms", "epoch_ms", "time_iso", "TimeUTC",
        "Timestamp [s]",
        "GPS-Timestamp", "location.time",
    ])
    func `a time is known by many names`(name: String) throws {
        #expect(try fix("\(name),lat,lon\n2024-03-05T10:00:00Z,47,8\n").time == ten)
        let json = "{\"\(name)\":1709632800000,\"lat\":47,\"lon\":8}\n"
        #expect(try points(json, .jsonl).map(\.fix.time) == [ten])
    }

    @Test(arguments: [
        "2024-03-05 10:00:00", "20240305100000", "20240305 100000", "20240305T100000Z",
        "05.03.2024 10:00:00", "5.3.2024 10:00", "2024/03/05 10:00:00", "1709632800",
        "1709632800000", "1709632800000000", "1709632800000000000", "2024-03-05T11:00:00+01:00",
    ])
    func `a time is known in many spellings`(text: String) throws {
        #expect(try fix("time,lat,lon\n\(text),47,8\n").time == ten)
    }

    @Test func `digits that are no date count milliseconds`() throws {
        // `date -u -d @20241399996` is in 2611.
        let later = try fix("time,lat,lon\n20241399996161,47,8\n")
        #expect(later.time == UTCTime(milliseconds: 20_241_399_996_161))
        #expect(try fix("{\"lat\":47,\"lon\":8,\"time\":20240305100000}\n", .jsonl).time == ten)
    }

    /// 1 kn is 1852 m/h, 1 mi 1609.344 m.
    private static let speeds: [(name: String, text: String, metres: Double)] = [
        ("speed_knots", "10", 18520.0 / 3600), ("Speed (mph)", "10", 16093.44 / 3600),
        ("Speed_kph", "36", 10), ("speed (m/s)", "10", 10), ("Speed [km/h]", "36", 10),
        ("speed", "10.0 kn", 18520.0 / 3600), ("Speed", "36 km/h", 10),
        ("SOG", "10", 18520.0 / 3600), ("km/h", "36", 10), ("kmh", "36", 10), ("kmph", "36", 10),
        ("speedKmh", "36", 10), ("GPS speed [km/h]", "36", 10),
        ("speed_over_ground_kn", "10", 18520.0 / 3600),
        ("speed_m_s", "10", 10), ("SpeedMPS", "10", 10), ("GPS (2D speed) [m/s]", "10", 10),
        ("speed", "36 kmph", 10),
    ]

    @Test(arguments: speeds)
    func `speeds come in their unit`(name: String, text: String, metres: Double) throws {
        let speed = try #require(try fix("\(name),lat,lon\n\(text),47,8\n").speed)
        #expect(abs(speed - metres) < 1e-9)
    }

    @Test func `heights, courses and degrees come with theirs`() throws {
        let feet = try fix(
            "Latitude (deg),Longitude (deg),altitude (ft),course (deg)\n47,8,1000,90\n")
        #expect(abs((feet.altitudeMSL ?? 0) - 304.8) < 1e-9 && feet.course == 90)
        #expect(try fix("lat,lon,altitude(m)\n47,8,519.5\n").altitudeMSL == 519.5)
        #expect(try fix("lat,lon,alt_ft\n47,8,10\n").altitudeMSL == 3.048)
        for name in [
            "AltMSL", "msl", "altitudeMeters", "Altitude_M", "gps_altitude", "GPS (Alt.) [m]",
        ] {
            #expect(try fix("lat,lon,\(name)\n47,8,519.5\n").altitudeMSL == 519.5)
        }
        // 47 and 8 degrees of 180 in 2^31.
        let turned = try fix(
            "position_lat [semicircles],position_long [semicircles]\n560731841,95443718\n")
        #expect(abs(turned.latitude - 47) < 1e-7 && abs(turned.longitude - 8) < 1e-7)
        #expect(try fix("gpsLat,GPS Lon [deg],altHAE,vertical speed\n47,8,60,-1\n").climb == -1)
    }

    @Test func `positions of Traccar have the time of the fix, knots, and fixes that are none`()
        throws
    {
        let header =
            "serverTime,deviceTime,fixTime,valid,latitude,longitude,altitude,speed,course\n"
        let times = "2024-03-05T10:00:09Z,2024-03-05T10:00:05Z,2024-03-05T10:00:00Z"
        let rows = "\(times),true,47,8,519,10,90\n\(times),false,47,8,519,10,90\n"
        let json = """
            [{"id":1,"attributes":{"sat":9},"type":null,"serverTime":"2024-03-05T10:00:09.000+00:00",
            "deviceTime":"2024-03-05T10:00:05.000+00:00","fixTime":"2024-03-05T10:00:00.000+00:00",
            "valid":true,"latitude":47,"longitude":8,"altitude":519,"speed":10,"course":90},
            {"fixTime":"2024-03-05T10:00:00.000+00:00","valid":false,"latitude":47,"longitude":8}]
            """
        for (text, format) in [(header + rows, ImportFormat.csv), (json, .jsonl)] {
            let found = try points(text, format).map(\.fix)
            #expect(ImportFormat.guess(text.utf8) == format)
            #expect(found.map(\.time) == [ten, ten])
            #expect(abs((found[0].speed ?? 0) - 18520.0 / 3600) < 1e-9)
            #expect(found.map(\.mode) == [.threeD, .none])
        }
        let named = header.replacing("speed", with: "speed (knots)") + rows
        #expect(abs((try fix(named).speed ?? 0) - 18520.0 / 3600) < 1e-9)
    }

    @Test func `what looks like a time, a speed or a height and is not understood is named`() throws
    {
        #expect(
            try notUnderstood("lat,lon,Zeit Datetime?,speed (furlongs)\n47,8,a,b\n")
                == ["Zeit Datetime?", "speed (furlongs)"])
        #expect(try notUnderstood("lat,lon,elev_x\n47,8,1\n") == ["elev_x"])
        #expect(
            try notUnderstood("{\"lat\":47,\"lon\":8,\"time_of_arrival\":1}\n", .jsonl)
                == ["time_of_arrival"])
        // Beside one that is.
        #expect(try notUnderstood("time,starttimestamp_ms,lat,lon\n1709632800,5,47,8\n") == [])
        #expect(try notUnderstood("lat,lon,name,result,salt\n47,8,a,b,c\n") == [])
    }

    @Test(arguments: ["NA", "nan", "", "null", "-", "N/A"])
    func `a value that is not known is none`(word: String) throws {
        let fix = try fix("time,lat,lon,alt,speed\n2024-03-05T10:00:00Z,47,8,\(word),\(word)\n")
        #expect(fix.altitudeMSL == nil && fix.speed == nil && fix.mode == .twoD && fix.time == ten)
    }

    @Test func `a row without a position is left out and counted`() throws {
        var importer = TrackImporter(.csv)
        var count = 0
        let text = "time,lat,lon\n1709632800,47,8\n1709632801,,\n1709632802,NA,NA\n"
        try importer.feed(Array(text.utf8)) { _ in count += 1 }
        try importer.finish { _ in count += 1 }
        #expect(count == 1)
        #expect(importer.leftOut.map(\.kind) == [.withoutPosition])
        #expect(importer.leftOut.map(\.count) == [2])
    }

    @Test(arguments: [
        "sep=;\ntime;lat;lon\n2024-03-05 10:00:00;47,5;8\n",
        "\u{FEFF}sep=;\r\ntime;lat;lon\r\n2024-03-05 10:00:00;47,5;8\r\n",
        "# a logger\n# lat,lon\ntime,lat,lon\n2024-03-05 10:00:00,47.5,8\n",
        "# time,lat,lon\n2024-03-05 10:00:00,47.5,8\n",
        "time,lat,lon\r2024-03-05 10:00:00,47.5,8\r",
        "\"Morning walk\"\nexported by a program\n\ntime,lat,lon\n2024-03-05 10:00:00,47.5,8\n",
        "time,lat,lon\n2024-03-05 10:00:00,\"47°30'00.0\"\"N\",8 0 0 E\n",
        "time,lat,lon\n2024-03-05 10:00:00,N47 30.000,8:00\n",
        "time|lat|lon\n2024-03-05 10:00:00|47.5|8\n",
        "time,lat,lon,track\n2024-03-05 10:00:00,47.5,8,Morning walk\n",
    ])
    func `tables are written in many ways`(text: String) throws {
        let fix = try fix(text)
        #expect(fix.latitude == 47.5 && fix.longitude == 8 && fix.time == ten)
        #expect(fix.course == nil)
    }

    /// The bound on an input of the socket, and of the fuzzing: 100 ms, here with room for a slow machine.
    @Test func `a header of any length is looked through at once`() {
        for name in ["a,", "speedkm,", "gps,", "#a,"] {
            let text = String(repeating: name, count: 65_000 / name.count)
            let begin = ContinuousClock.now
            #expect(ImportFormat.guess(text.utf8) == nil)
            #expect(ContinuousClock.now - begin < .seconds(1))
        }
    }

    @Test(arguments: [1, 2, 3, 4096], [true, false])
    func `UTF-16 is read as UTF-8 is`(piece: Int, isLittle: Bool) throws {
        for (text, format) in [
            ("time,lat,lon,note\n2024-03-05T10:00:00Z,47.5,8,😀 ä\n", ImportFormat.csv),
            ("{\"time\":\"2024-03-05T10:00:00Z\",\"lat\":47.5,\"lon\":8,\"note\":\"😀\"}\n", .jsonl),
        ] {
            var bytes: [UInt8] = []
            for unit in [0xFEFF] + Array(text.utf16) {
                let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
                bytes += isLittle ? [low, high] : [high, low]
            }
            #expect(ImportFormat.guess(bytes) == format)
            var importer = TrackImporter(format)
            var found: [Fix] = []
            for start in stride(from: 0, to: bytes.count, by: piece) {
                try importer.feed(Array(bytes[start..<min(bytes.count, start + piece)])) {
                    found.append($0.fix)
                }
            }
            try importer.finish { found.append($0.fix) }
            #expect(found.map(\.time) == [ten] && found.map(\.latitude) == [47.5])
        }
    }

    @Test(
        arguments: [
            ("47°30'36\"S", -47.51), ("-47.5", -47.5), ("47.5S", -47.5), ("-47.5S", -47.5),
            ("47 30 N", 47.5),
            ("-0°30'", -0.5), ("47°60'", nil), ("47.5°30'", nil), ("47 30", nil), ("N", nil),
            ("47°N5", nil),
            ("1°2'3\"4", nil),
        ] as [(String, Double?)])
    func `degrees may have minutes and seconds`(text: String, degrees: Double?) {
        let found = NumberField.parse(text) ?? NumberField.angle(text, "NS")
        #expect(found.map { ($0 * 1e9).rounded() } == degrees.map { ($0 * 1e9).rounded() })
    }

    @Test func `the Recorder's answer is a list of messages`() throws {
        let text = """
            {"count":2,"data":[{"_type":"location","lat":47.5,"lon":8,"tst":1709632800,"vel":36},
              {"_type":"lwt","tst":1709632800}]}
            """
        let fix = try fix(text, .owntracks)
        #expect(fix.latitude == 47.5 && fix.time == ten && fix.speed == 10)
        let lines = "{\"_type\":\"location\",\"lat\":47.5,\"lon\":8,\"tst\":1709632800}\n"
        #expect(try points(lines + lines, .owntracks, piece: 7).count == 2)
    }

    @Test func `times of GeoJSON stand in several places, in milliseconds too`() throws {
        let line = """
            {"type":"Feature","properties":{"coordinateProperties":{"times":
            ["2024-03-05T10:00:00Z",1709632801000]}},"geometry":{"type":"LineString",
            "coordinates":[[8,47],[8,47.1]]}}
            """
        #expect(
            try points(line, .geojson).map(\.fix.time)
                == [ten, UTCTime(milliseconds: ten.milliseconds + 1000)])
        for name in ["timestamp", "time"] {
            let point = """
                {"type":"Feature","properties":{"\(name)":1709632800000},"geometry":
                {"type":"Point","coordinates":[8,47]}}
                """
            #expect(try fix(point, .geojson).time == ten)
        }
    }

    @Test(arguments: [
        #""coordTimes":"2024-03-05T10:00:00Z""#, #""coordTimes":["2024-03-05T10:00:00Z"]"#,
        #""times":[1709632800000]"#, #""coordTimes":1709632800"#,
        #""coordinateProperties":{"times":"2024-03-05T10:00:00Z"}"#,
        #""coordinateProperties":{"times":["2024-03-05T10:00:00Z"]}"#,
    ])
    func `a point of GeoJSON may have its time where a line has its times`(member: String) throws {
        let text = """
            {"type":"Feature","properties":{\(member)},"geometry":
            {"type":"Point","coordinates":[8,47]}}
            """
        #expect(try fix(text, .geojson).time == ten)
        #expect(try notUnderstood(text, .geojson) == [])
    }

    @Test func `GPX is known whatever its prefix, and blanks around a number are none of it`()
        throws
    {
        let text = """
            <?xml version="1.0"?><!-- <kml> --><g:gpx xmlns:g="http://www.topografix.com/GPX/1/1">
            <g:trk><g:trkseg><g:trkpt lat=" 47.0" lon="\t8.5 "/></g:trkseg></g:trk></g:gpx>
            """
        let fix = try fix(text, .gpx)
        #expect(fix.latitude == 47 && fix.longitude == 8.5)
        #expect(complaint("<gpx><trkpt lat=\"4 7\" lon=\"8\"/></gpx>", .gpx) != nil)
    }

    private func track(_ body: String, schema: String = "") -> String {
        "<kml><Document>\(schema)<Placemark><gx:Track>\(body)</gx:Track></Placemark></Document></kml>"
    }

    @Test func `a KML track has the values that stand behind its points, named by a schema or not`()
        throws
    {
        let body = """
            <when>2024-03-05T10:00:00Z</when><gx:coord>8 47 5</gx:coord>
            <when>2024-03-05T10:00:01Z</when><gx:coord>8 47.1 5</gx:coord>
            <ExtendedData><SchemaData><gx:SimpleArrayData name="speed"><gx:value>2.5</gx:value>
            <gx:value>3.5</gx:value></gx:SimpleArrayData><gx:SimpleArrayData name="bearing">
            <gx:value>90</gx:value><gx:value>91</gx:value></gx:SimpleArrayData></SchemaData>
            </ExtendedData>
            """
        let found = try points(track(body), .kml)
        #expect(found.map(\.fix.speed) == [2.5, 3.5] && found.map(\.fix.course) == [90, 91])
    }

    @Test func `each device of a CSV file is a receiver of its own`() throws {
        let found = try points(
            """
            deviceId,fixTime,latitude,longitude
            7,2024-03-05T10:00:00Z,47,8
            9,2024-03-05T10:00:01Z,48,9
            7,2024-03-05T10:00:02Z,47,8

            """, .csv)
        #expect(found.map(\.fix.device) == [1, 2, 1])
    }

    @Test func `a KML track may miss places, and has speeds where its schema says so`() throws {
        let times = "<when>2024-03-05T10:00:00Z</when><when>2024-03-05T10:00:01Z</when>"
        let missing = try points(track(times + "<gx:coord/><gx:coord>8 47 5</gx:coord>"), .kml)
        #expect(missing.map(\.fix.time) == [UTCTime(milliseconds: ten.milliseconds + 1000)])
        let schema = """
            <Schema id="s"><gx:SimpleArrayField name="speed" type="float"/>
            <gx:SimpleArrayField name="cadence" type="int"/></Schema>
            """
        let values = """
            <ExtendedData><SchemaData schemaUrl="#s"><gx:SimpleArrayData name="cadence">
            <gx:value>80</gx:value><gx:value>81</gx:value></gx:SimpleArrayData>
            <gx:SimpleArrayData name="speed"><gx:value>2.5</gx:value><gx:value/></gx:SimpleArrayData>
            </SchemaData></ExtendedData>
            """
        let places = "<gx:coord>8 47 5</gx:coord><gx:coord>8 47.1 5</gx:coord>"
        let found = try points(track(times + places + values, schema: schema), .kml)
        #expect(found.map(\.fix.speed) == [2.5, nil])
        #expect(found.map(\.fix.latitude) == [47, 47.1])
        let gap = "<gx:coord/><gx:coord>8 47.1 5</gx:coord>"
        let later = values.replacing("<gx:value/>", with: "<gx:value>3</gx:value>")
        #expect(
            try points(track(times + gap + later, schema: schema), .kml).map(\.fix.speed) == [3])
    }

    @Test(arguments: [
        ("absolute", 0.0 as Double?), ("clampToGround", nil), ("relativeToGround", nil),
    ])
    func `a height of 0 is one where heights count from the sea`(
        mode: String, height: Double?
    ) throws {
        let body = """
            <altitudeMode>\(mode)</altitudeMode><when>2024-03-05T10:00:00Z</when>
            <gx:coord>8 47 0</gx:coord>
            """
        let fix = try #require(try points(track(body), .kml).first?.fix)
        #expect(fix.altitudeMSL == height && fix.mode == (height == nil ? .twoD : .threeD))
    }
}
