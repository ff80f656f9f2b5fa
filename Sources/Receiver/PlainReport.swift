import GNSS
import Glibc

/// A report that came as gpsd of today writes it, read from the line as it is.
///
/// At one report a second the long way, as JSON and through libgps, would cost more than all the rest of the program:
/// libgps takes a microsecond for each member. So the numbers that a fix takes are read here, as libgps makes them of
/// their digits. What is not beyond doubt goes the long way.
@safe struct PlainReport {
    /// Whether it tells a position; the satellites otherwise.
    let isPosition: Bool
    /// Where the line names its device.
    let device: UnsafeRawBufferPointer
    private let bytes: UnsafeRawBufferPointer
    private let members: PlainMembers

    /// Looks how a line begins; `nil` when that is not known.
    init?(_ bytes: UnsafeRawBufferPointer) {
        isPosition = unsafe PlainReport.starts(bytes, "{\"class\":\"TPV\",\"device\":\"")
        guard unsafe isPosition || PlainReport.starts(bytes, "{\"class\":\"SKY\",\"device\":\"")
        else { return nil }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[25...])
        guard let end = unsafe rest.prefix(100).firstIndex(of: UInt8(ascii: "\"")) else {
            return nil
        }
        unsafe device = UnsafeRawBufferPointer(rebasing: rest[..<end])
        unsafe self.bytes = bytes
        members = unsafe PlainMembers(bytes, from: 25 + end + 1)
    }

    /// Reads a position; false when it is in doubt, and what was read of it says nothing.
    func read(into report: inout TPVReport) -> Bool {
        var members = members
        var names = PlainMembers.Names()
        while members.next() {
            guard let name = members.name else { continue }
            // Said twice, or not by this gpsd: see the long way.
            guard names.insert(name) else { return false }
            switch name {
            case .alt: break
            case .time:
                report.time = members.time
                guard report.time != nil else { return false }
            case .mode, .status:
                guard let count = members.count, count < 100 else { return false }
                report.take(name, Double(count))
            case .class, .device, .jam, .ant, .hdop, .vdop, .pdop, .tdop, .gdop, .nSat, .uSat:
                return false
            default:
                guard let number = members.number else { return false }
                report.take(name, number)
            }
        }
        // A height without a name, as up to 3.19.
        let isOld = names.contains(.alt) && !names.contains(.altMSL) && !names.contains(.altHAE)
        return members.isAtEnd && !isOld
    }

    /// Reads what stands before the list of satellites, which is left for whom it interests.
    func readSky() -> (dop: DOP, seen: UInt8, used: UInt8)? {
        var members = members
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
            case .class, .device: return nil
            default: break
            }
        }
        // Where the line was cut the list does not end.
        guard members.isBefore(",\"satellites\":["),
            unsafe bytes.suffix(2).elementsEqual("]}".utf8),
            let seen, let used
        else { return nil }
        return (dop, seen, used)
    }

    private static func starts(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count > count + 2, let start = bytes.baseAddress else { return false }
        return unsafe memcmp(start, text.utf8Start, count) == 0
    }
}
