/// Finds the date on which a log begins that has none at first.
///
/// It reads the head of the log until a sentence with a position gives a date, and counts the
/// midnights up to there. ``NMEADecoder/Settings/startDay`` takes the result.
public struct StartDayFinder: Sendable {
    private var decoder: NMEADecoder
    private var isDone = false
    /// The day (since 1970-01-01) of the first time of day, `nil` until it is found.
    public private(set) var startDay: Int64?

    /// A finder at the beginning of a log; ``NMEADecoder/Settings/startDay`` of `settings` is not
    /// used.
    public init(_ settings: NMEADecoder.Settings = NMEADecoder.Settings()) {
        var settings = settings
        settings.startDay = nil
        decoder = NMEADecoder(settings)
    }

    /// Takes the next bytes of the log; `true` when no more are needed.
    public mutating func scan(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isDone else { return true }
        unsafe decoder.decode(bytes) { _ in }
        look()
        return isDone
    }

    /// Ends the log.
    public mutating func finish() {
        guard !isDone else { return }
        decoder.finish { _ in }
        look()
    }

    private mutating func look() {
        guard let day = decoder.calendar.startDay else { return }
        startDay = day
        isDone = true
    }
}
