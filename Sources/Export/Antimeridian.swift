import GNSS

/// Cutting lines where they cross 180° (RFC 7946, section 3.1.9).
enum Antimeridian {
    /// The parts of a line, none of which crosses; each but a single point has two vertices or more.
    ///
    /// Where it crosses, both parts get a vertex at ±180° with latitude, height and time in between.
    static func cut(_ line: [Vertex]) -> [[Vertex]] {
        var parts: [[Vertex]] = []
        var part: [Vertex] = []
        for vertex in line {
            var next = vertex
            guard let last = part.last else {
                part.append(next)
                continue
            }
            // 180° and -180° are one meridian: take the side on which the line is.
            if next.longitude.magnitude == 180, last.longitude * next.longitude < 0 {
                next.longitude.negate()
            }
            if (next.longitude - last.longitude).magnitude > 180 {
                let side = last.longitude < 0 ? -180.0 : 180.0
                let crossing = between(last, next, side: side)
                if last.longitude != side {
                    part.append(crossing)
                    parts.append(part)
                } else if part.count > 1 {
                    parts.append(part)
                }
                part = [crossing]
                part[0].longitude = -side
            }
            part.append(next)
        }
        parts.append(part)
        return parts
    }

    /// The vertex of the way from `a` to `b` at ±180°.
    private static func between(_ a: Vertex, _ b: Vertex, side: Double) -> Vertex {
        let before = (side - a.longitude).magnitude
        let after = (b.longitude + side).magnitude
        let share = before + after > 0 ? before / (before + after) : 0
        var vertex = a
        vertex.id = nil
        vertex.longitude = side
        vertex.latitude += (b.latitude - a.latitude) * share
        vertex.height = nil
        if let from = a.height, let to = b.height { vertex.height = from + (to - from) * share }
        vertex.time = nil
        if let from = a.time, let to = b.time {
            let span = max(-9e15, min(9e15, Double(to.milliseconds) - Double(from.milliseconds)))
            vertex.time = UTCTime(
                milliseconds: from.milliseconds &+ Int64((span * share).rounded()))
        }
        return vertex
    }
}
