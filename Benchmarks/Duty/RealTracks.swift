import GNSS
import Simulation

/// Recorded tracks, each padded with rest to a day: `# kind name` and then `seconds,latitude,longitude` a line.
struct RealTracks {
    private(set) var kinds: [String] = []
    private(set) var tracks: [TrueTrack] = []

    /// Reads standard input; each track once for a seed.
    init(seeds: [UInt64]) {
        var places: [TrueTrack.Place] = []
        var title: [Substring] = []
        func finish(_ tracks: inout RealTracks) {
            guard title.count == 2 else { return }
            for seed in seeds {
                let made = TrueTrack(
                    name: String(title[1]), places: places, seed: seed, fillsDay: true)
                guard let made else { continue }
                tracks.kinds.append(String(title[0]))
                tracks.tracks.append(made)
            }
        }
        while let line = readLine() {
            if line.hasPrefix("# ") {
                finish(&self)
                places = []
                title = line.dropFirst(2).split(separator: " ")
            } else {
                let values = line.split(separator: ",", omittingEmptySubsequences: false)
                    .prefix(3).compactMap { Double($0) }
                guard values.count == 3 else { continue }
                let time = UTCTime(milliseconds: Int64(values[0] * 1000))
                places.append(.init(time: time, latitude: values[1], longitude: values[2]))
            }
        }
        finish(&self)
    }
}

extension Rows {
    /// One setting for tracks that somebody recorded.
    func real(_ real: RealTracks) {
        let own = cheapest(stride(from: 16.0, through: 50, by: 2).map { $0 }, within: 50) {
            adaptive(real.tracks, $0, within: 50)
        }
        let plain = peer(real.tracks, isGated: false, within: 50)
        guard let own else {
            return row("recorded tracks, p95 ≤ 50 m", "", "", "not reached", false)
        }
        let what =
            "\(real.tracks.count / seeds.count) recorded tracks, ErrorBound=\(show(own.value, 0))"
        row(
            "\(what), p95 ≤ 50 m: plain interval ÷ it", "≥ 15", "",
            plain.map {
                "\(show($0.on / own.sum.on, 1)) (\(show($0.on, 1)) ÷ \(show(own.sum.on)) %)"
            }
                ?? "not reached by any interval", plain.map { $0.on / own.sum.on >= 15 } ?? true)
        gatedRows(real, own.sum)
    }

    /// The motion-gated interval on those tracks that it can hold at all.
    private func gatedRows(_ real: RealTracks, _ own: Sum) {
        let held = real.tracks.indices.filter { index in
            let run = SimulatedRun(
                SimpleSchedule(every: 4, isGated: true), on: real.tracks[index],
                seed: seeds[index % seeds.count])
            return run.recorded.deviation(from: real.tracks[index], .bridged).p95 <= 50
        }
        // Seeds go round with the tracks: one goes with all of its seeds.
        let names = Set(real.tracks.map(\.name)).subtracting(
            real.tracks.indices.filter { !held.contains($0) }.map { real.tracks[$0].name })
        let indices = real.tracks.indices.filter { names.contains(real.tracks[$0].name) }
        guard
            let gated = peer(indices.map { real.tracks[$0] }, isGated: true, within: 50)
        else {
            return row("the same, motion-gated ÷ it", "", "", "not reached by any interval", true)
        }
        let costs = indices.map { own.each[$0] }
        let mean = costs.reduce(0, +) / Double(costs.count)
        var worst = (kind: "", ratio: Double.infinity)
        for kind in Set(real.kinds).sorted() {
            let mine = indices.indices.filter { real.kinds[indices[$0]] == kind }
            guard !mine.isEmpty else { continue }
            let ratio =
                mine.reduce(0) { $0 + gated.each[$1] } / mine.reduce(0) { $0 + costs[$1] }
            if ratio < worst.ratio { worst = (kind, ratio) }
        }
        let what = "the same, motion-gated interval, bridged, where one holds it"
        row(
            "\(what) (\(indices.count) of \(real.tracks.count)) ÷ it, in the mean", "≥ 1", "≥ 1.5",
            "\(show(gated.on / mean)) (\(show(gated.on)) %)", gated.on >= mean)
        row(
            "the same on the worst kind (\(worst.kind))", "≥ 1", "≥ 1.5", show(worst.ratio),
            worst.ratio >= 1)
    }
}
