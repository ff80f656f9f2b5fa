import Correction
import GNSS
import Geodesy
import Testing

@Suite struct CorrectionChainTests {
    private func chain(_ change: (inout CorrectionSettings) -> Void) throws -> CorrectionChain {
        var settings = CorrectionSettings()
        settings.geoid = .table
        change(&settings)
        return try CorrectionChain(settings, id: 7)
    }

    @Test func `default settings change nothing`() throws {
        var chain = try CorrectionChain(CorrectionSettings())
        #expect(chain.isIdentity)
        #expect(chain.correct(.at(39.9, 116.4), flags: []) == nil)
    }

    @Test func `distances of a shifted source are measured in WGS 84`() throws {
        // The forward shift is held to the corpus's vectors by GeodesyTests.
        let chain = try chain { $0.system = .gcj02 }
        for latitude in [39.9, 39.909] {
            let place = try #require(Position<WGS84>(latitude: latitude, longitude: 116.4))
            let shifted = place.gcj02(.mainland, height: nil)
            let fix = Fix.at(shifted.latitude, shifted.longitude)
            let plain = chain.inWGS84(fix)
            #expect(abs(plain.latitude - place.latitude) <= 1e-9)
            #expect(abs(plain.longitude - place.longitude) <= 1e-9)
            #expect(fix.latitude != plain.latitude)
        }
        let straight = try self.chain { _ in }
        #expect(straight.inWGS84(Fix.at(39.9, 116.4)) == Fix.at(39.9, 116.4))
    }

    @Test func `a source in GCJ-02 or BD-09 is undone`() throws {
        for row in try coordinateRows("inverse_vectors") where row["region"] == "mainland" {
            var chain = try chain { $0.system = row["input_system"] == "gcj" ? .gcj02 : .bd09 }
            let fix = Fix.at(try row.number("input_lat"), try row.number("input_lon"))
            let corrected = try chain.position(of: fix)
            #expect(abs(corrected.latitude - (try row.number("wgs_lat"))) <= 1e-9)
            #expect(abs(corrected.longitude - (try row.number("wgs_lon"))) <= 1e-9)
            #expect(corrected.correction == 7)
        }
    }

    @Test func `an ambiguous border position is flagged`() throws {
        var chain = try chain { $0.system = .gcj02 }
        let rows = try coordinateRows("gcj_boundary")
        for row in rows {
            let fix = Fix.at(try row.number("gcj_lat"), try row.number("gcj_lon"))
            _ = chain.correct(fix, flags: [])
            let unclear = row["case"] == "ambiguous" || row["case"] == "gap"
            #expect(chain.notes == (unclear ? .boundaryAmbiguous : []), "\(row["id"] ?? "")")
        }
    }

    @Test func `a lever arm leads from the antenna to the reference point`() throws {
        var used = 0
        for row in try coordinateRows("lever_arm") {
            guard try row.number("pitch_deg") == 0, try row.number("roll_deg") == 0 else {
                continue
            }
            let arm = BodyVector(
                forward: try row.number("arm_forward_m"), right: try row.number("arm_right_m"),
                up: -(try row.number("arm_down_m")))
            var chain = try chain { $0.antenna = arm }
            var fix = Fix.at(try row.number("ant_lat"), try row.number("ant_lon"))
            fix.altitudeHAE = try row.number("ant_h")
            fix.heading = try row.number("heading_deg")
            let corrected = try chain.position(of: fix)
            let height = try #require(corrected.altitudeHAE)
            let rest = ENU(
                fromLatitude: corrected.latitude, longitude: corrected.longitude, height: height,
                toLatitude: try row.number("ref_lat"), longitude: try row.number("ref_lon"),
                height: try row.number("ref_h"))
            #expect(rest.length <= 1e-3, "\(row["id"] ?? "")")
            #expect(chain.notes == [])
            used += 1
        }
        #expect(used > 10)
    }

