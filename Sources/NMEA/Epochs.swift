import GNSS

/// The last few epochs handed over, to know what comes late for them.
struct EmittedEpochs {
    private var times = SIMD4<Int32>(repeating: -1)
    private var seen: InlineArray<4, EpochState.Sentences> = InlineArray(repeating: [])
    private var days: InlineArray<4, Int64?> = InlineArray(repeating: nil)
    private var latitudes = SIMD4<Int64>(repeating: 0)
    private var longitudes = SIMD4<Int64>(repeating: 0)
    private var last = 0

    /// Notes an epoch that was handed over.
    @inline(__always)
    mutating func add(_ epoch: borrowing EpochState, day: Int64?) {
        guard epoch.timeOfDay >= 0 else { return }
        last = (last &+ 1) & 3
        times[last] = epoch.timeOfDay
        seen[last] = epoch.seen
        days[last] = day
        latitudes[last] = epoch.latitude
        longitudes[last] = epoch.longitude
    }

    /// Whether a sentence belongs to an epoch that was handed over already, within a minute.
    ///
    /// Of the last epoch that is any sentence with its time, but one that had its say and is at another place now;
    /// of those before only kinds it did not have yet: a kind it had is a new measurement of a receiver whose time
    /// stepped back.
    ///
    /// - Parameters:
    ///   - now: the time of day of the epoch at hand, -1 when it has none.
    ///   - place: the sentence's position; `nil` when it says that there is none.
    @inline(__always)
    func isLate(
        timeOfDay: Int32, _ sentence: EpochState.Sentences, date: Calendar.Date?, now: Int32,
        place: KnownPosition?
    ) -> Bool {
        let isUsual = times .!= SIMD4(repeating: timeOfDay)
        return !all(isUsual) && isKnown(timeOfDay, sentence, date, now, place)
    }

    @inline(never)
    private func isKnown(
        _ timeOfDay: Int32, _ sentence: EpochState.Sentences, _ date: Calendar.Date?, _ now: Int32,
        _ place: KnownPosition?
    ) -> Bool {
        let now = now >= 0 ? now : times[last]
        let apart = abs(now &- timeOfDay)
        guard min(apart, 86_400_000 &- apart) < 60_000 else { return false }
        for index in 0..<4 where times[index] == timeOfDay {
            if let date, let day = days[index], date.day != day { continue }
            if seen[index].isDisjoint(with: sentence) { return true }
            guard index == last else { continue }
            guard !sentence.isDisjoint(with: .positions), let place, !place.latitude.isAbsent,
                !place.longitude.isAbsent
            else { return true }
            let unit = EpochState.lastPlace(
                min(place.latitude.decimals, place.longitude.decimals))
            if abs(latitudes[index] &- place.latitude.value) <= unit,
                abs(longitudes[index] &- place.longitude.value) <= unit
            {
                return true
            }
        }
        return false
    }
}

extension NMEADecoder {
    /// Finds the epoch of a sentence, closing the one before when it is another; `false` when it
    /// comes too late.
    ///
    /// - Parameters:
    ///   - time: of the sentence, milliseconds since midnight, -1 when it gave none.
    ///   - sentence: its kind, which is noted.
    ///   - date: its date.
    ///   - isVoid: whether it says that there is no position.
    @inline(__always)
    mutating func open(
        _ time: Int32, _ sentence: EpochState.Sentences, date: Calendar.Date? = nil,
        isVoid: Bool = false, _ emit: (Epoch) -> Void
    ) -> Bool {
        if time < 0 || time != epoch.timeOfDay || !epoch.seen.isDisjoint(with: sentence) {
            guard openOther(time, sentence, date: date, isVoid ? nil : position, emit) else {
                return false
            }
        }
        epoch.seen.insert(sentence)
        return true
    }

    @inline(never)
    private mutating func openOther(
        _ time: Int32, _ sentence: EpochState.Sentences, date: Calendar.Date?,
        _ place: KnownPosition?, _ emit: (Epoch) -> Void
    ) -> Bool {
        if time < 0 {
            // Without a time it belongs to the epoch at hand, unless that has its kind already.
            if epoch.seen.isDisjoint(with: sentence) { return true }
            // The same again, as multiplexers send it, is not measured again where measurements have times.
            if epoch.hasTimedPosition, let place, epoch.isAt(place) { return false }
            return openNext(-1, emit)
        }
        if time == epoch.timeOfDay {
            guard !epoch.seen.isDisjoint(with: sentence) else { return true }
            // The same kind again: another measurement only when the date says so.
            if let date, let known = epoch.date, date.day != known.day {
                return openNext(time, emit)
            }
            // At another place it is of a clock that stands still, or of another receiver: as gpsd's reports are
            // read, the first stays.
            guard !sentence.isDisjoint(with: .positions), let place, !place.latitude.isAbsent,
                !place.longitude.isAbsent, epoch.isFix, !epoch.isAt(place)
            else { return true }
            epoch.isConflict = true
            return false
        }
        if epoch.timeOfDay >= 0, abs(time &- epoch.timeOfDay) <= NMEADecoder.rounding,
            epoch.seen.isDisjoint(with: sentence)
        {
            // One sentence has milliseconds and the next hundredths, as Magellan's GLL and GGA; gpsd goes by the last.
            epoch.timeOfDay = time
            return true
        }
        if epoch.timeOfDay < 0, epoch.seen.isDisjoint(with: .positions) {
            // Sentences without a time came first; nothing was measured before.
            if emitted.isLate(
                timeOfDay: time, sentence, date: date, now: epoch.timeOfDay, place: place)
            {
                return false
            }
            epoch.timeOfDay = time
            return true
        }
        if emitted.isLate(
            timeOfDay: time, sentence, date: date, now: epoch.timeOfDay, place: place)
        {
            return false
        }
        return openNext(time, emit)
    }

