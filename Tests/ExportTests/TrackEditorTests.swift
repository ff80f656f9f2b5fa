import Foundation
import GNSS
import Testing

@testable import Export

@Suite struct TrackEditorTests {
    private func edited(
        _ records: [RecordedFix], zones: [PrivacyZone] = [], tolerance: Double? = nil
    ) -> [TrackEditor.Result] {
        var editor = TrackEditor(zones: zones, tolerance: tolerance)
        var results: [TrackEditor.Result] = []
        for record in records { editor.take(record, .raw) { results.append($0) } }
        editor.finish { results.append($0) }
        return results
    }

    private func sequences(_ results: [TrackEditor.Result]) -> [Int64?] {
        results.map { if case .fix(let record) = $0 { record.sequence } else { nil } }
    }

    @Test func `a straight line is left with its ends`() {
        let line = (1...50).map { RecordedFix.sample(Int64($0), 47 + Double($0) * 1e-4, 8) }
        #expect(sequences(edited(line, tolerance: 1)) == [1, 50])
    }

    @Test func `no fix that is left out is farther from the line than was said`() throws {
        // A spiral: every radius of curvature occurs.
        let spiral = (0..<400).map { index in
            let angle = Double(index) / 15
            return RecordedFix.sample(
                Int64(index + 1), 60 + angle * 1e-4 * sin(angle), 20 + 2 * angle * 1e-4 * cos(angle)
            )
        }
        let kept = edited(spiral, tolerance: 8).compactMap {
            if case .fix(let record) = $0 { record } else { nil }
        }
        #expect(kept.count < 200 && kept.count > 20)
        for (from, to) in zip(kept, kept.dropFirst()) {
            // A plane at the latitude of the whole: 111.2 km a degree, half of it eastwards at 60°.
            func metres(_ record: RecordedFix) -> (Double, Double) {
                (
                    (record.fix.longitude - from.fix.longitude) * 111_195 * 0.5,
                    (record.fix.latitude - from.fix.latitude) * 111_195
                )
            }
            let end = metres(to)
            for record in spiral[Int(from.sequence)..<Int(to.sequence)] {
                let place = metres(record)
                let along = max(
                    0,
                    min(
                        1,
                        (place.0 * end.0 + place.1 * end.1) / (end.0 * end.0 + end.1 * end.1)))
                let off = hypot(place.0 - along * end.0, place.1 - along * end.1)
                #expect(off <= 8.1)
            }
        }
    }

    @Test func `stops and the ends of segments stay`() {
        var line = (1...200).map {
            RecordedFix.sample(Int64($0), 47 + Double($0) * 1e-4, 8, segment: $0 <= 100 ? 1 : 2)
        }
        for index in 39..<80 {
            line[index].fix.speed = 0.1
            line[index].fix.latitude = line[39].fix.latitude
        }
        // Too short a halt to be a stop.
        for index in 149..<160 { line[index].fix.speed = 0.1 }
        #expect(sequences(edited(line, tolerance: 5)) == [1, 40, 80, 100, 101, 200])
    }

    @Test func `a line over the antimeridian is as straight as any`() {
        let line = (0..<20).map { index -> RecordedFix in
            let longitude = 179.999 + Double(index) * 1e-4
            return .sample(Int64(index + 1), 10, longitude > 180 ? longitude - 360 : longitude)
        }
        #expect(sequences(edited(line, tolerance: 1)) == [1, 20])
    }

    @Test(arguments: 0..<200)
    func `whatever the seed, nothing within the zone shows and the hole is not the zone`(
        seed: UInt64
    ) {
        let zone = PrivacyZone(latitude: 47.3769, longitude: 8.5417, radius: 300, seed: seed)
        // 300 m are 0.0026980° of a meridian; a circle of them around the place.
        for step in 0..<36 {
            let angle = Double(step) * .pi / 18
            let record = RecordedFix.sample(
                1, 47.3769 + 0.002_697 * cos(angle),
                8.5417 + 0.002_697 * sin(angle) / cos(47.3769 * .pi / 180))
            #expect(zone.hides(record.fix, record.fix))
        }
        #expect(zone.radius > 300 && zone.radius < 540)
        #expect(zone == PrivacyZone(latitude: 47.3769, longitude: 8.5417, radius: 300, seed: seed))
        let away = RecordedFix.sample(1, 47.3869, 8.5417)
        #expect(!zone.hides(away.fix, away.fix))
    }

    @Test func `the line is broken where it leaves a zone`() {
        let line = (1...60).map { RecordedFix.sample(Int64($0), 47 + Double($0) * 1e-3, 8) }
        let zone = PrivacyZone(latitude: 47.03, longitude: 8, radius: 500, seed: 7)
        let results = sequences(edited(line, zones: [zone]))
        let place = results.firstIndex(of: nil)
        #expect(results.count { $0 == nil } == 1)
        #expect(place.map { (results[$0 - 1] ?? 0) < 30 && (results[$0 + 1] ?? 0) > 30 } == true)
        let simplified = sequences(edited(line, zones: [zone], tolerance: 1))
        #expect(simplified.count == 5 && simplified[2] == nil)
        #expect(simplified[1] == results[(place ?? 0) - 1])
    }

    @Test func `a corrected position in a zone is hidden as one received is`() {
        var record = RecordedFix.sample(1, 10, 10)
        record.corrected = CorrectedPosition(latitude: 47, longitude: 8, correction: 1)
        let zone = PrivacyZone(latitude: 47, longitude: 8, radius: 100, seed: 1)
        var editor = TrackEditor(zones: [zone])
        editor.take(record, .corrected) { _ in Issue.record("shown") }
        let received = PrivacyZone(latitude: 10, longitude: 10, radius: 100, seed: 1)
        editor = TrackEditor(zones: [received])
        editor.take(record, .corrected) { _ in Issue.record("shown") }
        #expect(editor.hidden == 1)
    }
}
