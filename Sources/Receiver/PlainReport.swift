import CGPS
import GNSS
import Glibc

/// A report that came as gpsd of today writes it.
enum PlainReport {
    case position(TPVReport)
    /// What stands before the list of satellites, which is left for whom it interests.
    case sky(DOP, seen: UInt8, used: UInt8)
}

extension GPSDLibrary {
    /// Unpacks a line as it came when it is beyond doubt; `nil` sends it the long way, as JSON.
    ///
    /// libgps is given well-formed lines only: 3.22 does not return from some that were garbled on the way. A mark is
    /// written behind the last member: libgps stops where it meets what it cannot take, and then does not come to it.
    /// At one report a second the long way would cost more than all the rest of the program.
    ///
    /// - Returns: the report and where in `bytes` its device is named.
    func plainReport(
        _ bytes: UnsafeRawBufferPointer
    ) -> (report: PlainReport, device: UnsafeRawBufferPointer)? {
        let isPosition = unsafe starts(bytes, "{\"class\":\"TPV\",\"device\":\"")
        let isSky = unsafe starts(bytes, "{\"class\":\"SKY\",\"device\":\"")
        guard isPosition || isSky, unsafe bytes.last == UInt8(ascii: "}") else { return nil }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[25...])
        guard let end = unsafe rest.prefix(100).firstIndex(of: UInt8(ascii: "\"")) else {
            return nil
        }
        let device = unsafe UnsafeRawBufferPointer(rebasing: rest[..<end])
        line.removeAll(keepingCapacity: true)
        unsafe line.append(contentsOf: bytes.bindMemory(to: CChar.self))
        line.append(0)
        guard let report = isPosition ? plainPosition() : plainSky() else { return nil }
        return unsafe (report, device)
    }

    private func plainPosition() -> PlainReport? {
        guard isFlat(upTo: line.count - 2), !namesAntenna else { return nil }
        let time = plainTime()
        // The closing brace makes place.
        cutLine(at: line.count - 2, unsafe String(cString: CGPS_positionMark()))
        unpackLine()
        guard unsafe CGPS_isPositionMarked(data) != 0 else { return nil }
        let report = readPosition()
        // A height without a name, as up to 3.19.
        let isOld = report.altitudeMSL == nil && report.altitudeHAE == nil
        guard report.time == time, !isOld || place(of: "\"alt\":") == nil else { return nil }
        return .position(report)
    }

    /// From 3.26 on a report may tell of jamming and of the antenna, which the long way reads; before, libgps stops
    /// there.
    private var namesAntenna: Bool {
        CGPS_apiMajor() >= 14 && (place(of: "\"jam\":") != nil || place(of: "\"ant\":") != nil)
    }

    private func plainSky() -> PlainReport? {
        guard let list = place(of: ",\"satellites\":["), isFlat(upTo: list),
            let seen = count(after: "\"nSat\":", before: list),
            let used = count(after: "\"uSat\":", before: list)
        else { return nil }
        cutLine(at: list + 1, unsafe String(cString: CGPS_skyMark()))
        unpackLine()
        guard unsafe CGPS_isSkyMarked(data) != 0 else { return nil }
        return .sky(readDOP(), seen: seen, used: used)
    }

    /// Whether the line is `{"name":value,…` up to there, each value a number, a word or a text without escapes.
    private func isFlat(upTo end: Int) -> Bool {
        unsafe line.withUnsafeBufferPointer { line in
            var place = 1
            func byte() -> UInt8 { place < end ? unsafe UInt8(bitPattern: line[place]) : 0 }
            func skip(_ wanted: UInt8) -> Bool {
                guard byte() == wanted else { return false }
                place += 1
                return true
            }
            func text(atMost limit: Int) -> Bool {
                guard skip(quote) else { return false }
                let start = place
                while byte() >= 32, byte() < 127, byte() != quote, byte() != backslash {
                    place += 1
                }
                return place - start <= limit && skip(quote)
            }
            func digits() -> Bool {
                let start = place
                while byte() >= 48, byte() <= 57 { place += 1 }
                return place > start && place - start < 20
            }
            func number() -> Bool {
                _ = skip(UInt8(ascii: "-"))
                guard digits() else { return false }
                if skip(UInt8(ascii: ".")), !digits() { return false }
                if skip(UInt8(ascii: "e")) {
                    if !skip(UInt8(ascii: "-")) { _ = skip(UInt8(ascii: "+")) }
                    return digits()
                }
                return true
            }
            func word(_ letters: StaticString) -> Bool {
                letters.withUTF8Buffer { unsafe $0.allSatisfy { skip($0) } }
            }
            while true {
                // JSON_ATTR_MAX and less than JSON_VAL_MAX of libgps.
                guard text(atMost: 30), skip(UInt8(ascii: ":")) else { return false }
                let isValue =
                    switch byte() {
                    case quote: text(atMost: 120)
                    case UInt8(ascii: "t"): word("true")
                    case UInt8(ascii: "f"): word("false")
                    default: number()
                    }
                guard isValue else { return false }
                if place == end { return true }
                guard skip(UInt8(ascii: ",")) else { return false }
            }
        }
    }

    /// The time of the line, when it is spelled as gpsd does it: `2026-05-01T10:00:00.000Z`, no leap second.
    private func plainTime() -> UTCTime? {
        guard let start = place(of: "\"time\":\""), start + 33 < line.count else { return nil }
        func number(_ place: Int, _ digits: Int) -> Int? {
            var value = 0
            for byte in line[(start + 8 + place)...].prefix(digits) {
                guard byte >= 48, byte <= 57 else { return nil }
                value = value * 10 + Int(byte) - 48
            }
            return value
        }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
            let thousandth = number(20, 3), line[start + 31] == CChar(bitPattern: 0x5A),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        return UTCTime(
            year: year, month: month, day: day,
            timeOfDay: ((hour * 60 + minute) * 60 + second) * 1000 + thousandth)
    }

    private func cutLine(at place: Int, _ mark: String) {
        line.removeLast(line.count - place)
        line.append(contentsOf: mark.utf8.lazy.map { CChar(bitPattern: $0) })
        line.append(0)
    }

    private func count(after name: StaticString, before end: Int) -> UInt8? {
        guard let start = place(of: name), start < end else { return nil }
        let digits = line[(start + name.utf8CodeUnitCount)...].prefix { $0 >= 48 && $0 <= 57 }
        guard (1...3).contains(digits.count) else { return nil }
        return UInt8(clamping: digits.reduce(0) { $0 * 10 + Int($1) - 48 })
    }

    /// Where a text is in the line.
    private func place(of text: StaticString) -> Int? {
        unsafe line.withUnsafeBufferPointer { line in
            // A static string ends with a NUL.
            let text = unsafe UnsafeRawPointer(text.utf8Start)
                .assumingMemoryBound(to: CChar.self)
            guard let start = line.baseAddress, let found = unsafe strstr(start, text)
            else { return nil }
            return unsafe UnsafePointer(found) - start
        }
    }

    private func starts(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard bytes.count > count + 2 else { return false }
        return text.withUTF8Buffer { unsafe bytes.starts(with: $0) }
    }
}

private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
