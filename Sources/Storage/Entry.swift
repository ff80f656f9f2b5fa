import GNSS

/// A row of a small table, kept until it is durable and written again after a failure.
///
/// Each carries its key, so that writing it twice is writing it once.
enum Entry {
    case run(Int32, Run)
    case runEnded(Int32, String)
    case gap(Int64, run: Int32, Gap)
    case withdrawnGap(Int64)
    case cycle(Int64, run: Int32, Cycle)
    case correction(Int32, digest: String, text: String)
    case source(Int32, kind: String, name: String, settings: String)
    case mark(Mark, run: Int32)
    case origin(Origin)
    case progress(Int32, bytes: Int64, hash: UInt64, fixes: Int64)
}

extension Writer {
    /// Writes again what may be in the file already, as after a commit that failed late.
    func write(again entries: [Entry], _ fixes: ArraySlice<RecordedFix>) throws(StoreError) {
        for entry in entries { try write(entry) }
        let stored = newest
        for fix in fixes where fix.sequence > stored { try write(fix) }
    }

    /// Writes a row of a small table.
    func write(_ entry: Entry) throws(StoreError) {
        try ensureTransaction()
        func prepare(_ sql: String) throws(StoreError) -> Statement {
            try Statement(sql, on: database)
        }
        switch entry {
        case .run(let id, let run):
            let statement = try prepare(
                "INSERT OR REPLACE INTO run VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL)")
            statement.bind(1, Int64(id))
            statement.bind(2, text: run.bootID)
            statement.bind(3, run.started.milliseconds)
            statement.bind(4, run.startedBoot)
            statement.bind(5, text: run.source)
            statement.bind(6, text: run.configuration)
            statement.bind(7, text: run.version)
            try statement.run()
        case .runEnded(let id, let how):
            let statement = try prepare("UPDATE run SET ended = ?2 WHERE id = ?1")
            statement.bind(1, Int64(id))
            statement.bind(2, text: how)
            try statement.run()
        case .gap(let id, let run, let gap):
            let statement = try prepare("INSERT OR REPLACE INTO gap VALUES (?, ?, ?, ?, ?, ?, ?)")
            statement.bind(1, id)
            statement.bind(2, Int64(run))
            statement.bind(3, gap.after)
            statement.bind(4, gap.begin?.milliseconds)
            statement.bind(5, gap.end?.milliseconds)
            statement.bind(6, gap.duration)
            statement.bind(7, Int64(gap.reason.rawValue))
            try statement.run()
        case .withdrawnGap(let id):
            let statement = try prepare("DELETE FROM gap WHERE id = ?")
            statement.bind(1, id)
            try statement.run()
        case .cycle(let id, let run, let cycle):
            let statement = try prepare(
                "INSERT OR REPLACE INTO cycle VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
            statement.bind(1, id)
            statement.bind(2, Int64(run))
            statement.bind(3, cycle.began)
            statement.bind(4, cycle.ended)
            statement.bind(5, text: cycle.beganBecause)
            statement.bind(6, text: cycle.endedBecause)
            statement.bind(7, cycle.timeToFirstFix)
            statement.bind(8, cycle.fixes)
            statement.bind(9, cycle.kept)
            statement.bind(10, scaled(cycle.bestEPH, 1000))
            statement.bind(11, text: cycle.lever)
            statement.bind(12, text: cycle.start)
            statement.bind(13, cycle.heard.map { Int64($0) })
            try statement.run()
        case .correction(let id, let digest, let text):
            let statement = try prepare("INSERT OR REPLACE INTO correction VALUES (?, ?, ?)")
            statement.bind(1, Int64(id))
            statement.bind(2, text: digest)
            statement.bind(3, text: text)
            try statement.run()
        case .source(let id, let kind, let name, let settings):
            let statement = try prepare(
                "INSERT OR REPLACE INTO source VALUES (?, ?, ?, ?, 0, 0, 0)")
            statement.bind(1, Int64(id))
            statement.bind(2, text: kind)
            statement.bind(3, text: name)
            statement.bind(4, text: settings)
            try statement.run()
        case .mark(let mark, let run):
            let statement = try prepare(
                "INSERT OR REPLACE INTO mark VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
            statement.bind(1, mark.id)
            statement.bind(2, Int64(run))
            statement.bind(3, mark.sequence)
            statement.bind(4, mark.time?.milliseconds)
            statement.bind(5, scaled(mark.latitude, 1e7))
            statement.bind(6, scaled(mark.longitude, 1e7))
            statement.bind(7, text: mark.title)
            statement.bind(8, text: mark.note)
            statement.bind(9, text: mark.photo)
            try statement.run()
        case .origin(let run):
            let statement = try prepare("INSERT OR REPLACE INTO origin VALUES (?, ?, ?, ?)")
            statement.bind(1, run.first)
            statement.bind(2, run.last)
            statement.bind(3, text: run.id.store)
            statement.bind(4, run.id.sequence)
            try statement.run()
        case .progress(let id, let bytes, let hash, let fixes):
            let statement = try prepare(
                "UPDATE source SET bytes = ?2, hash = ?3, fixes = ?4 WHERE id = ?1")
            statement.bind(1, Int64(id))
            statement.bind(2, bytes)
            statement.bind(3, Int64(bitPattern: hash))
            statement.bind(4, fixes)
            try statement.run()
        }
    }
}
