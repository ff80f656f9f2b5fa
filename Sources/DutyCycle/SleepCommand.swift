/// The bytes that send a receiver to sleep and wake it.
public enum SleepCommand: String, CaseIterable, Sendable {
    /// By what gpsd's driver says of the receiver.
    case auto
    /// u-blox 8 and later: RXM-PMREQ with version, forced, woken by the line or by time.
    case ublox
    /// u-blox 6 and 7: RXM-PMREQ without a version.
    case ublox6 = "ublox-6"
    /// MediaTek standby, woken by any byte.
    case mtk
    /// MediaTek periodic standby.
    case mtk225 = "mtk-225"
    /// Airoha and Quectel: the GNSS engine off and on.
    case pair
    /// Airoha and Quectel: asleep but for the clock. Nothing wakes it before its time.
    case pairRTC = "pair-rtc"
    /// SiRF push-to-fix.
    case sirf
    /// Bytes of the person's own.
    case own

    /// The command of the receivers that a driver of gpsd stands for; `nil` when it tells none.
    public static func suiting(driver: String) -> SleepCommand? {
        // The names are those of gpsd's drivers.c; one that can be several makes is not enough.
        let name = driver.lowercased()
        if name.hasPrefix("u-blox") { return .ublox }
        if name.hasPrefix("mtk") { return .mtk }
        if name.hasPrefix("sirf") { return .sirf }
        return nil
    }

    /// How long the receiver may go on sending after the command, milliseconds.
    public var linger: Int64 {
        self == .mtk225 ? 1000 : 0
    }

    /// What switches it off for so many milliseconds; `nil` for a time that nobody knows.
    ///
    /// Every command ends by itself: some receivers do not wake by the line (power.md, section 2). Empty for
    /// ``auto`` and ``own``, which are no commands.
    public func off(for span: Int64?) -> [UInt8] {
        let span = max(0, span ?? Self.unknownSpan)
        switch self {
        case .auto, .own: return []
        case .ublox:
            // u-blox M8 protocol specification, UBX-RXM-PMREQ (02 41), version 0: the duration, flags backup
            // and force, wake-up by UART RX.
            return Self.ubx(
                0x02, 0x41,
                [0, 0, 0, 0] + Self.little(min(span, Self.longestUBX))
                    + [6, 0, 0, 0] + [8, 0, 0, 0])
        case .ublox6:
            // The form without version: the duration, flag backup.
            return Self.ubx(
                0x02, 0x41, Self.little(min(span, Self.longestUBX)) + [2, 0, 0, 0])
        case .mtk: return Self.nmea("PMTK161,0")
        case .mtk225:
            // Type 2 is periodic standby; 4, perpetual backup, could not be left and is never sent.
            let sleep = min(max(span, 1000), Self.longestMTK)
            return Self.nmea("PMTK225,2,1000,\(sleep),1000,\(sleep)")
        case .pair: return Self.nmea("PAIR003")
        case .pairRTC:
            // 0 would leave the module deaf until a pin pulses.
            return Self.nmea("PAIR650,\(min(max(span / 1000, 10), 62_208_000))")
        case .sirf: return Self.trickle(pushToFix: true, duty: 200)
        }
    }

    /// What wakes it.
    public var on: [UInt8] {
        switch self {
        case .auto, .own: []
        // Any edge on the line wakes it, and the byte is lost.
        case .ublox, .ublox6, .pairRTC: [0xFF]
        // PMTK000 asks for nothing.
        case .mtk: Self.nmea("PMTK000")
        case .mtk225: Self.nmea("PMTK225,0")
        case .pair: Self.nmea("PAIR002")
        case .sirf: Self.trickle(pushToFix: false, duty: 1000)
        }
    }

    /// Asleep for an hour and again after it, when nobody knows for how long.
    static let unknownSpan: Int64 = 3_600_000
    /// Twelve days, the longest timed sleep (power.md, section 2).
    private static let longestUBX: Int64 = 12 * 86_400_000
    private static let longestMTK: Int64 = 518_400_000

    private static func little(_ value: Int64) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * Int64($0))) }
    }

    /// A UBX frame: sync, class, id, length, payload, 8-bit Fletcher checksum (u-blox M8, section 32.4).
    private static func ubx(_ group: UInt8, _ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let body = [group, id, UInt8(truncatingIfNeeded: payload.count), 0] + payload
        var (a, b): (UInt8, UInt8) = (0, 0)
        for byte in body {
            a &+= byte
            b &+= a
        }
        return [0xB5, 0x62] + body + [a, b]
    }

    private static func nmea(_ body: String) -> [UInt8] {
        let sum = body.utf8.reduce(0) { $0 ^ $1 }
        let digits = Array("0123456789ABCDEF".utf8)
        return Array("$\(body)*".utf8) + [digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
    }

    /// Message 151, set TricklePower parameters, in a SiRF binary frame (SiRF binary protocol manual).
    ///
    /// - Parameter duty: share of the time it is on, in 0.1 %; on for 200 ms at a time.
    private static func trickle(pushToFix: Bool, duty: Int) -> [UInt8] {
        let payload: [UInt8] = [
            151, 0, pushToFix ? 1 : 0, UInt8(truncatingIfNeeded: duty >> 8),
            UInt8(truncatingIfNeeded: duty), 0, 0, 0, 200,
        ]
        let sum = payload.reduce(0) { $0 + Int($1) } & 0x7FFF
        return [0xA0, 0xA2, 0, UInt8(payload.count)] + payload
            + [UInt8(sum >> 8), UInt8(sum & 255), 0xB0, 0xB3]
    }
}