    @Test func `a vehicle that turns on the spot stays on the spot`() throws {
        let arm = BodyVector(forward: 3, right: -1, up: 2)
        var chain = try chain { $0.antenna = arm }
        for heading in stride(from: 0.0, to: 360, by: 15) {
            let antenna = arm.turned(heading: heading).moved(
                fromLatitude: 51.5, longitude: -0.12, height: 40)
            var fix = Fix.at(antenna.latitude, antenna.longitude)
            fix.altitudeHAE = antenna.height
            fix.heading = heading
            let corrected = try chain.position(of: fix)
            // The two local frames differ by the curvature over the arm: under a tenth of a millimetre.
            let rest = ENU(
                fromLatitude: 51.5, longitude: -0.12, height: 40,
                toLatitude: corrected.latitude, longitude: corrected.longitude,
                height: try #require(corrected.altitudeHAE))
            #expect(rest.length < 1e-3)
        }
    }

    @Test func `the course counts from the speed floor on, and is held for a bounded time`() throws
    {
        var chain = try chain {
            $0.antenna = BodyVector(forward: 10, right: 0, up: 0)
            $0.headingHold = 60
        }
        var fix = Fix.at(50, 8, time: 0)
        fix.course = 90
        fix.speed = 0.5
        let skipped = try chain.position(of: fix)
        #expect(chain.notes == .leverArmSkipped)
        #expect(skipped.longitude == 8)

        fix.speed = 5
        let turned = try chain.position(of: fix)
        #expect(chain.notes == [])
        #expect(abs(Geodesic.distance(50, 8, turned.latitude, turned.longitude) - 10) < 1e-3)
        #expect(turned.longitude < 8)

        var parked = Fix.at(50, 8, time: 60_000)
        let held = try chain.position(of: parked)
        #expect(chain.notes == .leverArmHeld)
        #expect(abs(held.longitude - turned.longitude) < 1e-12)

        parked.time = UTCTime(milliseconds: 60_001)
        _ = chain.correct(parked, flags: [])
        #expect(chain.notes == .leverArmSkipped)
    }

    @Test func `a rejected fix teaches no heading`() throws {
        var chain = try chain { $0.antenna = BodyVector(forward: 1, right: 0, up: 0) }
        var wild = Fix.at(50, 8, time: 0)
        wild.heading = 10
        _ = chain.correct(wild, flags: .outlier)
        _ = chain.correct(.at(50, 8, time: 1000), flags: [])
        #expect(chain.notes == .leverArmSkipped)
    }

    @Test func `a fixed offset in metres lands where the vectors say`() throws {
        for row in try coordinateRows("enu_offset") {
            let vector = ENU(
                east: try row.number("east_m"), north: try row.number("north_m"),
                up: try row.number("up_m"))
            guard vector.length > 0 else { continue }
            var chain = try chain { $0.offset = .metres(vector) }
            var fix = Fix.at(try row.number("lat"), try row.number("lon"))
            fix.altitudeHAE = try row.number("h")
            let corrected = try chain.position(of: fix)
            let rest = ENU(
                fromLatitude: corrected.latitude, longitude: corrected.longitude,
                height: try #require(corrected.altitudeHAE),
                toLatitude: try row.number("lat_out"), longitude: try row.number("lon_out"),
                height: try row.number("h_out"))
            #expect(rest.length <= 1e-3, "\(row["id"] ?? "")")
        }
    }

    @Test func `an offset in degrees wraps at the antimeridian and refuses to pass a pole`() throws
    {
        var chain = try chain { $0.offset = .degrees(latitude: 0.5, longitude: 0.25) }
        let wrapped = try chain.position(of: .at(10, 179.9))
        #expect(wrapped.latitude == 10.5)
        #expect(abs(wrapped.longitude - -179.85) < 1e-12)
        #expect(chain.notes == [])
        let polar = try chain.position(of: .at(89.75, 0))
        #expect(polar.latitude == 89.75)
        #expect(chain.notes == .correctionPartial)
    }

    @Test func `a datum that moves needs the date of the fix`() throws {
        var chain = try chain { $0.targetDatum = .gda2020 }
        var fix = Fix.at(-33.8688, 151.2093, time: 1_720_000_000_000)
        fix.altitudeHAE = 40
        // Vector ds01 of datum_vectors.csv is the same place at 2024.5: 0.000002… degree south-west.
        let moved = try chain.position(of: fix)
        #expect(abs(moved.latitude - -33.868_802_207_39) < 5e-9)
        #expect(abs(moved.longitude - 151.209_299_114_35) < 5e-9)
        fix.time = nil
        let unmoved = try chain.position(of: fix)
        #expect(unmoved.latitude == fix.latitude)
        #expect(chain.notes == .correctionPartial)
    }

    /// A height above the sea is one of the geoid, which no datum of the map moves.
    @Test(arguments: [Datum.osgb36, .tokyo])
    func `another ellipsoid changes the height above it and not the one above the sea`(
        datum: Datum
    ) throws {
        var chain = try chain { $0.targetDatum = datum }
        var fix = Fix.at(datum == .tokyo ? 35.68 : 51.5, datum == .tokyo ? 139.77 : -0.1)
        fix.altitudeMSL = 20
        fix.geoidSeparation = 46
        let moved = try chain.position(of: fix)
        #expect(abs(try #require(moved.altitudeMSL) - 20) < 1e-9)
        #expect(abs(try #require(moved.altitudeHAE) - 66) > 5)
    }

    @Test func `both heights come with the source of the separation`() throws {
        var chain = try chain {
            $0.completesHeights = true
            $0.heightOffset = -2
        }
        var fix = Fix.at(39.9087, 116.3975)
        fix.altitudeMSL = 50
        let byTable = try chain.position(of: fix)
        // EGM96 has -9.907 m here (vector os01 of geoid.csv); the table is good to metres.
        #expect(abs(try #require(byTable.altitudeHAE) - (48 - 9.907)) < 2)
        #expect(byTable.altitudeMSL == 48)
        #expect(chain.separationSource == .table)

        fix.geoidSeparation = -8
        let byReceiver = try chain.position(of: fix)
        #expect(byReceiver.altitudeHAE == 40)
        #expect(chain.separationSource == .receiver)

        fix.altitudeMSL = nil
        fix.geoidSeparation = nil
        let flat = try chain.position(of: fix)
        #expect(flat.altitudeHAE == nil && flat.altitudeMSL == nil)
        #expect(chain.separationSource == nil)
    }

    @Test func `a record is corrected once`() throws {
        var chain = try chain { $0.system = .gcj02 }
        var record = RecordedFix(fix: .at(31.218398, 121.434559), receivedAt: 0, flags: [])
        try chain.correct(&record)
        let once = record
        #expect(throws: CorrectionError.alreadyCorrected(id: 7)) {
            try chain.correct(&record)
        }
        #expect(record == once)
        #expect(record.fix.latitude == 31.218398)
    }

