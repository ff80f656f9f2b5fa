import GNSS
import JSON

/// Writes a report anew in gpsd's own spelling, with the members that are used and nothing else.
///
/// libgps knows a class only as `"class":"TPV"` without a space, stops without a word at the first member it
/// cannot take (a `null`, a list it does not know, a path that is too long) and tells a broken line from a good
/// one by nothing (3.22: `gps_unpack` returns 0 for all). A local program can also pose as gpsd. So libgps sees only
/// lines written here, from values that were read and checked.
struct GPSDText {
    /// The report, for ``GPSDLibrary``.
    private(set) var text = TextBuffer()
    /// Whether a member had a value that cannot be.
    private(set) var isDamaged = false

    private static let positionNumbers = [
        "lat", "lon", "altHAE", "altMSL", "geoidSep", "track", "speed", "climb", "ept", "epx",
        "epy", "epv", "epd", "eps", "eph",
    ]
    private static let skyNumbers = ["hdop", "vdop", "pdop", "tdop", "gdop"]
    private static let deviations = ["lat", "lon", "alt"]

    mutating func writePosition(_ report: JSONObject, time: UTCTime?) {
        begin("{\"class\":\"TPV\"")
        if let time {
            text.append(",\"time\":\"")
            text.append(time)
            text.append("\"")
        }
        let hasHAE = report["altHAE"] != nil
        for member in report.members {
            switch member.name {
            case "mode", "status": write(whole: member.value, as: member.name, in: 0...99)
            // Up to 3.19 `alt` is the only height, above mean sea level for NMEA; then a copy of altMSL.
            case "alt" where !hasHAE && report["altMSL"] == nil:
                write(member.value, as: "altMSL")
            case let name where GPSDText.positionNumbers.contains(name):
                write(member.value, as: name)
            default: break
            }
        }
        text.append("}")
    }

    mutating func writeSky(_ report: JSONObject, limit: Int) {
        begin("{\"class\":\"SKY\"")
        for member in report.members where GPSDText.skyNumbers.contains(member.name) {
            write(member.value, as: member.name)
        }
        text.append(",\"satellites\":[")
        var separator: StaticString = "{"
        var seen = 0
        var used = 0
        for satellite in (report["satellites"]?.array ?? []).prefix(limit) {
            guard let satellite = satellite.object,
                let prn = satellite["PRN"]?.integer, prn >= 0, prn <= 999
            else {
                isDamaged = true
                continue
            }
            text.append(separator)
            separator = ",{"
            seen += 1
            text.append("\"PRN\":")
            text.append(prn)
            for member in satellite.members {
                switch member.name {
                case "el", "az", "ss": write(member.value, as: member.name)
                case "gnssid", "svid": write(whole: member.value, as: member.name, in: 0...255)
                case "used":
                    guard let isUsed = member.value.bool else {
                        isDamaged = true
                        continue
                    }
                    used += isUsed ? 1 : 0
                    text.append(isUsed ? ",\"used\":true" : ",\"used\":false")
                default: break
                }
            }
            text.append("}")
        }
        // libgps takes no satellite without these from 3.24 on.
        text.append("],\"nSat\":")
        text.append(seen)
        text.append(",\"uSat\":")
        text.append(used)
        text.append("}")
    }

    mutating func writeDeviations(_ report: JSONObject) {
        begin("{\"class\":\"GST\"")
        for member in report.members where GPSDText.deviations.contains(member.name) {
            write(member.value, as: member.name)
        }
        text.append("}")
    }

    private mutating func begin(_ start: StaticString) {
        text.bytes.removeAll(keepingCapacity: true)
        isDamaged = false
        text.append(start)
    }

    private mutating func write(_ value: JSONValue, as name: String) {
        if value == .null { return }
        guard let number = value.number, abs(number) < 1e9 else {
            isDamaged = true
            return
        }
        writeName(name)
        text.append(number, decimals: 9, trimming: true)
    }

    private mutating func write(
        whole value: JSONValue, as name: String, in range: ClosedRange<Double>
    ) {
        if value == .null { return }
        guard let number = value.number, range.contains(number), number == number.rounded() else {
            isDamaged = true
            return
        }
        writeName(name)
        text.append(Int(number))
    }

    private mutating func writeName(_ name: String) {
        text.append(",\"")
        text.append(text: name)
        text.append("\":")
    }
}
