import GNSS
import Glibc

/// A report that came as gpsd of today writes it.
enum PlainReport {
    case position(TPVReport)
    /// What stands before the list of satellites, which is left for whom it interests.
    case sky(DOP, seen: UInt8, used: UInt8)
}

extension PlainReport {
    /// Reads a line as it came when it is beyond doubt; `nil` sends it the long way, as JSON and through libgps.
    ///
    /// At one report a second the long way would cost more than all the rest of the program: libgps a microsecond for
    /// each member. So the numbers that a fix takes are read here, as libgps makes them of their digits.
    ///
    /// - Returns: the report and where in `bytes` its device is named.
    static func read(
        _ bytes: UnsafeRawBufferPointer
    ) -> (report: PlainReport, device: UnsafeRawBufferPointer)? {
        let isPosition = unsafe starts(bytes, "{\"class\":\"TPV\",\"device\":\"")
        let isSky = unsafe starts(bytes, "{\"class\":\"SKY\",\"device\":\"")
        guard isPosition || isSky else { return nil }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[25...])
        guard let end = unsafe rest.prefix(100).firstIndex(of: UInt8(ascii: "\"")) else {
            return nil
        }
        let device = unsafe UnsafeRawBufferPointer(rebasing: rest[..<end])
        let members = unsafe PlainMembers(bytes, from: 25 + end + 1)
        let report = unsafe isPosition ? position(members) : sky(members, bytes)
        return unsafe report.map { unsafe ($0, device) }
    }

    private static func position(_ start: PlainMembers) -> PlainReport? {
        var members = start
        var names = PlainMembers.Names()
        var report = TPVReport()
        while members.next() {
            guard let name = members.name else { continue }
            // Said twice, or not by this gpsd: see the long way.
            guard names.insert(name) else { return nil }
            switch name {
            case .alt: break
            case .time:
                report.time = members.time
                guard report.time != nil else { return nil }
            case .mode, .status:
                guard let count = members.count else { return nil }
                report.take(name, Double(count))
            case .jam, .ant, .hdop, .vdop, .pdop, .tdop, .gdop, .nSat, .uSat: return nil
            default:
                guard let number = members.number else { return nil }
                report.take(name, number)
            }
        }
        // A height without a name, as up to 3.19.
        let isOld = names.contains(.alt) && !names.contains(.altMSL) && !names.contains(.altHAE)
        guard members.isAtEnd, !isOld else { return nil }
        return .position(report)
    }

    private static func sky(
        _ start: PlainMembers, _ bytes: UnsafeRawBufferPointer
    ) -> PlainReport? {
        var members = start
        var names = PlainMembers.Names()
        var dop = DOP()
        var seen: UInt8?
        var used: UInt8?
        while members.next() {
            guard let name = members.name else { continue }
            guard names.insert(name) else { return nil }
            switch name {
            case .nSat: seen = members.count
            case .uSat: used = members.count
            case .hdop, .vdop, .pdop, .tdop, .gdop:
                guard let number = members.number else { return nil }
                let value = dilution(number)
                switch name {
                case .hdop: dop.hdop = value
                case .vdop: dop.vdop = value
                case .pdop: dop.pdop = value
                case .tdop: dop.tdop = value
                default: dop.gdop = value
                }
            default: break
            }
        }
        // Where the line was cut the list does not end.
        guard members.isBefore(",\"satellites\":["),
            unsafe bytes.suffix(2).elementsEqual("]}".utf8),
            let seen, let used
        else { return nil }
        return .sky(dop, seen: seen, used: used)
    }

    private static func starts(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count > count + 2, let start = bytes.baseAddress else { return false }
        return unsafe memcmp(start, text.utf8Start, count) == 0
    }
}
