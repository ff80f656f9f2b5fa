import GNSS

/// The last few epochs handed over, to know what comes late for them.
struct EmittedEpochs {
    private var times = SIMD4<Int32>(repeating: -1)
    private var seen: InlineArray<4, EpochState.Sentences> = InlineArray(repeating: [])
    private var days: InlineArray<4, Int64?> = InlineArray(repeating: nil)
    private var last = 0

    /// Notes an epoch that was handed over.
    @inline(__always)
    mutating func add(timeOfDay: Int32, seen: EpochState.Sentences, day: Int64?) {
        guard timeOfDay >= 0 else { return }
        last = (last &+ 1) & 3
        times[last] = timeOfDay
        self.seen[last] = seen
        days[last] = day
    }

    /// Whether a sentence belongs to an epoch that was handed over already.
    ///
    /// Of the last epoch that is any sentence with its time; of those before only kinds it did not
    /// have yet, because a kind it had is a new measurement of a receiver whose time stepped back.
    @inline(__always)
    func isLate(
        timeOfDay: Int32, _ sentence: EpochState.Sentences, date: Calendar.Date?
    ) -> Bool {
        let isUsual = times .!= SIMD4(repeating: timeOfDay)
        return !all(isUsual) && isKnown(timeOfDay, sentence, date)
    }

    @inline(never)
    private func isKnown(
        _ timeOfDay: Int32, _ sentence: EpochState.Sentences, _ date: Calendar.Date?
    ) -> Bool {
        for index in 0..<4 where times[index] == timeOfDay {
            if let date, let day = days[index], date.day != day { continue }
            if index == last || seen[index].isDisjoint(with: sentence) { return true }
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
    @inline(__always)
    mutating func open(
        _ time: Int32, _ sentence: EpochState.Sentences, date: Calendar.Date? = nil,
        _ emit: (Epoch) -> Void
    ) -> Bool {
        if time < 0 || time != epoch.timeOfDay || !epoch.seen.isDisjoint(with: sentence) {
            guard openOther(time, sentence, date: date, emit) else { return false }
        }
        epoch.seen.insert(sentence)
        return true
    }

    @inline(never)
    private mutating func openOther(
        _ time: Int32, _ sentence: EpochState.Sentences, date: Calendar.Date?,
        _ emit: (Epoch) -> Void
    ) -> Bool {
        if time < 0 {
            // Without a time it belongs to the epoch at hand, unless that has its kind already.
            if epoch.seen.isDisjoint(with: sentence) { return true }
            return openNext(-1, emit)
        }
        if time == epoch.timeOfDay {
            // The same kind again: another measurement only when the date says so.
            guard epoch.seen.contains(sentence), let date, let known = epoch.date,
                date.day != known.day
            else { return true }
            return openNext(time, emit)
        }
        if epoch.timeOfDay < 0, epoch.seen.isDisjoint(with: .positions) {
            // Sentences without a time came first; nothing was measured before.
            if emitted.isLate(timeOfDay: time, sentence, date: date) { return false }
            epoch.timeOfDay = time
            return true
        }
        if emitted.isLate(timeOfDay: time, sentence, date: date) { return false }
        return openNext(time, emit)
    }

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
        emitted.add(timeOfDay: epoch.timeOfDay, seen: epoch.seen, day: settled.day)
        var time: UTCTime?
        if epoch.timeOfDay >= 0, let day = settled.day {
            time = UTCTime(milliseconds: day &* 86_400_000 &+ Int64(epoch.timeOfDay))
        }
        skyStore.endEpoch(time)
        if epoch.isFix {
            counts.fixes &+= 1
            emit(.fix(fix(at: time, settled)))
        } else {
            counts.noFixes &+= 1
            emit(.noFix(time))
        }
    }

    /// The epoch at hand in degrees and metres.
    @inline(__always)
    private mutating func fix(at time: UTCTime?, _ settled: Calendar.Settled) -> Fix {
        // GSA tells; without it a height says three dimensions.
        let hasHeight =
            epoch.altitude != FieldCursor.absent || epoch.altitudeHAE != FieldCursor.absent
        let mode: FixMode =
            epoch.mode >= 2
            ? (epoch.mode == 3 ? .threeD : .twoD) : (hasHeight ? .threeD : .twoD)
        var fix = Fix(
            time: time,
            // One rounding, in the division.
            latitude: Double(epoch.latitude) / 6_000_000_000,
            longitude: Double(epoch.longitude) / 6_000_000_000, mode: mode)
        if epoch.timeOfDay >= 0 { fix.timeOfDay = epoch.timeOfDay }
        fix.status = epoch.status
        if hasHeight {
            let msl = epoch.altitude
            if msl != FieldCursor.absent {
                fix.altitudeMSL = Double(msl) / 10_000
                if epoch.separation != FieldCursor.absent {
                    fix.altitudeHAE = Double(msl &+ epoch.separation) / 10_000
                }
            }
            if epoch.altitudeHAE != FieldCursor.absent {
                fix.altitudeHAE = Double(epoch.altitudeHAE) / 10_000
            }
        }
        fix.geoidSeparation = scaled(epoch.separation, 10_000)
        if epoch.speed >= 0 { fix.speed = epoch.speed }
        fix.course = scaled(epoch.course, 1000)
        fix.dop.hdop = scaled(epoch.hdop, 1000)
        fix.dop.vdop = scaled(epoch.vdop, 1000)
        fix.dop.pdop = scaled(epoch.pdop, 1000)
        if epoch.satellitesUsed >= 0 {
            fix.satellitesUsed = UInt8(truncatingIfNeeded: epoch.satellitesUsed)
        } else if epoch.seen.contains(.gsa) {
            fix.satellitesUsed = UInt8(clamping: epoch.satellitesNamed)
        }
        fix.satellitesSeen = skyStore.inView
        if let rare = epoch.rare {
            fix.dop.tdop = scaled(rare.tdop, 1000)
            fix.climb = rare.climb
            fix.heading = rare.heading
            fix.errors = rare.errors
        }
        if epoch.isConflict || epoch.isVoid || epoch.mode == 1 { fix.notes.insert(.conflict) }
        if isOtherDatum { fix.notes.insert(.otherDatum) }
        if epoch.timeOfDay >= 86_400_000 { fix.notes.insert(.leapSecond) }
        if settled.isBackfilled, time != nil { fix.notes.insert(.dateBackfilled) }
        if settled.eras != 0, time != nil {
            fix.notes.insert(.rolloverFixed)
            fix.rolloverEras = settled.eras
        }
        return fix
    }

    @inline(__always)
    private func scaled(_ value: Int64, _ scale: Double) -> Double? {
        value == FieldCursor.absent ? nil : Double(value) / scale
    }
}
