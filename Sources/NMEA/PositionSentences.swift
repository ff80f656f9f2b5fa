import GNSS

/// What became of a sentence.
enum Outcome {
    /// It was understood and used.
    case used
    /// It carries nothing for a fix, or comes too late for one.
    case ignored
    /// Its fields are not what its name says.
    case malformed
}

extension NMEADecoder {
    /// Knots times 1e4 to metres per second: a nautical mile is 1852 m (BIPM, The International
    /// System of Units, table 8).
    private static var knots: Double { 1852.0 / 3600 / 10_000 }
    /// km/h times 1e4 to metres per second.
    private static var kilometresPerHour: Double { 1 / 3.6 / 10_000 }

    /// Recommended minimum: time, validity, position, speed, course, date.
    @inline(__always)
    mutating func rmc(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let time = fields.timeOfDay()
        let isValid = fields.letter() == UInt8(ascii: "A")
        guard isValid else { return voidRMC(time, fields, emit) }
        fields.position(&position)
        let speed = fields.decimal(4)
        let course = fields.decimal(3)
        guard time != -2, fields.hasNext, !position.latitude.isAbsent,
            !position.longitude.isAbsent
        else { return .malformed }
        let digits = fields.dateDigits()
        // A date without a time says nothing.
        let date = time < 0 ? nil : calendar.date(digits: digits)
        fields.skip(2)
        let mode = fields.letter()
        guard open(time, .rmc, date: date, emit) else { return .ignored }
        if let date { epoch.date = date }
        epoch.takePosition(position, time: time, of: body.talker)
        epoch.takeSpeed(speed, NMEADecoder.knots, course, overrides: true)
        // Valid by its status and not by its mode.
        if mode == UInt8(ascii: "N") { epoch.isVoid = true }
        epoch.takeStatus(FixStatus(letter: mode))
        return .used
    }

    /// An RMC that says there is no position; only its time and, with care, its date count.
    @inline(never)
    private mutating func voidRMC(
        _ time: Int32, _ fields: FieldCursor, _ emit: (Epoch) -> Void
    ) -> Outcome {
        var fields = fields
        fields.skip(6)
        guard time != -2, fields.hasNext else { return .malformed }
        let date = time < 0 ? nil : calendar.date(digits: fields.dateDigits())
        guard open(time, .rmc, date: date, isVoid: true, emit) else { return .ignored }
        if epoch.date == nil { epoch.date = date }
        epoch.isVoid = true
        return .used
    }

    /// Fix data: time, position, quality, satellites, HDOP, height.
    @inline(__always)
    mutating func gga(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let time = fields.timeOfDay()
        fields.position(&position)
        guard time != -2, fields.hasNext else { return .malformed }
        let quality = fields.letter()
        guard quality != 0, quality != UInt8(ascii: "0") else {
            guard open(time, .gga, isVoid: true, emit) else { return .ignored }
            epoch.isVoid = true
            return .used
        }
        let used = fields.count()
        let hdop = fields.decimal(3)
        guard fields.hasNext, !position.latitude.isAbsent,
            !position.longitude.isAbsent
        else { return .malformed }
        let altitude = fields.decimal(4)
        let altitudeUnit = fields.letter()
        let separation = fields.decimal(4)
        let separationUnit = fields.letter()
        guard open(time, .gga, emit) else { return .ignored }
        epoch.takePosition(position, time: time, of: body.talker)
        epoch.takeStatus(FixStatus(quality: quality))
        epoch.takeHeight(altitude, altitudeUnit, separation, separationUnit)
        if used >= 0 { epoch.satellitesUsed = used }
        if hdop > 0 { epoch.hdop = hdop }
        return .used
    }

    /// GNSS fix data: as GGA, with a mode letter for each constellation.
    mutating func gns(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let time = fields.timeOfDay()
        fields.position(&position)
        guard time != -2, fields.hasNext else { return .malformed }
        let modes = fields.range(in: body)
        var status: FixStatus?
        var isValid = false
        for index in modes where body[index] != UInt8(ascii: "N") {
            isValid = true
            guard let letter = FixStatus(letter: body[index]) else { continue }
            // Estimated for one constellation is not estimated as long as another is measured.
            if let known = status, !known.isEstimated,
                letter.isEstimated || letter.rawValue <= known.rawValue
            {
                continue
            }
            status = letter
        }
        guard isValid else {
            guard open(time, .gns, isVoid: true, emit) else { return .ignored }
            epoch.isVoid = true
            return .used
        }
        let used = fields.count()
        let hdop = fields.decimal(3)
        guard fields.hasNext, !position.latitude.isAbsent,
            !position.longitude.isAbsent
        else { return .malformed }
        let altitude = fields.decimal(4)
        let separation = fields.decimal(4)
        guard open(time, .gns, emit) else { return .ignored }
        epoch.takePosition(position, time: time, of: body.talker)
        epoch.takeStatus(status)
        epoch.takeHeight(altitude, UInt8(ascii: "M"), separation, UInt8(ascii: "M"))
        if used >= 0 { epoch.satellitesUsed = max(epoch.satellitesUsed, used) }
        if hdop > 0 { epoch.hdop = hdop }
        return .used
    }

