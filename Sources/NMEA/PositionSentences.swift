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
        epoch.takePosition(position.latitude, position.longitude)
        epoch.takeSpeed(speed, NMEADecoder.knots, course, overrides: true)
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
        guard open(time, .rmc, date: date, emit) else { return .ignored }
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
            guard open(time, .gga, emit) else { return .ignored }
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
        epoch.takePosition(position.latitude, position.longitude)
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
            guard open(time, .gns, emit) else { return .ignored }
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
        epoch.takePosition(position.latitude, position.longitude)
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
            guard open(time, .gll, emit) else { return .ignored }
            epoch.isVoid = true
            return .used
        }
        guard !position.latitude.isAbsent, !position.longitude.isAbsent else {
            return .malformed
        }
        guard open(time, .gll, emit) else { return .ignored }
        epoch.takePosition(position.latitude, position.longitude)
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
            guard open(time, .pubx, emit) else { return .ignored }
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
        epoch.takePosition(position.latitude, position.longitude)
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

    /// Course and speed over ground, for epochs whose RMC is missing or lacks them.
    ///
    /// It has no time: it belongs to the position before it, so that a second one goes before the
    /// first.
    @inline(__always)
    mutating func vtg(_ body: Body) -> Outcome {
        if epoch.seen.contains(.rmc), epoch.speed >= 0, epoch.course != FieldCursor.absent {
            return .used
        }
        return vtgNeeded(body)
    }

    @inline(never)
    private mutating func vtgNeeded(_ body: Body) -> Outcome {
        let overrides = !epoch.seen.contains(.rmc)
        var fields = FieldCursor(body, from: 6)
        let course = fields.decimal(3)
        let unit = fields.letter()
        if unit != UInt8(ascii: "T"), unit != 0 {
            // Before NMEA 2.0: true course, magnetic course, knots, km/h, without letters.
            fields = FieldCursor(body, from: 6)
            fields.skip(2)
            let speed = fields.decimal(4)
            epoch.takeSpeed(speed, NMEADecoder.knots, course, overrides: overrides)
            return .used
        }
        fields.skip(2)
        let knots = fields.decimal(4)
        fields.skip()
        let kilometres = fields.decimal(4)
        fields.skip()
        guard fields.letter() != UInt8(ascii: "N") else { return .used }
        if knots >= 0 {
            epoch.takeSpeed(knots, NMEADecoder.knots, course, overrides: overrides)
        } else {
            epoch.takeSpeed(
                kilometres, NMEADecoder.kilometresPerHour, course, overrides: overrides)
        }
        return .used
    }
}

extension EpochState {
    /// Takes speed and course; RMC's go before those of other sentences.
    @inline(__always)
    mutating func takeSpeed(
        _ value: Int64, _ unit: Double, _ course: Int64, overrides: Bool
    ) {
        // 1e8: ten thousand knots or km/h, above any receiver's limit.
        if value >= 0, value < 100_000_000, overrides || speed < 0 {
            speed = Double(value) * unit
        }
        if course >= 0, course <= 360_000, overrides || self.course == FieldCursor.absent {
            self.course = course == 360_000 ? 0 : course
        }
    }

    /// Takes heights in 1e-4 of their unit: metres, or feet where a receiver says so.
    @inline(__always)
    mutating func takeHeight(
        _ altitude: Int64, _ altitudeUnit: UInt8, _ separation: Int64, _ separationUnit: UInt8
    ) {
        let altitude = EpochState.metres(altitude, altitudeUnit)
        // A thousand kilometres up or down.
        if altitude > -10_000_000_000, altitude < 10_000_000_000 { self.altitude = altitude }
        let separation = EpochState.metres(separation, separationUnit)
        // The geoid stays within 110 m of the ellipsoid (NIMA TR8350.2, section 6).
        if separation > -2_000_000, separation < 2_000_000 { self.separation = separation }
    }

    @inline(__always)
    private static func metres(_ value: Int64, _ unit: UInt8) -> Int64 {
        guard unit | 0x20 == UInt8(ascii: "f"), value != FieldCursor.absent else { return value }
        return value &* 3048 / 10_000
    }
}

extension FixStatus {
    /// The status of a mode letter (NMEA 0183 2.3 and later); `nil` for N, unknown ones and none.
    @inline(__always)
    init?(letter: UInt8) {
        switch letter {
        case UInt8(ascii: "A"): self = .gps
        case UInt8(ascii: "D"), UInt8(ascii: "P"): self = .dgps
        case UInt8(ascii: "R"): self = .rtkFixed
        case UInt8(ascii: "F"): self = .rtkFloat
        case UInt8(ascii: "E"): self = .deadReckoning
        case UInt8(ascii: "M"): self = .surveyed
        case UInt8(ascii: "S"): self = .simulated
        default: return nil
        }
    }

    /// The status of GGA's quality digit.
    @inline(__always)
    init?(quality: UInt8) {
        switch quality {
        case UInt8(ascii: "1"): self = .gps
        case UInt8(ascii: "2"), UInt8(ascii: "9"): self = .dgps
        case UInt8(ascii: "3"): self = .py
        case UInt8(ascii: "4"): self = .rtkFixed
        case UInt8(ascii: "5"): self = .rtkFloat
        case UInt8(ascii: "6"): self = .deadReckoning
        case UInt8(ascii: "7"): self = .surveyed
        case UInt8(ascii: "8"): self = .simulated
        default: return nil
        }
    }
}
