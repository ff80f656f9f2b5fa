import GNSS
import Testing

@testable import Import

/// Google's files in the shapes they have had.
@Suite struct TakeoutTests {
    private let nine = UTCTime(milliseconds: 1_709_283_600_000)

    @Test func `records of every age are read`() throws {
        let text = """
            {"locations": [{"latitudeE7": 481000000, "longitudeE7": 115000000, "accuracy": 20,
              "activity": [{"activity": [{"type": "STILL", "confidence": 100}]}],
              "timestamp": "2024-03-01T09:00:00Z", "deviceTag": -123},
             {"latitudeE7": 4290000000, "longitudeE7": 4290000000,
              "timestampMs": "1709283600000", "velocity": 3, "heading": 90, "altitude": 5},
             {"timestamp": "2024-03-01T09:00:00Z"}]}
            """
        #expect(ImportFormat.guess(text.utf8) == .takeout)
        let found = try points(text, .takeout)
        #expect(found.map(\.fix.time) == [nine, nine])
        // 4290000000 - 2^32 = -4967296.
        #expect(found.map(\.fix.latitude) == [48.1, -0.496_729_6])
        #expect(found[1].fix.speed == 3 && found[1].fix.altitudeMSL == 5)
    }

    @Test func `semantic history has paths and places visited`() throws {
        let found = try points(
            """
            {"timelineObjects":[{"activitySegment":{"simplifiedRawPath":{"points":[
            {"latE7":481000000,"lngE7":115000000,"accuracyMeters":9,"timestamp":"2024-03-01T09:00:00Z"}]}}},
            {"placeVisit":{"location":{"latitudeE7":482000000,"longitudeE7":116000000},
            "duration":{"startTimestamp":"2024-03-01T09:00:00Z"}}}]}
            """, .takeout)
        #expect(found.map(\.fix.latitude) == [48.1, 48.2])
        #expect(found[0].fix.status == nil)
        #expect(found[1].fix.status == .surveyed, "a place that was looked up is no measured fix")
    }

    @Test func `the Timeline of Android has degrees with their sign`() throws {
        let text = """
            {"semanticSegments":[{"startTime":"2024-03-01T10:00:00.000+01:00","endTime":"x",
            "timelinePath":[{"point":"48.1°, 11.5°","time":"2024-03-01T10:00:00.000+01:00"}]},
            {"startTime":"2024-03-01T10:00:00.000+01:00","visit":{"topCandidate":{
            "placeLocation":{"latLng":"48.2°, -11.6°"}}}},
            {"startTime":"2024-03-01T10:00:00.000+01:00","activity":{"distanceMeters":5}}],
            "rawSignals":[{"position":{"LatLng":"48.3°, 11.7°","accuracyMeters":13,
            "altitudeMeters":500.5,"timestamp":"2024-03-01T10:00:00.000+01:00",
            "speedMetersPerSecond":1.5}},{"wifiScan":{}}]}
            """
        let found = try points(text, .takeout)
        #expect(ImportFormat.guess(text.utf8) == .takeout)
        #expect(found.map(\.fix.latitude) == [48.1, 48.2, 48.3])
        #expect(found.map(\.fix.time) == [nine, nine, nine])
        #expect(found[1].fix.longitude == -11.6)
        #expect(found[2].fix.errors.eph == 13 && found[2].beginsSegment)
    }

    @Test func `the Timeline of iOS counts minutes from its start`() throws {
        let found = try points(
            """
            [{"endTime":"2024-03-01T12:00:00.000+01:00","startTime":"2024-03-01T10:00:00.000+01:00",
            "timelinePath":[{"point":"geo:48.1,11.5","durationMinutesOffsetFromStartTime":"3"}]},
            {"startTime":"2024-03-01T10:00:00.000+01:00","visit":{"topCandidate":{
            "placeLocation":"geo:48.2,11.6"}}}]
            """, .takeout)
        #expect(found.map(\.fix.latitude) == [48.1, 48.2])
        #expect(found[0].fix.time == UTCTime(milliseconds: nine.milliseconds + 180_000))
    }
}
