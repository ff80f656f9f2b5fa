import GNSS

/// The last GSV and GSA sentences, kept as they came and parsed only when someone asks for the sky.
///
/// A receiver sends them several times a second and hardly anyone looks: copying their bytes costs
/// a tenth of reading them.
struct SkyStore {
    /// The GSV sentences of one talker and signal.
    struct Group {
        /// Two letters as they lie in memory; 0 when the slot is free.
        var talker: UInt16 = 0
        /// The signal (NMEA 4.10), 0 when not said.
        var signal: UInt8 = 0
        /// Satellites in view as the sentences say.
        var total: UInt8 = 0
        /// Messages received of the last series, one bit each.
        var messages: UInt16 = 0
        /// The epoch of the last series.
        var epoch: UInt32 = 0
    }

    static let groupLimit = 16
    /// 9 messages of 4 satellites: what the one digit of the message number can count.
    static let messageLimit = 9
    /// A slot: a length byte and a body, which for GSV is a head and 4 satellites of at most 16
    /// characters.
    static let slotSize = 128
    static let gsaLimit = 12
    /// A constellation that was not reported for so many epochs is no longer in view.
    static let staleAfter: UInt32 = 100

    private(set) var groups = InlineArray<16, Group>(repeating: Group())
    private(set) var bytes: [UInt8]
    private var epoch: UInt32 = 1
    private var time: UTCTime?
    /// GSA sentences of the epoch ``gsaEpoch``.
    private(set) var gsaCount = 0
    private var gsaEpoch: UInt32 = 0
    private var gsas = InlineArray<12, GSA>(repeating: GSA())
    /// The sum over constellations; recounted when a total changes.
    private var inViewCache: Int16 = -1
    private var refreshed: UInt32 = 0

    init() {
        let slots = SkyStore.groupLimit * SkyStore.messageLimit + SkyStore.gsaLimit
        bytes = [UInt8](repeating: 0, count: slots * SkyStore.slotSize)
    }

    /// Ends the epoch at hand: what is kept belongs to `time`.
    @inline(__always)
    mutating func endEpoch(_ time: UTCTime?) {
        self.time = time
        epoch &+= 1
    }

    /// Satellites in view over all constellations, `nil` when no GSV came.
    @inline(__always)
    var inView: UInt8? {
        mutating get {
            if inViewCache < 0 || epoch &- refreshed > SkyStore.staleAfter { countInView() }
            return inViewCache > 255 ? nil : UInt8(truncatingIfNeeded: inViewCache)
        }
    }

    private mutating func countInView() {
        refreshed = epoch
        var sum: Int16 = 0
        var hasAny = false
        for index in 0..<SkyStore.groupLimit where isFresh(groups[index]) {
            hasAny = true
            // Signals of one constellation see the same satellites: the largest counts.
            var isLargest = true
            for other in 0..<SkyStore.groupLimit where other != index {
                let rival = groups[other]
                guard isFresh(rival), rival.talker == groups[index].talker else { continue }
                if rival.total > groups[index].total
                    || rival.total == groups[index].total && other < index
                {
                    isLargest = false
                }
            }
            if isLargest { sum &+= Int16(groups[index].total) }
        }
        inViewCache = hasAny ? min(sum, 255) : 256
    }

    func isFresh(_ group: Group) -> Bool {
        group.talker != 0 && epoch &- group.epoch <= SkyStore.staleAfter
    }

    /// When the sentences kept were valid.
    var lastTime: UTCTime? { time }

    /// Whether the GSA sentences kept are those of the last epoch.
    var hasFreshGSA: Bool { epoch &- gsaEpoch <= 1 }

    /// Keeps one GSV; only its numbers are read.
    @inline(__always)
    mutating func keepGSV(_ body: Body) -> Outcome {
        // GPGSV,total,number,in view,…
        guard body.count >= 11, body[7] == UInt8(ascii: ","), body[9] == UInt8(ascii: ",") else {
            return keepOddGSV(body)
        }
        let number = Int(body[8] &- UInt8(ascii: "1"))
        guard number < SkyStore.messageLimit else { return .ignored }
        var total = body[10] &- UInt8(ascii: "0")
        guard total < 10 else { return .ignored }
        let second = body[11] &- UInt8(ascii: "0")
        if second < 10 { total = total &* 10 &+ second }
        let talker = UInt16(truncatingIfNeeded: body.word32(at: 0))
        // A last field of one character may be the signal.
        let signal =
            body[body.count &- 2] == UInt8(ascii: ",") && body.count > 13
            ? SkyStore.signal(of: body) : 0
        return keep(body, talker, signal, number, total)
    }

