public import GNSS

/// What was learnt about the receiver, kept across restarts as a few lines of text.
public struct Learned: Equatable, Sendable {
    /// The last times of one kind, milliseconds, oldest first.
    public struct Times: Equatable, Sendable {
        /// At most ``limit``.
        public private(set) var recent: [Int64] = []

        /// So many that the next is longer than all of them in one of forty cases.
        public static let limit = 40
        /// Fewer say little.
        static let few = 5

        /// Nothing learnt.
        public init() {}

        /// Learns one more; what no start takes, a fault does, and it is not learnt.
        mutating func learn(_ milliseconds: Int64, atMost longest: Int64) {
            guard milliseconds >= 0, milliseconds <= longest else { return }
            if recent.count == Self.limit { recent.removeFirst() }
            recent.append(milliseconds)
        }

        /// The mean of those that were not the exception; `fallback` before the first.
        func typical(fallback: Int64) -> Int64 {
            guard !recent.isEmpty else { return fallback }
            return recent.reduce(0) { $0 + min($1, 30_000) } / Int64(recent.count)
        }

        /// What is long enough nearly always; `fallback` until enough is known.
        func sufficient(fallback: Int64) -> Int64 {
            let longest = recent.max() ?? fallback
            // The longest of few is easily passed.
            let margin = longest * Int64(max(0, 16 - recent.count)) / 40
            return recent.count < Self.few ? max(longest + margin, fallback) : longest + margin
        }
    }

    /// From switching on to a fix worth recording, by class of start.
    public var hot = Times()
    /// The same with a stale ephemeris.
    public var warm = Times()
    /// The same from nothing.
    public var cold = Times()
    /// From switching on to the first data.
    public var reopen = Times()
    /// The accuracy that a start settles at, metres; `nil` before the first.
    public var accuracy: Double?
    /// When the receiver last tracked for long enough to read the ephemeris.
    public var ephemeris: UTCTime?

    /// Movement in a usual day, ms; `nil` before a budget asked for it.
    public var movement: Int64?
    /// Intensity of the acceleration by way of travel, m²/s³; empty before it is known.
    public var intensity: [Double] = []

    /// Nothing learnt.
    public init() {}

    /// What was written by ``text``; what cannot be read is not learnt.
    public init(_ text: String) {
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let value = line[line.index(after: equals)...]
            var times = Times()
            for item in value.split(separator: " ") {
                if let number = Int64(item) { times.learn(number, atMost: 86_400_000) }
            }
            switch line[..<equals] {
            case "hot": hot = times
            case "warm": warm = times
            case "cold": cold = times
            case "reopen": reopen = times
            case "accuracy":
                let number = Int64(value).map { Double($0) / 1000 }
                accuracy = number.flatMap { $0 > 0 && $0 < 1000 ? $0 : nil }
            case "intensity":
                intensity = value.split(separator: " ").prefix(Times.limit)
                    .compactMap { Int64($0) }.filter { $0 > 0 }.map { Double($0) / 1e6 }
            case "movement": movement = times.recent.first
            case "ephemeris": ephemeris = UTCTime(value)
            default: break
            }
        }
    }

    /// A line for each thing known, in milliseconds, millimetres and millionths.
    public var text: String {
        var out = TextBuffer()
        for (key, times) in [("hot", hot), ("warm", warm), ("cold", cold), ("reopen", reopen)]
        where !times.recent.isEmpty {
            out.append(text: key)
            for (index, time) in times.recent.enumerated() {
                out.append(index == 0 ? "=" : " ")
                out.append(time)
            }
            out.append("\n")
        }
        if let accuracy {
            out.append("accuracy=")
            out.append(Int64((accuracy * 1000).rounded()))
            out.append("\n")
        }
        if !intensity.isEmpty {
            out.append("intensity=")
            for (index, value) in intensity.enumerated() {
                if index > 0 { out.append(" ") }
                out.append(Int64((min(max(value, 0), 1000) * 1e6).rounded()))
            }
            out.append("\n")
        }
        if let movement {
            out.append("movement=")
            out.append(movement)
            out.append("\n")
        }
        if let ephemeris {
            out.append("ephemeris=")
            out.append(ephemeris)
            out.append("\n")
        }
        return out.string
    }

    /// Learns how long a start took.
    mutating func learn(start: StartClass, _ milliseconds: Int64) {
        // A start longer than its class explains had no sky.
        switch start {
        case .hot: hot.learn(milliseconds, atMost: 45_000)
        case .warm: warm.learn(milliseconds, atMost: 100_000)
        case .cold: cold.learn(milliseconds, atMost: 180_000)
        }
    }

    /// Whether hot starts enough were seen to tell what they take.
    var knowsStarts: Bool { hot.recent.count >= Times.few }

    /// How long a start usually takes, milliseconds.
    func typical(_ start: StartClass) -> Int64 {
        switch start {
        case .hot: hot.typical(fallback: 8000)
        case .warm: warm.typical(fallback: 30_000)
        case .cold: cold.typical(fallback: 30_000)
        }
    }

    /// How long before a fix is due a receiver is to be switched on, milliseconds.
    func lead(_ start: StartClass) -> Int64 {
        switch start {
        case .hot: hot.sufficient(fallback: 15_000)
        case .warm: warm.sufficient(fallback: 35_000)
        case .cold: cold.sufficient(fallback: 45_000)
        }
    }
}
