import Glibc

/// The fewest fixes that hold a bound, found by who knows the whole track.
///
/// A shortest path over the seconds of trips with sky: a straight bridge is allowed when every second it spans stays
/// within the bound, and costs a start or the whole of it (Imai and Iri 1988, with distances at equal times).
public struct OfflineOptimum: Sendable {
    /// Seconds with the receiver on.
    public let onTime: Double
    /// How many fixes it took.
    public let fixes: Int

    private static let directions = 32
    private static let horizon = 14_400

    /// The optimum for a bound in metres.
    public init(_ track: TrueTrack, bound: Double, times: StartTimes = StartTimes()) {
        let step = bound < 15 ? 1 : bound < 60 ? 2 : 5
        let isDay = !track.isTrip.contains(true)
        let nodes = (0..<track.seconds).filter { $0 % step == 0 && (isDay || track.isTrip[$0]) }
        let start = times.hot + times.delay + 1
        guard let first = nodes.firstIndex(where: { track.hasSky[$0] }),
            let end = nodes.lastIndex(where: { track.hasSky[$0] })
        else {
            onTime = 0
            fixes = 0
            return
        }
        var cost = [Double](repeating: .infinity, count: nodes.count)
        var before = [Int](repeating: -1, count: nodes.count)
        cost[first] = start
        let count = Self.directions
        let units = (0..<count).map { index -> (x: Double, y: Double) in
            let angle = 2 * Double.pi * Double(index) / Double(count)
            return (cos(angle), sin(angle))
        }
        let reach = bound * cos(.pi / Double(count))
        var support = [Double](repeating: 0, count: count)
        for i in first..<nodes.count where cost[i] < .infinity && track.hasSky[nodes[i]] {
            for index in 0..<count { support[index] = .infinity }
            let (x0, y0) = (track.x[nodes[i]], track.y[nodes[i]])
            let last = min(nodes.count - 1, i + Self.horizon / step)
            var j = i + 1
            while j <= last {
                let second = nodes[j]
                let span = Double(second - nodes[i])
                let (vx, vy) = ((track.x[second] - x0) / span, (track.y[second] - y0) / span)
                if track.hasSky[second] {
                    var isAllowed = true
                    for index in 0..<count {
                        let along = units[index].x * vx + units[index].y * vy
                        if along > support[index] + 1e-9 { isAllowed = false }
                    }
                    let total = cost[i] + min(span, start)
                    if isAllowed, total < cost[j] {
                        cost[j] = total
                        before[j] = i
                    }
                    var isEmpty = false
                    for index in 0..<count {
                        let along = units[index].x * vx + units[index].y * vy
                        support[index] = min(support[index], along + reach / span)
                    }
                    for index in 0..<count / 2
                    where support[index] + support[index + count / 2] < 0 {
                        isEmpty = true
                    }
                    if isEmpty { break }
                }
                j += 1
            }
        }
        var node = end
        while node > first, cost[node] == .infinity { node -= 1 }
        onTime = cost[node]
        var count2 = 0
        while node >= 0 {
            count2 += 1
            node = before[node]
        }
        fixes = count2
    }
}