    /// A GSV with numbers in an unusual width, or without them.
    @inline(never)
    private mutating func keepOddGSV(_ body: Body) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        fields.skip()
        let number = fields.decimal(0)
        let total = fields.decimal(0)
        guard number >= 1, number <= SkyStore.messageLimit, total >= 0, total < 256 else {
            return .ignored
        }
        let talker = UInt16(truncatingIfNeeded: body.word32(at: 0))
        return keep(
            body, talker, SkyStore.signal(of: body), Int(number) - 1,
            UInt8(truncatingIfNeeded: total))
    }

    @inline(__always)
    private mutating func keep(
        _ body: Body, _ talker: UInt16, _ signal: UInt8, _ number: Int, _ total: UInt8
    ) -> Outcome {
        let index = slot(talker, signal)
        guard index < SkyStore.groupLimit else { return .ignored }
        if number == 0 {
            if groups[index].total != total || groups[index].messages == 0 { inViewCache = -1 }
            groups[index].total = total
            groups[index].messages = 0
        }
        groups[index].epoch = epoch
        groups[index].messages |= 1 &<< UInt16(truncatingIfNeeded: number)
        copy(body, to: index &* SkyStore.messageLimit &+ number)
        return .used
    }

    /// Keeps one GSA for the satellites it names, and says what it says.
    ///
    /// Often it is the one at this place in the epoch before again.
    @inline(__always)
    mutating func keepGSA(_ body: Body) -> GSA {
        if gsaEpoch != epoch {
            gsaEpoch = epoch
            gsaCount = 0
        }
        guard gsaCount < SkyStore.gsaLimit else { return GSA(body) }
        let slot = SkyStore.groupLimit * SkyStore.messageLimit &+ gsaCount
        defer { gsaCount &+= 1 }
        if holds(body, slot) { return gsas[gsaCount] }
        copy(body, to: slot)
        let gsa = GSA(body)
        gsas[gsaCount] = gsa
        return gsa
    }

    /// Whether the slot holds just this body.
    @inline(__always)
    private func holds(_ body: Body, _ slot: Int) -> Bool {
        let at = slot &* SkyStore.slotSize
        return unsafe bytes.withUnsafeBytes { raw in
            let kept = unsafe raw.baseAddress.unsafelyUnwrapped + at
            return unsafe Int(kept.load(as: UInt8.self)) == body.count
                && body.equals(kept + 1, body.count)
        }
    }

    /// The group of a talker and signal, a free or stale one for a new pair; the limit when all are
    /// taken.
    @inline(__always)
    private mutating func slot(_ talker: UInt16, _ signal: UInt8) -> Int {
        for index in 0..<SkyStore.groupLimit {
            if groups[index].talker == talker, groups[index].signal == signal { return index }
            if groups[index].talker == 0 { break }
        }
        return newSlot(talker, signal)
    }

    @inline(never)
    private mutating func newSlot(_ talker: UInt16, _ signal: UInt8) -> Int {
        for index in 0..<SkyStore.groupLimit where !isFresh(groups[index]) {
            groups[index] = Group(talker: talker, signal: signal)
            return index
        }
        return SkyStore.groupLimit
    }

    @inline(__always)
    private mutating func copy(_ body: Body, to slot: Int) {
        let count = min(body.count, SkyStore.slotSize - 16)
        let at = slot &* SkyStore.slotSize
        // `slot` is below the number of slots `bytes` was made for, by the guards of both callers;
        // a slot has room for `count` rounded up to sixteen, and its length byte.
        unsafe bytes.withUnsafeMutableBytes { raw in
            let target = unsafe raw.baseAddress.unsafelyUnwrapped + at
            unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
            unsafe body.copy(to: target + 1, count)
        }
    }

    /// The signal of a GSV: its last field when the satellites' fields do not come out in fours.
    @inline(never)
    private static func signal(of body: Body) -> UInt8 {
        var commas = 0
        for index in 0..<body.count where body[index] == UInt8(ascii: ",") { commas += 1 }
        // The name and three numbers are before the satellites.
        guard commas % 4 == 0 else { return 0 }
        guard body[body.count - 2] == UInt8(ascii: ",") else { return 0 }
        return Body.value(hex: body[body.count - 1]) ?? 0
    }
}
