import Configuration
import GNSS
import Import
import Simulation
import Storage

/// Places with times from a file of any kind that holds a track.
enum TrackFile {
    /// Reads a database of ours, or what `import` reads, told by content.
    static func places(_ path: String, _ zone: Zone) throws -> [TrueTrack.Place] {
        var places: [TrueTrack.Place] = []
        func add(_ fix: Fix) {
            guard let time = fix.time else { return }
            places.append(.init(time: time, latitude: fix.latitude, longitude: fix.longitude))
        }
        if path != "-", try InputFile(path).next().starts(with: "SQLite format 3".utf8) {
            try TrackReader(path: path).forEach(FixQuery()) { add($0.fix) }
            return places
        }
        try ImportSource(path, as: nil, zone).forEach("reading") { item in
            if case .point(let point) = item { add(point.fix) }
        }
        return places
    }
}
