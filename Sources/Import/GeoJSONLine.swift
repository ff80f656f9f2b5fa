import GNSS

/// The points of a `LineString` or `MultiLineString`, given a few at a time.
struct GeoJSONLine {
    private var places: ArrayCursor
    private var times: ArrayCursor?
    /// Sequences beside the positions, and the database they are of; `nil` where fixes have no names.
    private var names: (store: String, sequences: ArrayCursor)?
    /// Whether lines lie in an array of lines.
    private let isMulti: Bool
    private let line: Int
    private var state = State.atPart
    private var parts = 0
    private var hasTimes = false
    private var hasNames = false
    /// The last one read, given when it is known that the line was not cut there.
    private var held: PointDraft?

    private enum State {
        case atPart
        case within
        case done
    }

    /// - Parameters:
    ///   - places: the array of positions, or of arrays of such.
    ///   - times: the times beside them; `nil` when there are none.
    ///   - line: where the feature begins.
    init?(_ places: ArrayCursor, _ times: ArrayCursor?, isMulti: Bool, _ line: Int) {
        self.places = places
        self.times = times
        self.isMulti = isMulti
        self.line = line
        if isMulti {
            guard self.places.enter() else { return nil }
            if self.times?.enter() == false { self.times = nil }
        }
    }

    /// Gives the fixes the names that stand beside them, as far as there is one for each.
    mutating func name(_ store: String, _ sequences: ArrayCursor) {
        names = (store, sequences)
        if isMulti, names?.sequences.enter() == false { names = nil }
    }

    /// Gives points until the sink has that many.
    ///
    /// - Returns: whether there are more.
    mutating func give(_ count: Int, to sink: inout PointSink) throws(ImportError) -> Bool {
        while state != .done, sink.points.count < count {
            if state == .atPart {
                try begin(&sink)
            } else {
                try step(&sink)
            }
        }
        return state != .done
    }

    /// Goes into the next line.
    private mutating func begin(_ sink: inout PointSink) throws(ImportError) {
        if isMulti {
            guard try next(&places, "coordinates are not an array") else { return try end(&sink) }
            hasTimes = false
            if times != nil, let another = times?.hasNext(), another {
                hasTimes = times?.enter() ?? false
                // A time for all of a line is none of its points'.
                if !hasTimes { _ = times?.scalar() }
            }
            hasNames = names?.sequences.hasNext() == true && names?.sequences.enter() == true
            if !hasNames { names = nil }
        } else {
            guard parts == 0 else { return try end(&sink) }
            hasTimes = times?.enter() ?? false
            hasNames = names?.sequences.enter() ?? false
        }
        guard places.enter() else {
            throw ImportError(line: line, message: "coordinates are not an array")
        }
        parts += 1
        guard let first = try position(sink) else {
            try giveHeld(&sink)
            return
        }
        state = .within
        // A line cut at the antimeridian (RFC 7946, section 3.1.9) was never there: its ends are not fixes,
        // but for one that has a name.
        if let last = held, GeoJSONLine.meetsAtAntimeridian(last, first) {
            held = last.id == nil ? nil : last
            try giveHeld(&sink)
            return
        }
        try giveHeld(&sink)
        if parts > 1 { sink.beginSegment() }
        held = first
    }

    private mutating func step(_ sink: inout PointSink) throws(ImportError) {
        guard let next = try position(sink) else {
            state = .atPart
            return
        }
        try giveHeld(&sink)
        held = next
    }

    private mutating func end(_ sink: inout PointSink) throws(ImportError) {
        try giveHeld(&sink)
        state = .done
    }

    private mutating func giveHeld(_ sink: inout PointSink) throws(ImportError) {
        guard let point = held else { return }
        held = nil
        try sink.add(point, line)
    }

    /// The next position with its time; `nil` behind the last of a line.
    private mutating func position(_ sink: PointSink) throws(ImportError) -> PointDraft? {
        let more = try next(&places, "a position is not [lon, lat]")
        if hasTimes, var times {
            guard try next(&times, "a time that is none") == more else {
                throw ImportError(line: line, message: "not as many times as coordinates")
            }
            self.times = times
        }
        if hasNames, names?.sequences.hasNext() != more {
            hasNames = false
            names = nil
        }
        guard more else { return nil }
        var draft = PointDraft()
        guard places.enter() else { throw notAPosition }
        var numbers = 0
        while try next(&places, notAPosition.message) {
            guard let (word, isText) = places.scalar(), !isText else { throw notAPosition }
            let number = NumberField.parse(word)
            guard number != nil || numbers > 1 && word == "null" else { throw notAPosition }
            if let number {
                switch numbers {
                case 0: try draft.set(.longitude, number, line)
                case 1: try draft.set(.latitude, number, line)
                case 2: try draft.set(.altitudeHAE, number, line)
                default: break
                }
            }
            numbers += 1
        }
        guard numbers >= 2 else { throw notAPosition }
        if hasTimes { draft.time = try time(sink) }
        if hasNames {
            draft.id = name()
            // Where fixes have names, what has none lies between them.
            if draft.id == nil { draft.flags = .interpolated }
        }
        return draft
    }

    private mutating func name() -> FixID? {
        guard let (word, isText) = names?.sequences.scalar(), !isText, let store = names?.store,
            let sequence = Int64(word), sequence > 0
        else { return nil }
        return FixID(store: store, sequence: sequence)
    }

    private var notAPosition: ImportError {
        ImportError(line: line, message: "a position is not [lon, lat]")
    }

    private mutating func time(_ sink: PointSink) throws(ImportError) -> UTCTime? {
        guard let (word, isText) = times?.scalar() else {
            throw ImportError(line: line, message: "a time that is none")
        }
        return try GeoJSONLine.time(word, isText: isText, sink, line)
    }

    /// The instant that one of `coordTimes` is; `nil` for `null`.
    static func time(
        _ word: Substring, isText: Bool, _ sink: PointSink, _ line: Int
    ) throws(ImportError) -> UTCTime? {
        if isText { return try sink.time(word, line) }
        if word == "null" { return nil }
        guard let number = NumberField.parse(word) else {
            throw ImportError(line: line, message: "a time that is none")
        }
        return TimeField.instant(number)
    }

    private func next(
        _ cursor: inout ArrayCursor, _ complaint: String
    ) throws(ImportError) -> Bool {
        guard let more = cursor.hasNext() else {
            throw ImportError(line: line, message: complaint)
        }
        return more
    }

    private static func meetsAtAntimeridian(_ a: PointDraft, _ b: PointDraft) -> Bool {
        guard let from = a.longitude, let to = b.longitude else { return false }
        return from.magnitude == 180 && to == -from && a.latitude == b.latitude
    }
}
