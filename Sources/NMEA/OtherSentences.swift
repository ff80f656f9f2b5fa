import GNSS

/// Factors from what receivers print to radii at 95 %, for a circular normal error horizontally.
enum ErrorScale {
    /// One standard deviation to 95 % in one dimension: the normal distribution's 0.975 quantile.
    static let sigma = 1.959_964
    /// One standard deviation of each axis to the radius that holds 95 %: sqrt(-2 ln 0.05).
    static let horizontalSigma = 2.447_747
    /// A radius that holds 68 % to one that holds 95 %: sqrt(ln 0.05 / ln 0.32), for u-blox's hAcc.
    static let horizontal68 = 1.621_483
    /// A radius that holds 50 % (CEP) to one that holds 95 %: sqrt(ln 0.05 / ln 0.5).
    ///
    /// Garmin's HPE is taken for a CEP, as gpsd does; Garmin does not say.
    static let horizontal50 = 2.078_944
    /// 50 % to 95 % in one dimension: 1.959964 / 0.674490.
    static let vertical50 = 2.905_847
}

extension NMEADecoder {
    /// Time and date: UTC, whatever the local zone in the last fields.
    mutating func zda(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let time = fields.timeOfDay()
        let day = fields.decimal(0)
        let month = fields.decimal(0)
        guard time != -2, fields.hasNext else { return .malformed }
        let year = fields.decimal(0)
        guard time >= 0, day > 0, month > 0, year >= 0 else { return .ignored }
        guard day < 32, month < 13, year < 10_000,
            let date = calendar.date(day: Int(day), month: Int(month), year: Int(year))
        else { return .malformed }
        return take(date, at: time, emit)
    }

    /// Takes the date of a sentence that has no position.
    mutating func take(
        _ date: Calendar.Date, at time: Int32, _ emit: (Epoch) -> Void
    ) -> Outcome {
        // Receivers that measure off the second send ZDA for the second itself: that is the same
        // epoch.
        let lag = epoch.timeOfDay - time
        if lag > 0, lag < 1000 {
            epoch.seen.insert(.zda)
        } else {
            guard open(time, .zda, date: date, emit) else { return .ignored }
        }
        if epoch.date == nil || epoch.isVoid { epoch.date = date }
        return .used
    }

    /// Pseudorange error statistics: standard deviations of the axes.
    mutating func gst(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let time = fields.timeOfDay()
        guard time != -2, fields.hasNext else { return .malformed }
        fields.skip(4)
        return errors(fields, time, .gst, emit)
    }

    /// Satellite fault detection: expected errors of the axes.
    mutating func gbs(_ body: Body, _ emit: (Epoch) -> Void) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let time = fields.timeOfDay()
        guard time != -2, fields.hasNext else { return .malformed }
        return errors(fields, time, .gbs, emit)
    }

    private mutating func errors(
        _ fields: FieldCursor, _ time: Int32, _ sentence: EpochState.Sentences,
        _ emit: (Epoch) -> Void
    ) -> Outcome {
        var fields = fields
        let north = fields.decimal(3)
        let east = fields.decimal(3)
        let up = fields.decimal(3)
        guard open(time, sentence, emit) else { return .ignored }
        var horizontal = FieldCursor.absent
        if north > 0, east > 0 {
            // Both axes' mean variance; exact when they are equal.
            let n = Double(north)
            let e = Double(east)
            horizontal = Int64((((n * n + e * e) / 2).squareRoot()).rounded())
        }
        var rare = epoch.rare ?? EpochState.Rare()
        rare.takeErrors(
            horizontal: horizontal, ErrorScale.horizontalSigma, vertical: up, ErrorScale.sigma,
            isGST: sentence == .gst)
        epoch.rare = rare
        return .used
    }

    /// Garmin's estimated position error.
    mutating func pgrme(_ body: Body) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let horizontal = fields.decimal(3)
        guard fields.letter() == UInt8(ascii: "M") else { return .malformed }
        let vertical = fields.decimal(3)
        var rare = epoch.rare ?? EpochState.Rare()
        rare.takeErrors(
            horizontal: horizontal, ErrorScale.horizontal50, vertical: vertical,
            ErrorScale.vertical50, isGST: false)
        epoch.rare = rare
        return .used
    }

    /// True heading: HDT (`heading,T`) and THS (`heading,mode`, V for invalid).
    mutating func heading(_ body: Body) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let heading = fields.decimal(3)
        guard fields.letter() != UInt8(ascii: "V"), heading >= 0, heading <= 360_000 else {
            return .ignored
        }
        var rare = epoch.rare ?? EpochState.Rare()
        rare.heading = heading == 360_000 ? 0 : Double(heading) / 1000
        epoch.rare = rare
        return .used
    }

    /// The datum of the positions from here on.
    mutating func dtm(_ body: Body) -> Outcome {
        var fields = FieldCursor(body, from: 6)
        let datum = fields.range(in: body)
        guard datum.count > 0 else { return .ignored }
        let isWGS84 =
            datum.count == 3 && body[datum.lowerBound] == UInt8(ascii: "W")
            && body[datum.lowerBound + 1] == UInt8(ascii: "8")
            && body[datum.lowerBound + 2] == UInt8(ascii: "4")
        isOtherDatum = !isWGS84
        return .used
    }

    /// Mode, satellites used and dilution of precision; one sentence for each constellation.
    @inline(__always)
    mutating func gsa(_ body: Body) -> Outcome {
        epoch.take(skyStore.keepGSA(body))
        return .used
    }
}

extension EpochState.Rare {
    /// Takes error estimates in millimetres with their factors to 95 %; 0 and less is unknown.
    mutating func takeErrors(
        horizontal: Int64, _ horizontalScale: Double, vertical: Int64, _ verticalScale: Double,
        isGST: Bool
    ) {
        if hasGST, !isGST { return }
        hasGST = isGST
        // A thousand kilometres: receivers print such without a fix.
        if horizontal > 0, horizontal < 1_000_000_000 {
            errors.eph = Double(horizontal) / 1000 * horizontalScale
        }
        if vertical > 0, vertical < 1_000_000_000 {
            errors.epv = Double(vertical) / 1000 * verticalScale
        }
    }
}

/// What a GSA sentence says.
struct GSA {
    /// 1, 2 or 3; 0 when it does not say.
    var mode: UInt8 = 0
    /// Satellites named.
    var count: Int16 = 0
    /// 1e-3.
    var pdop = FieldCursor.absent
    var hdop = FieldCursor.absent
    var vdop = FieldCursor.absent

    init() {}

    init(_ body: Body) {
        var fields = FieldCursor(body, from: 6)
        _ = fields.letter()
        mode = fields.letter() &- UInt8(ascii: "0")
        if mode > 3 { mode = 0 }
        for _ in 0..<12 where fields.letter() != 0 { count &+= 1 }
        pdop = fields.decimal(3)
        hdop = fields.decimal(3)
        vdop = fields.decimal(3)
    }
}

extension EpochState {
    /// Takes one GSA; the constellations' modes and satellites add up.
    @inline(__always)
    mutating func take(_ gsa: GSA) {
        seen.insert(.gsa)
        mode = max(mode, gsa.mode)
        satellitesNamed &+= gsa.count
        if gsa.pdop > 0 { pdop = gsa.pdop }
        if gsa.hdop > 0, hdop == FieldCursor.absent { hdop = gsa.hdop }
        if gsa.vdop > 0 { vdop = gsa.vdop }
    }
}
