import GNSS
import NMEA

/// One log of a replay: its bytes, its decoder, and the epochs that are decoded and not yet taken.
@safe final class ReplayLog {
    let reader: LogReader
    let format: LogFormat?
    private(set) var progress = ReplayProgress()
    /// Whether the last epoch was taken.
    var isEnded: Bool { ended && taken == epochs.count }

    /// Whether the log is a pipe that has nothing to give now.
    var isStarved: Bool { !ended && reader.input.isStarved }

    private let waits: Bool
    private var nmea: NMEADecoder?
    private var gpsd: GPSDDecoder?
    private let floor: UTCTime?
    private let devices: DeviceTable
    private var receivers: ReceiverChoice?
    /// Whether of several receivers on one line one makes the track.
    private let isOneWanted: Bool
    /// Fixes of others that were left out.
    private var others: Int64 = 0
    private var otherKind: OtherKind?
    private var digest = LogDigest()
    private var rest = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    private var epochs: [Epoch] = []
    private var taken = 0
    private var ended = false
    // The time that undated epochs are ordered by: the last one of those that were dropped.
    private var lastTime: UTCTime?

    /// Decoded in one go: few enough that the epochs stay in the cache.
    private static let sliceSize = 16 * 1024

    /// How long a pipe is looked into before it is replayed, tenths of a second.
    private static let patience = 30

    /// Opens a log and looks what it is.
    init(
        path: String, settings: ReplaySource.Settings, devices: DeviceTable
    ) throws(ReplayError) {
        reader = try LogReader(path: path)
        let kind: LogKind =
            if let format = settings.format { .log(format) } else { try reader.kind() }
        switch kind {
        case .empty: format = nil
        case .other(let name):
            throw ReplayError.notALog(path: reader.input.path, looksLike: name)
        case .log(let format): self.format = format
        }
        try reader.rewind()
        waits = settings.waits
        isOneWanted = settings.choice != nil
        floor = settings.nmea.floor
        self.devices = devices
        if kind == .log(.gpsd) { receivers = ReceiverChoice(settings) }
        otherKind = format.map(OtherKind.init(besides:))
        switch format {
        case .nmea?:
            var nmeaSettings = settings.nmea
            if nmeaSettings.startDay == nil { nmeaSettings.startDay = try findStartDay(settings) }
            nmea = NMEADecoder(nmeaSettings)
        case .gpsd?:
            do throws(GPSDLibraryError) {
                gpsd = try GPSDDecoder(table: devices)
                gpsd?.onReport = { [unowned self] report in
                    guard case .device(let device) = report, !device.isActive else { return }
                    receivers?.lost(device.path, of: devices)
                }
            } catch {
                throw ReplayError.library(error)
            }
        case nil: break
        }
    }

    /// The time of the next epoch and of the one behind it, whichever is earlier; `nil` when none is dated.
    ///
    /// One epoch with a wild time must not hold the rest of its log back behind all others.
    func nextTime() throws(ReplayError) -> UTCTime? {
        try fill(toHold: 2)
        var earliest: UTCTime?
        var place = taken
        while place < epochs.count, place < taken + 2 || earliest == nil {
            if let time = epochs[place].time, time < earliest ?? time || earliest == nil {
                earliest = time
            }
            place += 1
        }
        return earliest ?? epochs[..<taken].last { $0.time != nil }?.time ?? lastTime
    }

    /// Takes the next epoch; false at the end, or when the log is starved.
    func take(into epoch: inout Epoch) throws(ReplayError) -> Bool {
        while true {
            try fill(toHold: 1)
            guard taken < epochs.count else { return false }
            epoch = epochs[taken]
            taken += 1
            guard case .fix(let fix) = epoch else { return true }
            if nmea == nil || fix.device == 0 || !isOneWanted {
                progress.fixes += 1
                return true
            }
            others += 1
        }
    }

    /// What was read, without what is decoded already and not yet taken.
    var counts: InputCounts { nmea?.counts ?? gpsd?.counts ?? InputCounts() }

    /// What a person should know of it, as far as it was read.
    var warnings: [ReplayWarning] {
        var warnings = reader.warning.map { [$0] } ?? []
        if let format, let lines = otherKind?.lines, lines > 0 {
            warnings.append(.otherKind(path: reader.input.path, lines: lines, format: format))
        }
        if others > 0, let talker = nmea?.otherTalker {
            warnings.append(
                .otherTalker(path: reader.input.path, fixes: others, talker: talker))
        }
        if let left = receivers?.left(devices), left.fixes > 0 {
            warnings.append(
                .otherReceivers(path: reader.input.path, fixes: left.fixes, names: left.names))
        }
        return warnings
    }

