public import GNSS

/// Turns the bytes of an NMEA 0183 receiver into epochs, as they arrive.
///
/// Bytes are pushed in pieces of any size; where the pieces are cut makes no difference. All
/// sentences of one measurement time become one ``Epoch``, which is handed over when the first
/// sentence of another time arrives, or at ``flush(_:)``. State is bounded whatever comes in,
/// nothing is allocated while decoding, and no clock is read: the same bytes give the same epochs.
///
/// Damage is expected: a sentence that is refused is counted by reason in ``counts`` and changes
/// nothing else.
public struct NMEADecoder: Sendable {
    /// What to do with a sentence that ends without a checksum.
    public enum MissingChecksum: UInt8, CaseIterable, Sendable {
        /// Admit it until the source has shown that it sends checksums, then refuse.
        case untilShown
        /// Refuse it always.
        case refuse
        /// Admit it always.
        case admit
    }

    /// How to read a source.
    public struct Settings: Equatable, Sendable {
        /// Sentences without a checksum.
        public var missingChecksum = MissingChecksum.untilShown
        /// Dates nearer to a rollover of the GPS week before this instant are moved by 1024 weeks
        /// to the one nearest to it, forwards only; `nil` leaves every date as received.
        ///
        /// Live it is the later of build date and trusted clock. A recorded log may hold any date.
        public var floor: UTCTime?
        /// The day (since 1970-01-01) of the first time of day, for a log that begins without a
        /// date; ``StartDayFinder`` tells it.
        public var startDay: Int64?

        /// The defaults: no repair, no start day.
        public init() {}
    }

    /// The longest sentence that is read, `$` to checksum; longer ones are refused.
    ///
    /// The standard says 82. Receivers in high precision modes pass 100, a few multiplexers 200.
    public static let longestSentence = 1024

    /// What was read so far, and what became of it.
    public internal(set) var counts = InputCounts()

    let settings: Settings
    var hasShownChecksum = false
    var calendar: Calendar
    var epoch = EpochState()
    var emitted = EmittedEpochs()
    var companions = Companions()
    var skyStore = SkyStore()
    var isOtherDatum = false
    /// The fix handed over last, which the next one overwrites.
    var outgoing = Fix(time: nil, latitude: 0, longitude: 0, mode: .none)
    /// Whether ``outgoing`` has values that few receivers send.
    var hasOutgoingRare = false
    /// The position read last.
    var position = KnownPosition()
    var framing = Framing()

    /// A decoder at the beginning of a source.
    public init(_ settings: Settings = Settings()) {
        self.settings = settings
        calendar = Calendar(floor: settings.floor, startDay: settings.startDay)
    }

    /// Takes the next bytes, and hands over the epochs they complete.
    ///
    /// - Parameters:
    ///   - bytes: any piece of the stream; not kept.
    ///   - emit: called for each epoch in order.
    public mutating func decode(_ bytes: UnsafeRawBufferPointer, _ emit: (Epoch) -> Void) {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        counts.bytes &+= Int64(bytes.count)
        unsafe decode(
            base.assumingMemoryBound(to: UInt8.self), bytes.count, emit)
    }

    /// Takes the next bytes, and hands over the epochs they complete.
    public mutating func decode(_ bytes: RawSpan, _ emit: (Epoch) -> Void) {
        unsafe bytes.withUnsafeBytes { unsafe decode($0, emit) }
    }

    /// Hands over the epoch that is being put together: to be called live when the receiver has
    /// fallen silent for longer than it pauses within an epoch.
    ///
    /// What belongs to that time and arrives later is passed over, so that no epoch comes twice.
    public mutating func flush(_ emit: (Epoch) -> Void) {
        closeEpoch(emit)
        epoch = EpochState()
    }

    /// Reads what is left and hands over the last epoch: the end of the input.
    ///
    /// Dates and settings stay, so that another piece of the same receiver's output may follow.
    public mutating func finish(_ emit: (Epoch) -> Void) {
        finishFraming(emit)
        flush(emit)
    }

    /// The talker of a second receiver on the line, as `GN`; the ``GNSS/Fix/device`` of its fixes is 1.
    public var otherTalker: String? {
        guard companions.other != 0 else { return nil }
        let letters = [UInt8(companions.other & 0xFF), UInt8(companions.other >> 8)]
        return String(decoding: letters, as: UTF8.self)
    }

    /// The satellites in view as last reported, parsed at this call from the sentences kept.
    public var sky: SkyView {
        skyStore.view
    }
}
