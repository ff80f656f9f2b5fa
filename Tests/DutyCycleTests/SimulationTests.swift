import DutyCycle
import GNSS
import Scheduling
import Simulation
import Testing

@Suite struct SimulationTests {
    @Test func `a receiver that is always on follows the track and draws what the sheet says`() {
        let track = SyntheticDay.van.track(seed: 3)
        let run = SimulatedRun(DutyCycle(DutyCycle.Settings()), on: track, seed: 3)
        #expect(run.onShare == 1)
        #expect(run.cost.starts == 1 && run.cost.cold == 1)
        // 2.5 m a coordinate: 2.45 deviations hold 95 % in two dimensions.
        #expect(run.recorded.deviation(from: track, .linear).p95 < 2.5 * 2.45 * 1.1)
        // 87 mW for 24 h, a minute of them at 96 mW.
        #expect((2088...2092).contains(run.cost.milliwattHours))
    }

    @Test func `a longer interval costs less and errs more`() {
        let track = SyntheticDay.van.track(seed: 3)
        let runs = [20.0, 60].map {
            SimulatedRun(SimpleSchedule(every: $0, isGated: false), on: track, seed: 3)
        }
        #expect(runs[1].cost.onTime * 2 < runs[0].cost.onTime)
        let errors = runs.map { $0.recorded.deviation(from: track, .linear).p95 }
        #expect(errors[1] > 2 * errors[0])
    }

    @Test func `starts more than two hours apart are warm`() {
        let track = SyntheticDay.parked.track(seed: 3)
        let run = SimulatedRun(SimpleSchedule(every: 10_800, isGated: false), on: track, seed: 3)
        #expect(run.cost.cold == 1 && run.cost.hot == 0 && run.cost.warm >= 6)
    }

    @Test func `a receiver that nothing switches off saves nothing by sleeping`() {
        let track = SyntheticDay.parked.track(seed: 3)
        let run = SimulatedRun(
            SimpleSchedule(every: 600, isGated: false), on: track, receiver: .usb, seed: 3)
        #expect(run.cost.milliwattHours > 130 * 24)
    }

    /// 0.001° of the meridian are 111.1 m at this latitude, in ten seconds.
    static func places(_ count: Int) -> [TrueTrack.Place] {
        (0..<count).map {
            TrueTrack.Place(
                time: UTCTime(milliseconds: 1_777_593_600_000 + Int64($0) * 10_000),
                latitude: 51 + Double($0) * 0.001, longitude: 0)
        }
    }

    @Test func `a recording becomes a point a second and a day on request`() throws {
        let track = try #require(
            TrueTrack(name: "n", places: Self.places(100), seed: 1, fillsDay: false))
        #expect(track.seconds == 991)
        #expect(abs((track.y.last ?? 0) - 99 * 111.1) < 30)
        #expect(track.tripShare == 1)
        let day = try #require(
            TrueTrack(name: "n", places: Self.places(100), seed: 1, fillsDay: true))
        #expect(day.seconds == 86_400)
        #expect(day.isTrip.count { $0 } < 1010)
    }

    @Test func `a recording in any order, with repeats and nonsense in it, is the same`() throws {
        var places = Self.places(100)
        places += places.prefix(10)
        places.append(.init(time: places[3].time, latitude: 95, longitude: 0))
        places.append(.init(time: places[4].time, latitude: .nan, longitude: 0))
        let track = try #require(
            TrueTrack(name: "n", places: places.reversed(), seed: 1, fillsDay: false))
        #expect(track.seconds == 991)
        #expect(TrueTrack(name: "n", places: Self.places(9), seed: 1, fillsDay: false) == nil)
    }

    @Test func `curves are written as drawing and as data`() {
        var curves = CostCurves()
        curves.curves = [
            (
                "a < b",
                [
                    .init(label: "60 s", error: 20, onShare: 0.5, milliwattHours: 900),
                    .init(label: "600 s", error: 200, onShare: 0.05, milliwattHours: 90),
                ]
            )
        ]
        var svg = TextBuffer()
        curves.appendSVG(to: &svg)
        #expect(svg.string.contains("a &lt; b") && svg.string.hasSuffix("</svg>\n"))
        var json = TextBuffer()
        curves.appendJSON(to: &json)
        #expect(json.string.contains("{\"setting\":\"60 s\",\"error_p95\":20,\"on_share\":0.5,"))
    }
}