    /// The satellites last seen.
    var sky: SkyView { nmea?.sky ?? gpsd?.sky ?? SkyView() }

    /// Reads the first bytes of the log again and again: the digest at each of `lengths`, in their order.
    ///
    /// - Returns: as many digests as the log has bytes for; `lengths` rise.
    func digests(at lengths: [Int64]) throws(ReplayError) -> [UInt64] {
        var digests: [UInt64] = []
        var digest = LogDigest()
        // A pipe that is still written may be long in giving as much.
        reader.input.patience = .tenths(ReplayLog.patience)
        defer { reader.input.patience = .forever }
        while digests.count < lengths.count {
            var block = try unsafe reader.next()
            if unsafe block.isEmpty { break }
            while digests.count < lengths.count,
                lengths[digests.count] - digest.count <= Int64(block.count)
            {
                let count = Int(max(0, lengths[digests.count] - digest.count))
                unsafe digest.update(UnsafeRawBufferPointer(rebasing: block[..<count]))
                unsafe block = UnsafeRawBufferPointer(rebasing: block[count...])
                digests.append(digest.value)
            }
            unsafe digest.update(block)
        }
        try reader.rewind()
        return digests
    }

    private func fill(toHold count: Int) throws(ReplayError) {
        while !ended, epochs.count - taken < count {
            lastTime = epochs[..<taken].last { $0.time != nil }?.time ?? lastTime
            if taken == epochs.count {
                epochs.removeAll(keepingCapacity: true)
            } else {
                epochs.removeFirst(taken)
            }
            taken = 0
            try decodeSlice()
            if isStarved { return }
        }
    }

    private func decodeSlice() throws(ReplayError) {
        if unsafe rest.isEmpty {
            reader.input.keepsRead = false
            reader.input.patience = waits ? .forever : .none
            unsafe rest = try unsafe reader.next()
            if unsafe rest.isEmpty, reader.input.isStarved { return }
        }
        // The decoder appends to an array that nothing else refers to.
        var epochs = epochs
        self.epochs = []
        let slice = unsafe UnsafeRawBufferPointer(
            rebasing: rest.prefix(ReplayLog.sliceSize))
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[slice.count...])
        if unsafe slice.isEmpty {
            ended = true
            nmea?.finish { epochs.append($0) }
            gpsd?.finish { admit($0) { epochs.append($0) } }
            otherKind?.finish()
        } else {
            unsafe otherKind?.look(slice)
            unsafe digest.update(slice)
            progress.bytes = digest.count
            progress.digest = digest.value
            unsafe nmea?.decode(slice) { epochs.append($0) }
            if let gpsd { unsafe decode(slice, gpsd) { epochs.append($0) } }
        }
        self.epochs = epochs
    }

    private func decode(
        _ slice: UnsafeRawBufferPointer, _ gpsd: GPSDDecoder, _ emit: (Epoch) -> Void
    ) {
        guard unsafe slice.contains(0) else {
            return unsafe gpsd.decode(slice) { admit($0, emit) }
        }
        // UTF-16, as some shells redirect, is ASCII with NULs between.
        let text = unsafe slice.filter { $0 != 0 }
        unsafe text.withUnsafeBytes { unsafe gpsd.decode($0) { admit($0, emit) } }
    }

    /// Passes an epoch on unless it is a fix of a receiver that does not make the track.
    private func admit(_ epoch: Epoch, _ emit: (Epoch) -> Void) {
        let epoch = dated(epoch)
        if case .fix(let fix) = epoch, receivers?.admits(fix, of: devices) == false { return }
        emit(epoch)
    }

    private func dated(_ epoch: Epoch) -> Epoch {
        guard let floor, case .fix(var fix) = epoch else { return epoch }
        RolloverRepair.snap(&fix, floor: floor)
        return .fix(fix)
    }

    /// The day of an undated beginning, from the first date in the log's head.
    private func findStartDay(_ settings: ReplaySource.Settings) throws(ReplayError) -> Int64? {
        var finder = StartDayFinder(settings.nmea)
        var left = settings.headSize
        reader.input.patience = .tenths(ReplayLog.patience)
        defer { reader.input.patience = .forever }
        while left > 0 {
            let block = try unsafe reader.next()
            left -= block.count
            if unsafe block.isEmpty {
                finder.finish()
                break
            }
            if unsafe finder.scan(block) { break }
        }
        try reader.rewind()
        return finder.startDay
    }
}

extension Epoch {
    /// The time it is for; `nil` while the date is unknown.
    var time: UTCTime? {
        switch self {
        case .fix(let fix): fix.time
        case .noFix(let time): time
        }
    }
}
