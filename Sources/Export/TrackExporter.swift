public import GNSS

/// Writes fixes to a file format as they come, in bounded memory.
///
/// Fixes are given in recording order; where the segment changes, the line is broken. The text gathers in a buffer
/// that the caller drains. It is the same in every locale, and depends on nothing but what is given.
public struct TrackExporter {
    private var writer: any TrackWriter
    private let format: ExportFormat
    private let position: ExportPosition
    private let store: String?
    private var segment: Int32?
    private var text = TextBuffer()
    /// Fixes written so far.
    public private(set) var count: Int64 = 0

    /// Begins a file.
    public init(_ format: ExportFormat, _ info: ExportInfo, position: ExportPosition = .raw) {
        self.format = format
        self.position = position
        store = info.store
        writer =
            switch format {
            case .gpx: GPXWriter()
            case .geojson: GeoJSONWriter()
            case .csv: CSVWriter()
            case .jsonl: JSONLinesWriter()
            case .kml: KMLWriter()
            case .nmea: NMEAWriter()
            case .gpsd: GPSDWriter()
            }
        writer.begin(info, &text)
    }

    /// Adds a fix; a rejected one is left out of formats that draw lines.
    public mutating func add(_ record: RecordedFix) {
        if format.isLine, !record.flags.isKept { return }
        let point = ExportPoint(record, position, store: store)
        guard point.isFinite else { return }
        if let segment, segment != record.segment { writer.segmentBreak(&text) }
        segment = record.segment
        writer.add(point, &text)
        count += 1
    }

    /// Adds what a ``TrackEditor`` leaves.
    public mutating func add(_ result: TrackEditor.Result) {
        switch result {
        case .fix(let record): add(record)
        case .lineBreak: breakLine()
        }
    }

    /// Ends the line drawn so far: the next fix is not joined to it, whatever its segment.
    public mutating func breakLine() {
        if count > 0 { writer.segmentBreak(&text) }
    }

    /// Ends the file; nothing may be added afterwards.
    public mutating func end() {
        writer.end(&text)
    }

    /// Hands over what has gathered, if it is that much.
    ///
    /// - Parameters:
    ///   - size: bytes that may stay in the buffer; 0 hands over everything.
    ///   - write: takes the bytes; what it throws comes back.
    public mutating func drain<Failure: Error>(
        over size: Int = 65_536, _ write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        guard text.bytes.count > size else { return }
        try write(text.bytes)
        text.bytes.removeAll(keepingCapacity: true)
    }
}

/// One file format.
///
/// Points come in order; a segment break stands between two of them that no line may join.
public protocol TrackWriter {
    /// Writes what comes before the first point.
    mutating func begin(_ info: ExportInfo, _ text: inout TextBuffer)
    /// Writes or remembers a point.
    mutating func add(_ point: ExportPoint, _ text: inout TextBuffer)
    /// Ends the line drawn so far.
    mutating func segmentBreak(_ text: inout TextBuffer)
    /// Writes what comes after the last point.
    mutating func end(_ text: inout TextBuffer)
}