    /// Half a hundredth of a second, to which sentences round one time differently, milliseconds.
    private static let rounding: Int32 = 5

    private mutating func openNext(_ time: Int32, _ emit: (Epoch) -> Void) -> Bool {
        closeEpoch(emit)
        epoch = EpochState()
        epoch.timeOfDay = time
        return true
    }

    /// Hands over the epoch at hand, if its sentences said whether there is a position.
    mutating func closeEpoch(_ emit: (Epoch) -> Void) {
        guard epoch.isFix || epoch.isVoid || epoch.date != nil else { return }
        let isNull = epoch.isFix && epoch.latitude == 0 && epoch.longitude == 0
        let settled = calendar.settle(
            timeOfDay: epoch.timeOfDay, date: epoch.date, isFix: epoch.isFix, isTrusted: !isNull)
        guard epoch.isFix || epoch.isVoid else { return }
        emitted.add(epoch, day: settled.day)
        var time: UTCTime?
        if epoch.timeOfDay >= 0, let day = settled.day {
            time = UTCTime(milliseconds: day &* 86_400_000 &+ Int64(epoch.timeOfDay))
        }
        skyStore.endEpoch(time)
        if epoch.isFix {
            counts.fixes &+= 1
            fill(time, settled)
            outgoing.device = companions.isOther(epoch) ? 1 : 0
            emit(.fix(outgoing))
        } else {
            counts.noFixes &+= 1
            emit(.noFix(time))
        }
    }

    /// Puts the epoch at hand into ``outgoing``, in degrees and metres.
    ///
    /// A fix is large: it is filled in where it lies, and what hardly any epoch has is left alone.
    @inline(__always)
    private mutating func fill(_ time: UTCTime?, _ settled: Calendar.Settled) {
        outgoing.time = time
        outgoing.timeOfDay = epoch.timeOfDay >= 0 ? epoch.timeOfDay : nil
        // One rounding, in the division.
        outgoing.latitude = Double(epoch.latitude) / Double(Coordinate.degree)
        outgoing.longitude = Double(epoch.longitude) / Double(Coordinate.degree)
        // GSA tells the mode; without it a height says three dimensions.
        let msl = epoch.altitude
        let hae = epoch.altitudeHAE
        let hasHeight = msl != FieldCursor.absent || hae != FieldCursor.absent
        outgoing.mode = epoch.mode == 3 || epoch.mode != 2 && hasHeight ? .threeD : .twoD
        outgoing.status = epoch.status
        outgoing.altitudeMSL = scaled(msl, 10_000)
        outgoing.geoidSeparation = scaled(epoch.separation, 10_000)
        if hae == FieldCursor.absent, msl != FieldCursor.absent,
            epoch.separation != FieldCursor.absent
        {
            outgoing.altitudeHAE = Double(msl &+ epoch.separation) / 10_000
        } else {
            outgoing.altitudeHAE = scaled(hae, 10_000)
        }
        outgoing.speed = epoch.speed >= 0 ? epoch.speed : nil
        outgoing.course = scaled(epoch.course, 1000)
        outgoing.dop.hdop = scaled(epoch.hdop, 1000)
        outgoing.dop.vdop = scaled(epoch.vdop, 1000)
        outgoing.dop.pdop = scaled(epoch.pdop, 1000)
        let used =
            epoch.satellitesUsed < 0 && epoch.satellitesNamed > 0
            ? epoch.satellitesNamed : epoch.satellitesUsed
        outgoing.satellitesUsed = used >= 0 ? UInt8(truncatingIfNeeded: min(used, 255)) : nil
        outgoing.satellitesSeen = skyStore.inView
        if epoch.rare != nil || hasOutgoingRare { fillRare() }
        outgoing.notes = []
        outgoing.rolloverEras = 0
        if epoch.isConflict || epoch.isVoid || isOtherDatum || epoch.mode == 1
            || epoch.timeOfDay >= 86_400_000 || settled.isBackfilled || settled.eras != 0
        {
            note(time, settled)
        }
    }

    @inline(never)
    private mutating func fillRare() {
        hasOutgoingRare = epoch.rare != nil
        let rare = epoch.rare ?? EpochState.Rare()
        outgoing.dop.tdop = scaled(rare.tdop, 1000)
        outgoing.climb = rare.climb
        outgoing.heading = rare.heading
        outgoing.errors = rare.errors
    }

    @inline(never)
    private mutating func note(_ time: UTCTime?, _ settled: Calendar.Settled) {
        var notes = FixFlags()
        if epoch.isConflict || epoch.isVoid || epoch.mode == 1 { notes.insert(.conflict) }
        if isOtherDatum { notes.insert(.otherDatum) }
        if epoch.timeOfDay >= 86_400_000 { notes.insert(.leapSecond) }
        if time != nil {
            if settled.isBackfilled { notes.insert(.dateBackfilled) }
            if settled.eras != 0 { notes.insert(.rolloverFixed) }
            outgoing.rolloverEras = settled.eras
        }
        outgoing.notes = notes
    }

    @inline(__always)
    private func scaled(_ value: Int64, _ scale: Double) -> Double? {
        value == FieldCursor.absent ? nil : Double(value) / scale
    }
}
