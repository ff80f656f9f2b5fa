/// A point that a person asked to keep.
///
/// It carries its own position, so that it outlives the fix it was made at.
public struct Mark: Equatable, Sendable {
    /// Its number in the database, never given twice; 0 before it was stored.
    public var id: Int64 = 0
    /// Sequence of the fix it was made at; `nil` when there was none.
    public var sequence: Int64?
    /// When it was made; `nil` while the date is unknown.
    public var time: UTCTime?
    /// Degrees north in WGS 84; `nil` without a fix.
    public var latitude: Double?
    /// Degrees east in WGS 84; `nil` without a fix.
    public var longitude: Double?
    /// What the person calls it; may be empty.
    public var title: String
    /// What the person says of it.
    public var note: String?
    /// Where a photo of it is, a path or a URI.
    public var photo: String?

    /// A mark at a fix, or at none.
    ///
    /// - Parameter time: when it was made, if not at the fix's own time.
    public init(
        at record: RecordedFix?, time: UTCTime? = nil, title: String, note: String? = nil,
        photo: String? = nil
    ) {
        sequence = record.flatMap { $0.sequence > 0 ? $0.sequence : nil }
        self.time = time ?? record?.fix.time
        latitude = record?.fix.latitude
        longitude = record?.fix.longitude
        self.title = title
        self.note = note
        self.photo = photo
    }
}
