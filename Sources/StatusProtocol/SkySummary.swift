public import GNSS

/// The satellites by system, as `status` tells them.
public struct SkySummary: Equatable, Sendable {
    /// One satellite navigation system.
    public struct System: Equatable, Sendable {
        /// Its name, `unknown` when the receiver's numbering does not tell.
        public var name = ""
        /// Satellites in view.
        public var seen: Int64 = 0
        /// Satellites that the solution uses.
        public var used: Int64 = 0
        /// Mean carrier to noise density of those that are heard, dB-Hz; `nil` when none is.
        public var signal: Double?

        /// Nothing known.
        public init() {}
    }

    /// Each system with a satellite in view.
    public var systems: [System] = []
    /// Horizontal dilution of precision.
    public var hdop: Double?
    /// From 0, none, to 255, severe; `nil` when the receiver does not say.
    public var jamming: UInt8?
    /// The antenna: 1 well, 2 open, 3 shorted; `nil` when the receiver does not say.
    public var antenna: UInt8?

    /// Nothing known.
    public init() {}

    /// A summary; `nil` of a sky of which nothing is known.
    public init?(_ sky: SkyView) {
        hdop = sky.dop.hdop
        jamming = sky.jamming
        antenna = sky.antenna
        let all: [Constellation?] = Constellation.allCases + [nil]
        for constellation in all {
            let seen = sky.satellites.filter { $0.constellation == constellation }
            guard !seen.isEmpty else { continue }
            var system = System()
            system.name = constellation?.name ?? "unknown"
            system.seen = Int64(seen.count)
            system.used = Int64(seen.count { $0.used })
            let heard = seen.compactMap(\.signal).filter { $0 > 0 }
            if !heard.isEmpty { system.signal = heard.reduce(0, +) / Double(heard.count) }
            systems.append(system)
        }
        if systems.isEmpty, hdop == nil, jamming == nil, antenna == nil { return nil }
    }
}

extension SkySummary: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.list("systems", &systems, "Each system with a satellite in view.")
        visitor.number("hdop", &hdop, nil, "Horizontal dilution of precision.")
        visitor.integer("jamming", &jamming, nil, "From 0, none, to 255, severe.")
        visitor.integer("antenna", &antenna, nil, "Antenna: 1 well, 2 open, 3 shorted.")
    }
}

extension SkySummary.System: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.text("constellation", &name, "gps, galileo, …, or unknown.")
        visitor.integer("seen", &seen, nil, "Satellites in view.")
        visitor.integer("used", &used, nil, "Satellites the solution uses.")
        visitor.number("signal", &signal, "dB-Hz", "Mean of those heard.")
    }
}
