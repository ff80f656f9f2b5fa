import Geodesy
import Testing

@Suite struct TrackBridgeTests {
    /// Walked in at the door, found four hours later 300 m away and walking at 1.5 m/s.
    private static let hole = TrackBridge(
        from: .init(time: 0, x: 0, y: 0, east: 1.2, north: 0),
        to: .init(time: 14_400, x: 300, y: 0, east: 1.5, north: 0))

    @Test func `who is found walking after hours stood where it was seen last`() {
        #expect(Self.hole.position(at: 7200).x == 0)
        #expect(Self.hole.position(at: 14_000).x == 0)
        // At seven tenths of its speed it takes 286 s.
        let middle = Self.hole.position(at: 14_400 - 125).x
        #expect(middle > 75 && middle < 200)
    }

    @Test func `who is found about as fast as the way took went evenly`() {
        let bridge = TrackBridge(
            from: .init(time: 0, x: 0, y: 0, east: 20, north: 0),
            to: .init(time: 1800, x: 36_000, y: 0, east: 25, north: 0))
        #expect(bridge.position(at: 900).x == 18_000)
    }

    @Test func `who walked in, stood and walked back stood inside`() {
        // 84 m in a minute each way, an hour between, and back at the same place.
        let bridge = TrackBridge(
            from: .init(time: 0, x: 0, y: 0, east: 1.4, north: 0),
            to: .init(time: 3720, x: 0, y: 0, east: -1.4, north: 0), stood: 60...3660)
        // A direction is kept for two minutes: 1.4 · 120 (1 - exp(-60 / 120)).
        #expect(abs(bridge.position(at: 1800).x - 66.1) < 0.1)
        #expect(bridge.position(at: 60).x == bridge.position(at: 3660).x)
        #expect(bridge.position(at: 30).x > 30 && bridge.position(at: 3720).x == 0)
    }
}
