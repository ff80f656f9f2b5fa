/// One stretch of the trip: how long it lasts and how one moves on it.
struct Leg {
    let name: String
    /// Seconds.
    let length: Double
    /// Speeds that are aimed at, m/s.
    let speeds: ClosedRange<Double>
    /// Mean seconds between changes of the speed aimed at.
    var pace = 45.0
    /// Mean seconds between bends.
    var bendEvery = 30.0
    /// How far a bend turns: a standard deviation or, in a town, exactly left or right, degrees.
    var bend = 20.0
    /// Whether bends are street corners.
    var corners = false
    /// Mean seconds between halts (traffic lights, crossings), 0 for none.
    var haltEvery = 0.0
    /// Seconds a halt lasts.
    var halt = 8.0...50.0
    /// Whether the sky is hidden.
    var tunnel = false

    /// The trip, two hours from door to door; it starts over when more is asked for.
    static let trip: [Leg] = [
        Leg(name: "start", length: 30, speeds: 0...0),
        Leg(
            name: "town", length: 1050, speeds: 8...14, bendEvery: 40, bend: 90, corners: true,
            haltEvery: 75),
        Leg(name: "country", length: 1080, speeds: 17...25, bendEvery: 12, bend: 28),
        Leg(name: "tunnel", length: 152, speeds: 21...23, bendEvery: 40, bend: 8, tunnel: true),
        Leg(name: "motorway", length: 2100, speeds: 28...36, pace: 90, bendEvery: 45, bend: 9),
        Leg(name: "stop", length: 610, speeds: 0...0),
        Leg(name: "country", length: 900, speeds: 15...23, bendEvery: 12, bend: 30),
        Leg(
            name: "town", length: 540, speeds: 7...13, bendEvery: 35, bend: 90, corners: true,
            haltEvery: 60),
        Leg(
            name: "walk", length: 678, speeds: 1.2...1.7, bendEvery: 25, bend: 60, haltEvery: 160,
            halt: 5...20),
        Leg(name: "arrival", length: 60, speeds: 0...0),
    ]
}
