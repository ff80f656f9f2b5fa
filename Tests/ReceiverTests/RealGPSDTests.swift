import Foundation
import GNSS
import Platform
import Receiver
import Scheduling
import Testing

/// The failures of the field, on the gpsd that people run.
@Suite(
    .serialized,
    .enabled(if: RealGPSD.isInstalled || ProcessInfo.processInfo.environment["CI"] == "true")
)
struct RealGPSDTests {
    private let loop: EventLoop
    private final class Track {
        var fixes: [Fix] = []
        var states: [SourceState] = []
    }
    private let track = Track()

    init() throws {
        loop = try EventLoop()
    }

    private func source(on gpsd: RealGPSD) throws -> GPSDSource {
        var settings = GPSDSource.Settings()
        settings.address = GPSDAddress(host: "localhost", port: gpsd.port)
        settings.watchdog.answersWithin = .seconds(1)
        settings.watchdog.silentAfter = .seconds(2)
        settings.choice.fallsBackAfter = .seconds(2)
        settings.choice.failsBackAfter = .seconds(3)
        let source = try GPSDSource(settings: settings, loop: loop)
        source.onEpoch = { [track] epoch, _ in
            if case .fix(let fix) = epoch, fix.time != nil { track.fixes.append(fix) }
        }
        source.onChange = { [track, unowned source] _ in
            track.states.append(source.status.state)
        }
        return source
    }

    /// Runs until that many more fixes have come.
    private func run(
        _ gpsd: RealGPSD, forFixes count: Int, at location: SourceLocation = #_sourceLocation
    ) throws {
        let wanted = track.fixes.count + count
        try loop.run(upTo: 30, gpsd.serve, until: { track.fixes.count >= wanted }, at: location)
    }

    /// Each epoch once, and each where the receiver was at that time.
    private func expectTrueTrack(at location: SourceLocation = #_sourceLocation) {
        for device in Set(track.fixes.map(\.device)) {
            let fixes = track.fixes.filter { $0.device == device }
            let times = fixes.compactMap(\.time)
            #expect(Set(times).count == times.count, sourceLocation: location)
            let start = UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000)
            for fix in fixes {
                guard let time = fix.time else { continue }
                let latitude = 51 + Double((time - start) / 200) * 0.0001 / 60
                #expect(abs(fix.latitude - latitude) < 1e-6, sourceLocation: location)
            }
        }
    }

    @Test func `a gpsd that starts after us is found`() throws {
        let gpsd = RealGPSD()
        let source = try source(on: gpsd)
        source.start()
        try loop.run { source.status.state == .unreachable }
        try gpsd.start()
        try run(gpsd, forFixes: 10)
        #expect(source.status.state == .streaming)
        #expect(source.status.release != nil)
        #expect(source.deviceNames == [gpsd.receivers[0].path])
        expectTrueTrack()
    }

    @Test func `a gpsd that is killed and started again goes on, without a fix twice`() throws {
        let gpsd = RealGPSD()
        let source = try source(on: gpsd)
        try gpsd.start()
        source.start()
        for _ in 0..<3 {
            try run(gpsd, forFixes: 5)
            gpsd.kill()
            try loop.run(upTo: 15, gpsd.serve) { source.status.state == .unreachable }
            try gpsd.start()
        }
        try run(gpsd, forFixes: 5)
        expectTrueTrack()
        // Descriptors do not pile up: each connection takes the number of the one before.
        #expect(source.status.connections >= 4)
    }

    @Test func `a gpsd that is stopped is named, and its reports are taken when it goes on`() throws
    {
        let gpsd = RealGPSD()
        let source = try source(on: gpsd)
        try gpsd.start()
        source.start()
        try run(gpsd, forFixes: 5)
        gpsd.signal(SIGSTOP)
        try loop.run(upTo: 15) { source.status.state == .gpsdSilent }
        gpsd.signal(SIGCONT)
        try run(gpsd, forFixes: 5)
        #expect(source.status.state == .streaming)
        expectTrueTrack()
    }

    @Test func `a receiver that falls silent is named, and its next fix ends that`() throws {
        let gpsd = RealGPSD()
        let source = try source(on: gpsd)
        try gpsd.start()
        source.start()
        try run(gpsd, forFixes: 5)
        gpsd.receivers[0].isOn = false
        try loop.run(upTo: 15) { source.status.state == .receiverSilent }
        #expect(source.status.state.gapReason == .receiverSilent)
        gpsd.receivers[0].isOn = true
        try run(gpsd, forFixes: 5)
        #expect(source.status.state == .streaming)
        expectTrueTrack()
    }

    @Test func `a receiver that is pulled out is missed, and the other one takes over`() throws {
        let gpsd = RealGPSD(receivers: 2)
        let source = try source(on: gpsd)
        try gpsd.start()
        source.start()
        try run(gpsd, forFixes: 10)
        let first = try #require(source.status.chosen)
        #expect(Set(track.fixes.suffix(5).map(\.device)).count == 1)
        gpsd.receivers.first { $0.path == first }?.unplug()
        try loop.run(upTo: 15, gpsd.serve) { source.status.chosen != first }
        try run(gpsd, forFixes: 5)
        expectTrueTrack()
    }
}
