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
        // At four fifths of its speed it takes 250 s.
        let middle = Self.hole.position(at: 14_400 - 125).x
        #expect(middle > 75 && middle < 200)
    }

    @Test func `who is found about as fast as the way took went evenly`() {
        let bridge = TrackBridge(
            from: .init(time: 0, x: 0, y: 0, east: 20, north: 0),
            to: .init(time: 1800, x: 36_000, y: 0, east: 25, north: 0))
        #expect(bridge.position(at: 900).x == 18_000)
    }
}
