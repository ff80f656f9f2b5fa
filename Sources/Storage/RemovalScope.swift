import Geodesy
public import GNSS

/// Which fixes and marks a person wants removed: by time, by place, or by both.
///
/// Kept and rejected fixes alike: both say where somebody was.
public struct RemovalScope: Equatable, Sendable {
    /// A circle on the ground.
    public struct Circle: Equatable, Sendable {
        /// Degrees north, WGS 84.
        public var latitude: Double
        /// Degrees east, WGS 84.
        public var longitude: Double
        /// Metres.
        public var radius: Double

        /// A circle; `nil` when that is no position, or the radius is not above zero.
        public init?(latitude: Double, longitude: Double, radius: Double) {
            guard abs(latitude) <= 90, abs(longitude) <= 180, radius > 0, radius.isFinite else {
                return nil
            }
            self.latitude = latitude
            self.longitude = longitude
            self.radius = radius
        }

        /// Whether a position in degrees lies inside.
        public func contains(_ latitude: Double, _ longitude: Double) -> Bool {
            LocalDistance.between(self.latitude, self.longitude, latitude, longitude) <= radius
        }
    }

    /// From this time on; fixes without a date are not meant then.
    public var since: UTCTime?
    /// Up to and including this time.
    public var until: UTCTime?
    /// Only inside.
    public var within: Circle?

    /// Everything, until it is narrowed.
    public init() {}

    /// Whether a mark is meant.
    public func covers(_ mark: Mark) -> Bool {
        covers(time: mark.time?.milliseconds, mark.latitude, mark.longitude)
    }

    /// Whether a fix is meant.
    public func covers(_ fix: Fix) -> Bool {
        covers(time: fix.time?.milliseconds, fix.latitude, fix.longitude)
    }
}

extension RemovalScope {
    /// Whether a row is meant.
    func covers(_ row: FixRow) -> Bool {
        let scale = row.quality >> FixRow.Quality.fine & 1 == 1 ? 1e9 : 1e7
        return covers(
            time: row.milliseconds, Double(row.latitude) / scale, Double(row.longitude) / scale)
    }

    /// Whether something of a time in ms and a place in degrees is meant.
    func covers(time: Int64?, _ latitude: Double?, _ longitude: Double?) -> Bool {
        if since != nil || until != nil {
            guard let time else { return false }
            if let since, time < since.milliseconds { return false }
            if let until, time > until.milliseconds { return false }
        }
        guard let within else { return true }
        guard let latitude, let longitude else { return false }
        return within.contains(latitude, longitude)
    }

    /// Whether any row of a chunk may be meant.
    func mayReach(_ chunk: ChunkRow) -> Bool {
        if since != nil || until != nil {
            guard let from = chunk.all.timeFrom, let to = chunk.all.timeTo else { return false }
            if let since, to < since.milliseconds { return false }
            if let until, from > until.milliseconds { return false }
        }
        // The box is that of the kept fixes: rejected ones may be anywhere.
        guard let within, chunk.all.fixes == chunk.kept.fixes, chunk.kept.fixes > 0 else {
            return true
        }
        // A degree of latitude is never under 110.5 km.
        let reach = within.radius / 110_500
        let box = chunk.kept
        if Double(box.south) / 1e7 - reach > within.latitude { return false }
        if Double(box.north) / 1e7 + reach < within.latitude { return false }
        return true
    }
}