    /// Geographic position: position, then time and validity, which old receivers leave out.
    mutating func gll(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        fields.position(&position)
        let time = fields.timeOfDay()
        let status = fields.letter()
        let mode = fields.letter()
        guard time != -2 else { return .malformed }
        guard status == UInt8(ascii: "A") || status == 0 else {
            guard open(time, .gll, isVoid: true, emit) else { return .ignored }
            epoch.isVoid = true
            return .used
        }
        guard !position.latitude.isAbsent, !position.longitude.isAbsent else {
            return .malformed
        }
        guard open(time, .gll, emit) else { return .ignored }
        epoch.takePosition(position, time: time, of: body.talker)
        epoch.takeStatus(FixStatus(letter: mode))
        return .used
    }

    /// u-blox position: `PUBX,00` with its own accuracy estimates.
    mutating func pubx00(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 8)
        let time = fields.timeOfDay()
        fields.position(&position)
        let height = fields.decimal(4)
        guard time != -2, fields.hasNext else { return .malformed }
        let state = fields.range(in: body)
        guard state.count == 2 else { return .malformed }
        let first = body[state.lowerBound]
        let second = body[state.lowerBound + 1]
        // NF: no fix; TT: time only.
        guard first != UInt8(ascii: "N"), first != UInt8(ascii: "T") else {
            guard open(time, .pubx, isVoid: true, emit) else { return .ignored }
            epoch.isVoid = true
            return .used
        }
        guard !position.latitude.isAbsent, !position.longitude.isAbsent else {
            return .malformed
        }
        let horizontal = fields.decimal(3)
        let vertical = fields.decimal(3)
        let speed = fields.decimal(4)
        let course = fields.decimal(3)
        let down = fields.decimal(3)
        fields.skip()
        let hdop = fields.decimal(3)
        let vdop = fields.decimal(3)
        let tdop = fields.decimal(3)
        let used = fields.count()
        guard open(time, .pubx, emit) else { return .ignored }
        epoch.takePosition(position, time: time, of: 0)
        epoch.takeSpeed(speed, NMEADecoder.kilometresPerHour, course, overrides: false)
        if height > -10_000_000_000, height < 10_000_000_000 { epoch.altitudeHAE = height }
        if used >= 0 { epoch.satellitesUsed = max(epoch.satellitesUsed, used) }
        if hdop > 0 { epoch.hdop = hdop }
        if vdop > 0 { epoch.vdop = vdop }
        var rare = epoch.rare ?? EpochState.Rare()
        if tdop > 0 { rare.tdop = tdop }
        if down > -10_000_000, down < 10_000_000 { rare.climb = Double(0 &- down) / 1000 }
        rare.takeErrors(
            horizontal: horizontal, ErrorScale.horizontal68, vertical: vertical,
            ErrorScale.sigma, isGST: false)
        epoch.rare = rare
        switch first {
        case UInt8(ascii: "D") where second == UInt8(ascii: "R"): epoch.takeStatus(.deadReckoning)
        case UInt8(ascii: "D"): epoch.takeStatus(.dgps)
        case UInt8(ascii: "R"): epoch.takeStatus(.gnssDeadReckoning)
        default: epoch.takeStatus(.gps)
        }
        if second == UInt8(ascii: "2") || second == UInt8(ascii: "3") {
            epoch.mode = max(epoch.mode, second - UInt8(ascii: "0"))
        }
        return .used
    }

    /// u-blox time of day and date: `PUBX,04`, as `hhmmss.ss,ddmmyy`.
    mutating func pubx04(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 8)
        let time = fields.timeOfDay()
        guard time != -2, fields.hasNext else { return .malformed }
        let digits = fields.dateDigits()
        guard time >= 0, let date = calendar.date(digits: digits) else { return .ignored }
        return take(date, at: time, emit)
    }

    /// Course and speed over ground, for epochs whose RMC is missing or lacks them.
    ///
    /// It has no time: it belongs to the position before it, as gpsd has it, so that a second one goes before the
    /// first. Nothing in a log tells that it leads: most that begin with it were begun within a cycle.
    @inline(__always)
    mutating func vtg(_ body: Body) -> Outcome {
        if epoch.seen.contains(.rmc), epoch.speed >= 0, epoch.course != FieldCursor.absent {
            return .used
        }
        return vtgNeeded(body)
    }

    @inline(never)
    private mutating func vtgNeeded(_ body: Body) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let course = fields.decimal(3)
        let letter = fields.letter()
        var speed: Int64
        var unit = NMEADecoder.knots
        if letter != UInt8(ascii: "T"), letter != 0 {
            // Before NMEA 2.0: true course, magnetic course, knots, km/h, without letters.
            fields = FieldCursor(body, from: 6)
            fields.skip(2)
            speed = fields.decimal(4)
        } else {
            fields.skip(2)
            speed = fields.decimal(4)
            fields.skip()
            let kilometres = fields.decimal(4)
            fields.skip()
            guard fields.letter() != UInt8(ascii: "N") else { return .used }
            if speed < 0 { (speed, unit) = (kilometres, NMEADecoder.kilometresPerHour) }
        }
        epoch.takeSpeed(speed, unit, course, overrides: !epoch.seen.contains(.rmc))
        return .used
    }
}
