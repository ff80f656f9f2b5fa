public import GNSS

/// What a database says of a time: the kept fixes around it, and everything that explains why there is none between.
public struct Explanation: Equatable, Sendable {
    /// One reason and when it held.
    public struct Reason: Equatable, Sendable {
        /// Why there is no fix.
        public var reason: GapReason
        /// Since when; `nil` when that is not known.
        public var begin: UTCTime?
        /// Until when; `nil` when that is not known, or it lasts.
        public var end: UTCTime?
        /// More: the flag that rejected fixes, or why the receiver was switched; `nil` when there is no more.
        public var detail: String?
        /// How many fixes were rejected so.
        public var count: Int64?

        /// A reason.
        public init(
            _ reason: GapReason, begin: UTCTime? = nil, end: UTCTime? = nil, detail: String? = nil,
            count: Int64? = nil
        ) {
            self.reason = reason
            self.begin = begin
            self.end = end
            self.detail = detail
            self.count = count
        }
    }

    /// The last kept fix up to then.
    public var before: RecordedFix?
    /// The first kept fix from then on.
    public var after: RecordedFix?
    /// The holes that were noted there, in the order they were.
    public var gaps: [Gap] = []
    /// Every reason, in the order they began.
    public var reasons: [Reason] = []

    /// The noted hole that a time lies in; with several, one after the other, that of its part.
    public func gap(at time: UTCTime) -> Gap? {
        guard let index = gaps.lastIndex(where: { ($0.begin ?? time) <= time }) else {
            return gaps.last
        }
        var gap = gaps[index]
        if let end = gap.end, end < time { return nil }
        if index < gaps.count - 1 { gap.end = gap.end ?? gap.toldUntil }
        return gap
    }

    /// The last reason that held at a time, what became of single fixes aside.
    public func reason(at time: UTCTime) -> Reason? {
        reasons.last { reason in
            reason.count == nil && (reason.begin ?? time) <= time && time <= (reason.end ?? time)
        }
    }

    /// Whether the time lies within an unbroken run of fixes.
    public var isRecorded: Bool {
        guard let before, let after else { return false }
        // A fix of that very time may have others of other segments beside it.
        if let time = before.fix.time, time == after.fix.time { return true }
        return before.segment == after.segment && before.run == after.run
    }
}

extension TrackReader {
    /// What is known of a time.
    public func explain(_ time: UTCTime) throws(StoreError) -> Explanation {
        try snapshot { () throws(StoreError) in try Explainer(database: database).explain(time) }
    }
}

extension Gap {
    /// Until when it lasted as far as the run that noted it knew.
    var toldUntil: UTCTime? {
        begin.map { UTCTime(milliseconds: $0.milliseconds &+ duration) }
    }
}

/// The last that is known of a run after its last fix.
public struct Leave: Equatable, Sendable {
    /// When it gave its last sign of life.
    public var until: UTCTime
    /// Why it had no fix until then; `nil` when a hole that says so is noted.
    public var reason: GapReason?
}

extension TrackStore {
    /// How long the run that recorded the last kept fix is known to have gone on; `nil` when no longer.
    public func leave(after record: RecordedFix) throws(StoreError) -> Leave? {
        guard let database = writer?.database else { return nil }
        return try Explainer(database: database).leave(after: record)
    }

    /// The boot that a run was in which recorded live; `nil` for others.
    public func bootOfLiveRun(_ run: Int32) throws(StoreError) -> String? {
        guard let database = writer?.database else { return nil }
        let statement = try Statement(
            "SELECT boot_id FROM run WHERE id = ? AND source LIKE 'gpsd %'", on: database)
        statement.bind(1, Int64(run))
        return try statement.step() ? statement.text(0) : nil
    }

    /// Ends the holes that runs before this one have left open, where they gave their last sign of life.
    public func endHoles() throws(StoreError) {
        guard let writer else { return }
        // Those of the last hole; as many parts as one has at most.
        let last = """
            time_to IS NULL AND time_from NOT NULL AND reason <> \(GapReason.forgotten.rawValue)
            AND id > (SELECT max(id) FROM gap) - 64
            """
        guard try writer.database.number("SELECT 1 FROM gap WHERE \(last) LIMIT 1") != nil
        else { return }
        try writer.ensureTransaction()
        try writer.database.execute(
            "UPDATE gap SET time_to = time_from + duration WHERE \(last)")
    }

    /// What is known of a time, what is not durable yet included; `nil` while the file cannot be read.
    ///
    /// - Parameter lasting: the parts of the hole that lasts, as the run knows them now.
    public func explain(
        _ time: UTCTime, lasting: [Gap] = []
    ) throws(StoreError) -> Explanation? {
        attempt { (writer) throws(StoreError) in try writer.insertRows() }
        guard let database = writer?.database else { return nil }
        return try Explainer(database: database, lasting: lasting).explain(time)
    }
}
