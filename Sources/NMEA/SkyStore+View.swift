import GNSS

extension SkyStore {
    /// The satellites of the sentences kept.
    var view: SkyView {
        var view = SkyView()
        view.time = lastTime
        var used = Set<Key>()
        if hasFreshGSA {
            for index in 0..<gsaCount {
                addUsed(SkyStore.groupLimit * SkyStore.messageLimit + index, &used, &view)
            }
        }
        for index in 0..<SkyStore.groupLimit where isFresh(groups[index]) {
            let group = groups[index]
            for message in 0..<SkyStore.messageLimit
            where group.messages & 1 << UInt16(message) != 0 {
                addSatellites(index * SkyStore.messageLimit + message, group, used, &view)
            }
        }
        return view
    }

    /// A satellite across sentences.
    private struct Key: Hashable {
        var constellation: Constellation?
        var prn: Int16
    }

    /// The fields of a slot as text.
    private func fields(_ slot: Int) -> [ArraySlice<UInt8>] {
        let start = slot * SkyStore.slotSize
        let count = Int(bytes[start])
        return bytes[start + 1..<start + 1 + count]
            .split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    }

    private func addUsed(_ slot: Int, _ used: inout Set<Key>, _ view: inout SkyView) {
        let fields = fields(slot)
        guard fields.count >= 3, let name = fields.first else { return }
        for field in fields.dropFirst(3).prefix(12) {
            guard let prn = SkyStore.number(field) else { continue }
            // NMEA 4.10: the system behind the DOPs.
            let system = fields.count > 18 ? fields[18].first.flatMap(SkyStore.system) : nil
            used.insert(
                Key(
                    constellation: system ?? SkyStore.constellation(name, Int16(prn)),
                    prn: Int16(prn)))
        }
        guard fields.count >= 18 else { return }
        func dop(_ field: ArraySlice<UInt8>) -> Double? {
            SkyStore.number(field).flatMap { $0 > 0 ? $0 : nil }
        }
        view.dop.pdop = dop(fields[15])
        view.dop.hdop = dop(fields[16])
        view.dop.vdop = dop(fields[17])
    }

    private func addSatellites(
        _ slot: Int, _ group: Group, _ used: Set<Key>, _ view: inout SkyView
    ) {
        let fields = fields(slot)
        guard let name = fields.first else { return }
        var index = 4
        while index + 3 < fields.count {
            defer { index += 4 }
            guard let prn = SkyStore.number(fields[index]).map(Int16.init(_:)) else { continue }
            let constellation = SkyStore.constellation(name, prn)
            let signal = SkyStore.number(fields[index + 3])
            // Another signal of the same satellite: the stronger counts.
            if let known = view.satellites.firstIndex(where: {
                $0.constellation == constellation && $0.prn == prn
            }) {
                let best = max(view.satellites[known].signal ?? 0, signal ?? 0)
                if best > 0 { view.satellites[known].signal = best }
                continue
            }
            guard view.satellites.count < SkyView.limit else { return }
            let azimuth = SkyStore.number(fields[index + 2]).flatMap { azimuth -> Double? in
                azimuth < 0 || azimuth > 360 ? nil : azimuth == 360 ? 0 : azimuth
            }
            let elevation = SkyStore.number(fields[index + 1]).flatMap { abs($0) <= 90 ? $0 : nil }
            view.satellites.append(
                Satellite(
                    constellation: constellation, prn: prn, elevation: elevation,
                    azimuth: azimuth, signal: signal,
                    used: used.contains(Key(constellation: constellation, prn: prn))))
        }
    }

    /// A decimal number of at most six digits before the point.
    private static func number(_ field: ArraySlice<UInt8>) -> Double? {
        var value = 0.0
        var unit = 0.0
        var digits = 0
        var isNegative = false
        for (index, byte) in field.enumerated() {
            switch byte {
            case UInt8(ascii: "-") where index == 0: isNegative = true
            case UInt8(ascii: ".") where unit == 0: unit = 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits += 1
                value = value * 10 + Double(byte - UInt8(ascii: "0"))
                if unit > 0 { unit *= 10 }
            default: return nil
            }
        }
        guard digits > 0, digits <= 9 else { return nil }
        let magnitude = unit > 0 ? value / unit : value
        guard magnitude < 10_000 else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    /// The system id of NMEA 4.10 and 4.11.
    private static func system(_ id: UInt8) -> Constellation? {
        switch id {
        case UInt8(ascii: "1"): .gps
        case UInt8(ascii: "2"): .glonass
        case UInt8(ascii: "3"): .galileo
        case UInt8(ascii: "4"): .beidou
        case UInt8(ascii: "5"): .qzss
        case UInt8(ascii: "6"): .navic
        default: nil
        }
    }

    /// The system of a satellite by the talker of its sentence and its number.
    private static func constellation(_ name: ArraySlice<UInt8>, _ prn: Int16) -> Constellation? {
        let talker = name.prefix(2)
        if talker.elementsEqual("GL".utf8) { return .glonass }
        if talker.elementsEqual("GA".utf8) { return .galileo }
        if talker.elementsEqual("GB".utf8) || talker.elementsEqual("BD".utf8)
            || talker.elementsEqual("PQ".utf8)
        {
            return .beidou
        }
        if talker.elementsEqual("GQ".utf8) || talker.elementsEqual("QZ".utf8) { return .qzss }
        if talker.elementsEqual("GI".utf8) { return .navic }
        // The ranges of NMEA 0183 and, above 100, of the receivers that number across systems.
        switch prn {
        case 1...32: return .gps
        case 33...64, 120...158: return .sbas
        case 65...99: return .glonass
        case 193...202: return .qzss
        case 201...263, 401...463: return .beidou
        case 301...336: return .galileo
        default: return nil
        }
    }
}
