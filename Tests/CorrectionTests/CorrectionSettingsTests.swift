import Correction
import GNSS
import Geodesy
import Testing

@Suite struct CorrectionSettingsTests {
    @Test func `any change that has an effect makes another digest`() throws {
        let changes: [(inout CorrectionSettings) -> Void] = [
            { _ in },
            { $0.system = .gcj02 },
            {
                $0.system = .gcj02
                $0.policy = OffsetPolicy(.all)
            },
            {
                $0.system = .gcj02
                $0.policy.heightTerm = true
            },
            { $0.system = .bd09 },
            { $0.targetDatum = .etrf2000 },
            { $0.datum = .etrf2000 },
            { $0.plateMotion = PlateMotion(.eurasia, year: 2010) },
            { $0.plateMotion = PlateMotion(.eurasia, year: 2011) },
            { $0.antenna = BodyVector(forward: 1, right: 0, up: 0) },
            { $0.antenna = BodyVector(forward: 0, right: 1, up: 0) },
            { $0.offset = .metres(ENU(east: 1, north: 0)) },
            { $0.offset = .degrees(latitude: 1, longitude: 0) },
            { $0.heightOffset = 1 },
            { $0.completesHeights = true },
        ]
        let digests = try changes.map { change in
            var settings = CorrectionSettings()
            change(&settings)
            return try CorrectionChain(settings).digest
        }
        #expect(Set(digests).count == changes.count)
        #expect(digests.allSatisfy { $0.count == 16 })
    }

    @Test func `a setting without effect changes no digest`() throws {
        var idle = CorrectionSettings()
        idle.policy = OffsetPolicy(.all)
        idle.headingHold = 5
        #expect(idle.isIdentity)
        #expect(idle.canonicalText == CorrectionSettings().canonicalText)
    }

    @Test func `the text is the one databases already hold`() {
        var settings = CorrectionSettings()
        settings.system = .gcj02
        settings.antenna = BodyVector(forward: 1.5, right: -0.25, up: 2)
        #expect(
            settings.canonicalText == """
                correction 1
                system=gcj02
                regions=mainland
                antenna=1.5 -0.25 2.0
                course_speed_floor=1.0
                heading_hold=600.0
                geoid=auto

                """)
    }

    @Test func `settings are read from text and written back`() {
        #expect(FixedOffset("1.5 -2 m") == .metres(ENU(east: 1.5, north: -2)))
        #expect(FixedOffset("1 2 3 m") == .metres(ENU(east: 1, north: 2, up: 3)))
        #expect(FixedOffset("0.001 -0.002 deg") == .degrees(latitude: 0.001, longitude: -0.002))
        #expect(FixedOffset("") == FixedOffset.none)
        for bad in ["1 2", "1 m", "1 2 3 deg", "a b m", "nan 1 m", "200000 0 m", "1 2 3 4 m"] {
            #expect(FixedOffset(bad) == nil, "\(bad)")
        }
        #expect(BodyVector("1 2 3") == BodyVector(forward: 1, right: 2, up: 3))
        #expect(BodyVector("1 2") == nil)
        #expect(BodyVector("1 2 nan") == nil)
        #expect(PlateMotion("eurasia@2010.0") == PlateMotion(.eurasia, year: 2010))
        #expect(PlateMotion("atlantis@2010") == nil)
        #expect(PlateMotion("eurasia") == nil)
        #expect(GeoidChoice("auto") == .automatic)
        #expect(GeoidChoice("/a.gtx") == .grid("/a.gtx"))
        #expect(GeoidChoice("a.gtx") == nil)
        #expect(CRS(name: "GCJ-02") == .gcj02)
        #expect(CRS(name: "epsg:4326") == nil)
        for text in ["1.5 -2.0 0.0 m", "0.001 -0.002 deg"] {
            #expect(FixedOffset(text)?.text == text)
        }
    }

    @Test func `a geoid grid that is not there is named`() throws {
        var settings = CorrectionSettings()
        settings.geoid = .grid("/nowhere.gtx")
        #expect(
            throws: CorrectionError.geoid(.unreadable(path: "/nowhere.gtx", code: 2))
        ) { _ = try CorrectionChain(settings) }
    }
}

@Suite struct OutputConversionTests {
    private let fix = Fix.at(31.218398, 121.434559)

    @Test func `each output system is given from the corrected position`() throws {
        var source = CorrectionSettings()
        source.system = .gcj02
        var chain = try CorrectionChain(source)
        var record = RecordedFix(fix: fix, receivedAt: 0, flags: [])
        try chain.correct(&record)
        func out(_ system: OutputSystem) -> (latitude: Double, longitude: Double) {
            OutputConversion(to: system, source: source).position(of: record)
        }
        // Row is001 of inverse_vectors.csv.
        #expect(out(.raw) == (31.218398, 121.434559))
        for system in [OutputSystem.wgs84, .corrected] {
            #expect(abs(out(system).latitude - 31.220254864670) <= 1e-9)
            #expect(abs(out(system).longitude - 121.429929033050) <= 1e-9)
        }
        #expect(abs(out(.gcj02).latitude - 31.218398) <= 1e-9)
        #expect(abs(out(.bd09).latitude - 31.224751708202) <= 1e-9)
        #expect(abs(out(.bd09).longitude - 121.440985023921) <= 1e-9)
    }

    @Test func `a record without a correction is undone from the source's system`() {
        var source = CorrectionSettings()
        source.system = .gcj02
        let record = RecordedFix(fix: fix, receivedAt: 0, flags: [])
        let out = OutputConversion(to: .wgs84, source: source).position(of: record)
        #expect(abs(out.latitude - 31.220254864670) <= 1e-9)
        let plain = OutputConversion(to: .wgs84).position(of: record)
        #expect(plain == (31.218398, 121.434559))
    }
}
