import Configuration
import GNSS
import Storage

/// Which part of a track is wanted.
enum TrackRange {
    static let densify = Option(
        "densify", "put points between sparse fixes, by their velocities, and mark them")

    static let options = [
        Option("since", value: "TIME", "from TIME on: ISO 8601, yesterday, 14:30, -2h"),
        Option("until", value: "TIME", "up to TIME"),
        Option("last", short: "n", value: "N", "only the last N"),
        Option("segment", value: "NUMBER", "only that segment"),
        Option("all", short: "a", "rejected fixes too"),
        Zone.option,
    ]

    static func query(_ arguments: ParsedArguments, _ zone: Zone) throws(UsageError) -> FixQuery {
        var query = FixQuery()
        query.since = try zone.time("since", in: arguments)
        query.until = try zone.time("until", in: arguments)
        if let since = query.since, let until = query.until, until < since {
            throw UsageError("--until \(zone.text(until)) is before --since \(zone.text(since))")
        }
        query.last = try arguments.value("last", as: .integer(1...Int(Int32.max), unit: "fixes"))
        query.segment = try arguments.value("segment", as: .integer(1...Int(Int32.max))).map(
            Int32.init)
        query.keptOnly = !arguments.has("all")
        return query
    }
}

extension TrackReader {
    /// Gives fixes to a body that may fail, and tells a person how far it is.
    ///
    /// - Parameter title: what is being done; `nil` when what is printed shows that.
    func forEach(
        _ query: FixQuery, _ title: String? = nil, _ body: (RecordedFix) throws -> Void
    ) throws {
        var failure: (any Error)?
        let bar = title.map(ProgressBar.init)
        let newest = bar == nil ? 0 : try newestSequence()
        try fixes(query) { record in
            bar?.show(record.sequence, of: newest)
            do {
                try body(record)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
    }
}

extension StoreError {
    /// The exit code for it.
    var exitCode: ExitCode {
        switch kind {
        case .newerSchema, .foreignApplication, .notADatabase, .damaged: .dataError
        case .isDirectory, .cannotOpen: .noInput
        case .readOnly, .occupied: .cannotCreate
        case .locked, .busy: .temporary
        case .diskFull, .inputOutput: .inputOutput
        case .misuse: .software
        }
    }
}
