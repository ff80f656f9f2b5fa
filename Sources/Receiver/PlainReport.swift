import GNSS
import Glibc

/// A report that came as gpsd of today writes it.
enum PlainReport {
    case position(TPVReport)
    /// What stands before the list of satellites, which is left for whom it interests.
    case sky(DOP, seen: UInt8, used: UInt8)
}

extension GPSDLibrary {
    /// Reads a line as it came when it is beyond doubt; `nil` sends it the long way, as JSON.
    ///
    /// At one report a second the long way would cost more than all the rest of the program, and libgps more than half of
    /// that: a microsecond for each member. So of a position it is given the numbers that a fix takes, in members that
    /// `CGPS_fits` has seen it read, and of the sky nothing: the seven numbers that a fix takes are read here.
    ///
    /// - Returns: the report and where in `bytes` its device is named.
    func plainReport(
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
        let report = unsafe isPosition ? plainPosition(members, bytes) : plainSky(members, bytes)
        return unsafe report.map { unsafe ($0, device) }
    }

    private func plainPosition(
        _ start: PlainMembers, _ bytes: UnsafeRawBufferPointer
    ) -> PlainReport? {
        var members = start
        var names = PlainMembers.Names()
        var time: UTCTime?
        var parts: (x: Range<Int>?, y: Range<Int>?)
        // Members that follow one another are copied together.
        var run = 0..<0
        beginLine()
        func take(_ member: Range<Int>) {
            if member.lowerBound == run.upperBound {
                run = run.lowerBound..<member.upperBound
            } else {
                unsafe append(bytes[run])
                run = member
            }
        }
        while members.next() {
            guard let name = members.name else { continue }
            // Said twice, or not by this gpsd: see the long way.
            guard names.insert(name) else { return nil }
            switch name {
            case .alt: break
            case .time:
                time = members.time
                guard time != nil else { return nil }
            case .mode, .status:
                guard members.count != nil else { return nil }
                take(members.whole)
            case .jam, .ant, .hdop, .vdop, .pdop, .tdop, .gdop, .nSat, .uSat: return nil
            default:
                guard members.isNumber else { return nil }
                switch name {
                case .epx: parts.x = members.whole
                case .epy: parts.y = members.whole
                default: take(members.whole)
                }
            }
        }
        // A height without a name, as up to 3.19.
        let isOld = names.contains(.alt) && !names.contains(.altMSL) && !names.contains(.altHAE)
        guard members.isAtEnd, !isOld else { return nil }
        if !names.contains(.eph), let x = parts.x, let y = parts.y {
            take(x)
            take(y)
        }
        unsafe append(bytes[run])
        endLine()
        unpackLine()
        var report = readPosition()
        report.time = time
        return .position(report)
    }

    private func plainSky(
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

    private func starts(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count > count + 2, let start = bytes.baseAddress else { return false }
        return unsafe memcmp(start, text.utf8Start, count) == 0
    }
}
