import GNSS

/// Points by number, each in about 60 bytes: what it does not say takes no room.
struct PackedPoints {
    private static let numbers: [any WritableKeyPath<Fix, Double?> & Sendable] = [
        \.altitudeMSL, \.altitudeHAE, \.geoidSeparation, \.speed, \.course, \.climb, \.heading,
        \.errors.eph, \.errors.epv, \.errors.eps, \.errors.epc, \.errors.ept, \.dop.hdop,
        \.dop.vdop, \.dop.pdop, \.dop.tdop, \.dop.gdop,
    ]

    /// What a point has beside the numbers, as bits above theirs.
    private struct Parts: OptionSet {
        let rawValue: UInt32
        static let time = Parts(rawValue: 1 << 17)
        static let timeOfDay = Parts(rawValue: 1 << 18)
        static let status = Parts(rawValue: 1 << 19)
        static let satellitesUsed = Parts(rawValue: 1 << 20)
        static let satellitesSeen = Parts(rawValue: 1 << 21)
        static let notes = Parts(rawValue: 1 << 22)
        static let origin = Parts(rawValue: 1 << 23)
        static let flags = Parts(rawValue: 1 << 24)
        static let id = Parts(rawValue: 1 << 25)
        static let system = Parts(rawValue: 1 << 26)
        static let begins = Parts(rawValue: 1 << 27)
        static let inSegment = Parts(rawValue: 1 << 28)
    }

    private var bytes: [UInt8] = []
    /// Where each begins; -1 for one that was not put.
    private var places: [Int]
    /// Names, of which a file has few.
    private var texts: [String] = []
    private var numbersOfTexts: [String: Int] = [:]

    /// Room for points 0 ..< `count`, none of them put yet.
    init(count: Int) {
        places = [Int](repeating: -1, count: count)
    }

    /// Puts a point at its number.
    mutating func put(_ point: ImportedPoint, at index: Int) {
        places[index] = bytes.count
        let fix = point.fix
        var parts: Parts = []
        put(0 as UInt32)
        put(fix.latitude.bitPattern)
        put(fix.longitude.bitPattern)
        put(fix.mode.rawValue)
        for (bit, path) in PackedPoints.numbers.enumerated() {
            guard let number = fix[keyPath: path] else { continue }
            parts.insert(Parts(rawValue: 1 << UInt32(bit)))
            put(number.bitPattern)
        }
        if let time = fix.time {
            parts.insert(.time)
            put(time.milliseconds)
        }
        if let moment = fix.timeOfDay {
            parts.insert(.timeOfDay)
            put(moment)
        }
        if let status = fix.status {
            parts.insert(.status)
            put(status.rawValue)
        }
        if let used = fix.satellitesUsed {
            parts.insert(.satellitesUsed)
            put(used)
        }
        if let seen = fix.satellitesSeen {
            parts.insert(.satellitesSeen)
            put(seen)
        }
        if !fix.notes.isEmpty {
            parts.insert(.notes)
            put(fix.notes.rawValue)
        }
        if fix.rolloverEras != 0 || fix.device != 0 {
            parts.insert(.origin)
            put(fix.rolloverEras)
            put(fix.device)
        }
        if let flags = point.flags {
            parts.insert(.flags)
            put(flags.rawValue)
        }
        if let id = point.id {
            parts.insert(.id)
            put(number(of: id.store))
            put(id.sequence)
        }
        if let system = point.system {
            parts.insert(.system)
            put(number(of: system))
        }
        if point.beginsSegment { parts.insert(.begins) }
        if point.isInSegment { parts.insert(.inSegment) }
        let mask = parts.rawValue
        for shift in 0..<4 {
            bytes[places[index] + shift] = UInt8(truncatingIfNeeded: mask >> UInt32(8 * shift))
        }
    }

    /// The point of a number; `nil` when none was put.
    func point(at index: Int) -> ImportedPoint? {
        var place = places[index]
        guard place >= 0 else { return nil }
        func get<Number: FixedWidthInteger>(_ type: Number.Type) -> Number {
            var number: UInt64 = 0
            for shift in 0..<(Number.bitWidth / 8) {
                number |= UInt64(bytes[place + shift]) << UInt64(8 * shift)
            }
            place += Number.bitWidth / 8
            return Number(truncatingIfNeeded: number)
        }
        func double() -> Double { Double(bitPattern: get(UInt64.self)) }
        let parts = Parts(rawValue: get(UInt32.self))
        let (latitude, longitude) = (double(), double())
        var fix = Fix(
            time: nil, latitude: latitude, longitude: longitude,
            mode: FixMode(rawValue: get(UInt8.self)) ?? .none)
        for (bit, path) in PackedPoints.numbers.enumerated()
        where parts.contains(Parts(rawValue: 1 << UInt32(bit))) {
            fix[keyPath: path] = double()
        }
        if parts.contains(.time) { fix.time = UTCTime(milliseconds: get(Int64.self)) }
        if parts.contains(.timeOfDay) { fix.timeOfDay = get(Int32.self) }
        if parts.contains(.status) { fix.status = FixStatus(rawValue: get(UInt8.self)) }
        if parts.contains(.satellitesUsed) { fix.satellitesUsed = get(UInt8.self) }
        if parts.contains(.satellitesSeen) { fix.satellitesSeen = get(UInt8.self) }
        if parts.contains(.notes) { fix.notes = FixFlags(rawValue: get(UInt32.self)) }
        if parts.contains(.origin) {
            fix.rolloverEras = get(Int8.self)
            fix.device = get(UInt8.self)
        }
        var point = ImportedPoint(fix, beginsSegment: parts.contains(.begins))
        point.isInSegment = parts.contains(.inSegment)
        if parts.contains(.flags) { point.flags = FixFlags(rawValue: get(UInt32.self)) }
        if parts.contains(.id) {
            let store = texts[get(Int.self)]
            point.id = FixID(store: store, sequence: get(Int64.self))
        }
        if parts.contains(.system) { point.system = texts[get(Int.self)] }
        return point
    }

    private mutating func put(_ number: some FixedWidthInteger) {
        var rest = UInt64(truncatingIfNeeded: number)
        for _ in 0..<(number.bitWidth / 8) {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    private mutating func number(of text: String) -> Int {
        if let number = numbersOfTexts[text] { return number }
        texts.append(text)
        numbersOfTexts[text] = texts.count - 1
        return texts.count - 1
    }
}
