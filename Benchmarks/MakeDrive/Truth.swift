import GNSS

/// What the log really holds, for tests to compare with.
struct Truth {
    let seed: UInt64
    let hz: Int
    private(set) var epochs = 0
    private(set) var epochsWithFix = 0
    /// Epochs whose position is kilometres off.
    var badFixes: [UTCTime] = []
    /// Epochs in which one sentence has a wrong checksum; the epoch has a fix all the same.
    var damaged: [UTCTime] = []

    private var legs: [(name: String, start: UTCTime, end: UTCTime)] = []
    private var first = UTCTime(milliseconds: 0)
    private var last = UTCTime(milliseconds: 0)
    private var from = (latitude: 0.0, longitude: 0.0)
    private var final = Vehicle()
    private var tunnelDistance = 0.0
    private var lastDistance = 0.0

    init(seed: UInt64, hz: Int) {
        self.seed = seed
        self.hz = hz
    }

    mutating func add(leg: Leg, time: UTCTime, vehicle: Vehicle) {
        if epochs == 0 {
            first = time
            from = (vehicle.latitude, vehicle.longitude)
        }
        epochs += 1
        if leg.tunnel {
            tunnelDistance += vehicle.distance - lastDistance
        } else {
            epochsWithFix += 1
        }
        if let current = legs.last, current.name == leg.name {
            legs[legs.count - 1].end = time
        } else {
            legs.append((leg.name, time, time))
        }
        last = time
        lastDistance = vehicle.distance
    }

    mutating func end(_ vehicle: Vehicle) {
        final = vehicle
    }

    /// One JSON object, a member a line.
    var json: TextBuffer {
        var text = TextBuffer()
        func member(_ name: StaticString, _ value: (inout TextBuffer) -> Void) {
            text.append(text.bytes.isEmpty ? "{\n  \"" : ",\n  \"")
            text.append(name)
            text.append("\": ")
            value(&text)
        }
        member("seed") { $0.append(seed) }
        member("hz") { $0.append(hz) }
        member("start") { $0.append(quoted: first) }
        member("end") { $0.append(quoted: last) }
        member("epochs") { $0.append(epochs) }
        member("epochsWithFix") { $0.append(epochsWithFix) }
        member("epochsWithoutFix") { $0.append(epochs - epochsWithFix) }
        member("badFixes") { $0.append(list: badFixes) }
        member("damagedSentences") { $0.append(list: damaged) }
        member("from") { $0.append(position: from) }
        member("to") { $0.append(position: (final.latitude, final.longitude)) }
        // Metres and seconds of the true path, the tunnel included.
        member("distance") { $0.append(final.distance, decimals: 1) }
        member("tunnelDistance") { $0.append(tunnelDistance, decimals: 1) }
        member("movingTime") { $0.append(final.movingTime, decimals: 0) }
        member("topSpeed") { $0.append(final.topSpeed, decimals: 2) }
        member("legs") { text in
            for (i, leg) in legs.enumerated() {
                text.append(i == 0 ? "[\n    {\"name\": \"" : ",\n    {\"name\": \"")
                text.append(text: leg.name)
                text.append("\", \"start\": ")
                text.append(quoted: leg.start)
                text.append(", \"end\": ")
                text.append(quoted: leg.end)
                text.append("}")
            }
            text.append("\n  ]")
        }
        text.append("\n}\n")
        return text
    }
}

extension TextBuffer {
    fileprivate mutating func append(quoted time: UTCTime) {
        append("\"")
        append(time)
        append("\"")
    }

    fileprivate mutating func append(list times: [UTCTime]) {
        append("[")
        for (i, time) in times.enumerated() {
            if i > 0 { append(", ") }
            append(quoted: time)
        }
        append("]")
    }

    fileprivate mutating func append(position: (latitude: Double, longitude: Double)) {
        append("{\"lat\": ")
        append(position.latitude, decimals: 7)
        append(", \"lon\": ")
        append(position.longitude, decimals: 7)
        append("}")
    }
}
