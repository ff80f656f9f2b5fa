public import GNSS

/// Reads the points of a file as its bytes come, in bounded memory where the format allows.
///
/// What it holds on to is one point, one JSON element, or the times of one KML track. The same bytes give the same
/// points however they are cut into pieces.
public struct TrackImporter {
    /// Milliseconds that the zone of times which name none is ahead of UTC, at an instant.
    public typealias ZoneOffset = (UTCTime) -> Int64

    private var reader: any PointReader
    /// Expat reads UTF-16 by itself.
    private var input: TextInput?
    private var sink: PointSink

    /// An importer at the beginning of a file.
    ///
    /// - Parameters:
    ///   - dates: what an earlier reading of the file told of its dates.
    ///   - zone: that of times which name none.
    public init(
        _ format: ImportFormat, dates: DateReading = DateReading(),
        zone: @escaping ZoneOffset = { _ in 0 }
    ) {
        sink = PointSink(zone: zone)
        sink.dates = dates
        input = format == .gpx || format == .kml ? nil : TextInput()
        reader =
            switch format {
            case .gpx: XMLReader(GPXHandler())
            case .kml: XMLReader(KMLHandler())
            case .csv: CSVReader()
            case .owntracks: OwnTracksReader()
            case .geojson, .takeout, .jsonl: JSONReader()
            }
    }

    /// Takes the next bytes and hands over the points they complete.
    public mutating func feed(
        _ bytes: [UInt8], _ body: (ImportedPoint) throws -> Void
    ) throws {
        try reader.feed(input?.utf8(bytes) ?? bytes, &sink)
        try handOver(body)
        while try reader.more(&sink) { try handOver(body) }
        try handOver(body)
    }

    /// Takes the end of the file.
    ///
    /// - Throws: ``ImportError`` when it ends in the middle of something.
    public mutating func finish(_ body: (ImportedPoint) throws -> Void) throws {
        if let rest = input?.end(), !rest.isEmpty { try reader.feed(rest, &sink) }
        while try reader.more(&sink) { try handOver(body) }
        try reader.finish(&sink)
        try handOver(body)
    }

    /// What was left out so far, by kind.
    public var leftOut: [(kind: LeftOut, count: Int)] {
        LeftOut.allCases.map { ($0, sink.leftOut[$0.rawValue]) }.filter { $0.1 > 0 }
    }

    /// Columns or members that look like times, speeds or heights, in a file where none of that kind is understood.
    public var notUnderstood: [String] { sink.notUnderstood.sorted() }

    /// How the dates so far are written.
    public var dates: DateReading { sink.dates }

    /// The coordinate system that the file named last; of some files that is known at their end only.
    public var system: String? { sink.system }

    private mutating func handOver(_ body: (ImportedPoint) throws -> Void) throws {
        for point in sink.points { try body(point) }
        sink.points.removeAll(keepingCapacity: true)
    }
}

/// One file format: bytes in, points out.
protocol PointReader {
    mutating func feed(_ bytes: [UInt8], _ sink: inout PointSink) throws(ImportError)
    /// Gives more of what was fed, ``PointSink/plenty`` points at a time; whether there may be still more.
    mutating func more(_ sink: inout PointSink) throws(ImportError) -> Bool
    mutating func finish(_ sink: inout PointSink) throws(ImportError)
}

extension PointReader {
    mutating func more(_ sink: inout PointSink) throws(ImportError) -> Bool { false }
}

/// Where readers put points, and what they ask about times.
struct PointSink {
    /// So many points are handed over before more are made.
    static let plenty = 1024

    var points: [ImportedPoint] = []
    var leftOut = [Int](repeating: 0, count: LeftOut.allCases.count)
    let zone: TrackImporter.ZoneOffset
    private var breaks = false
    /// Whether the points that come are in a segment of the file's own.
    private var isInSegment = false
    /// The time of the point before.
    private(set) var last: UTCTime?
    /// The coordinate system of the points that come, as the file names it.
    var system: String?
    var dates = DateReading()
    private(set) var notUnderstood: Set<String> = []
    private var names: [String] = []
    private var parts: [PointPart?] = []
    private var receivers: [String] = []

    init(zone: @escaping TrackImporter.ZoneOffset = { _ in 0 }) {
        self.zone = zone
    }

    /// The next point begins a line of its own.
    mutating func segmentBreak() {
        breaks = true
        isInSegment = false
    }

    /// The next point begins a segment that the file tells from others.
    mutating func beginSegment() {
        breaks = true
        isInSegment = true
    }

    mutating func leaveOut(_ kind: LeftOut, _ count: Int = 1) {
        leftOut[kind.rawValue] += count
    }

    /// The number of one of several receivers, from 1 on; it only has to tell them apart.
    mutating func receiver(named name: String) -> UInt8 {
        if let known = receivers.firstIndex(of: name) { return UInt8(known + 1) }
        // More than anybody carries: somebody makes names up.
        guard receivers.count < 200 else { return 200 }
        receivers.append(name)
        return UInt8(receivers.count)
    }

    /// The part of a point that each of some names holds; one object after the other has the same.
    mutating func parts(of names: [String]) -> [PointPart?] {
        guard names != self.names else { return parts }
        self.names = names
        parts = PointPart.parts(of: names)
        // A few are enough to find the rest.
        if notUnderstood.count < 8 {
            notUnderstood.formUnion(
                PointPart.notUnderstood(names, parts).map { $0.prefix(64) }.map(String.init))
        }
        return parts
    }

    mutating func add(_ draft: PointDraft, _ line: Int) throws(ImportError) {
        var point = try draft.point(line)
        // Nobody has measured it.
        if point.flags?.contains(.interpolated) == true { return leaveOut(.interpolated) }
        point.beginsSegment = breaks
        point.isInSegment = isInSegment
        point.system = system
        breaks = false
        last = point.fix.time ?? last
        points.append(point)
    }

    /// The instant of ISO 8601 text or of seconds or milliseconds since 1970.
    func time(_ text: some StringProtocol, _ line: Int) throws(ImportError) -> UTCTime {
        if let time = TimeField.parse(text, zone, after: last) { return time }
        throw ImportError(line: line, message: "a time that is none")
    }
}