    @Test func `any double is survived and nothing leaves the ranges`() throws {
        let values: [Double] = [
            0, 90, -90, 180, -180, 89.999_999_999, 105, 72.004, 72.005, 1e300, .nan, .infinity,
            -.infinity, .leastNonzeroMagnitude,
        ]
        for system in CRS.allCases {
            var chain = try chain {
                $0.system = system
                $0.policy = .everywhere
                $0.antenna = BodyVector(forward: 5, right: 1, up: 1)
                $0.offset = .metres(ENU(east: 50_000, north: 50_000))
                $0.targetDatum = .etrf2000
            }
            for lat in values {
                for lon in values {
                    var fix = Fix.at(lat, lon)
                    fix.altitudeHAE = lon
                    fix.heading = lat
                    guard let corrected = chain.correct(fix, flags: []) else {
                        #expect(!Angle.isPosition(latitude: lat, longitude: lon))
                        continue
                    }
                    #expect(
                        Angle.isPosition(
                            latitude: corrected.latitude, longitude: corrected.longitude))
                    #expect(corrected.altitudeHAE?.isFinite != false)
                }
            }
        }
    }
}

extension CorrectionChain {
    /// The corrected position of a kept fix, which must be there.
    fileprivate mutating func position(of fix: Fix) throws -> CorrectedPosition {
        let corrected = correct(fix, flags: [])
        return try #require(corrected)
    }
}
