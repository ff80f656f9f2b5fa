import Configuration
import Correction
import GNSS
import JSON

extension PointConverter {
    /// Rewrites every position of a GeoJSON document (RFC 7946): longitude, latitude and what follows.
    func geoJSON(_ bytes: [UInt8], _ name: String) throws {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONValue.parse(bytes)
        } catch {
            throw Failure("\(name): \(error)", .dataError)
        }
        try refuseOtherSystem(document, name)
        try converted(document, name).append(to: &output.text.bytes)
        output.text.append("\n")
        try output.flush()
    }

    /// A file that names its system must not be taken for another one.
    private func refuseOtherSystem(_ document: JSONValue, _ name: String) throws(Failure) {
        let named = document["crs"]?["properties"]?["name"]?.string ?? document["crs"]?.string
        guard let named else { return }
        let plain = named.lowercased().filter { $0.isLetter || $0.isNumber }
        let isFrom =
            plain.contains(shift.from.rawValue) || (shift.from == .wgs84 && plain.contains("crs84"))
        guard !isFrom else { return }
        throw Failure(
            "\(name): says that it is in \(named), not \(shift.from.rawValue)", .dataError)
    }

    private func converted(_ value: JSONValue, _ name: String) throws -> JSONValue {
        switch value {
        case .object(let object):
            var result = JSONObject()
            for member in object.members {
                switch member.name {
                case "coordinates": result[member.name] = try coordinates(member.value, name)
                // They no longer hold: the box is of other positions, the name of another system.
                case "bbox", "crs": break
                default: result[member.name] = try converted(member.value, name)
                }
            }
            if object["type"]?.string == "FeatureCollection", shift.to != .wgs84 {
                result["crs"] = .string(shift.to.rawValue)
            }
            return .object(result)
        case .array(let values): return .array(try values.map { try converted($0, name) })
        default: return value
        }
    }

    private func coordinates(_ value: JSONValue, _ name: String) throws -> JSONValue {
        guard case .array(let values) = value else { return value }
        guard values.count >= 2, let longitude = number(values[0]), let latitude = number(values[1])
        else {
            return .array(try values.map { try coordinates($0, name) })
        }
        guard let moved = shift.move(latitude: latitude, longitude: longitude) else {
            throw Failure("\(name): [\(longitude), \(latitude)] is no position", .dataError)
        }
        return .array(
            [.number(rounded(moved.longitude)), .number(rounded(moved.latitude))]
                + values.dropFirst(2))
    }

    private func number(_ value: JSONValue) -> Double? {
        switch value {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }

    private func rounded(_ degrees: Double) -> Double {
        (degrees * 1e9).rounded() / 1e9
    }

    /// Rewrites `lat` and `lon` of every element that has both.
    func gpx(_ bytes: [UInt8], _ name: String) throws {
        var place = 0
        var line = 1
        var counted = 0
        while let open = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            let end = bytes[open...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.endIndex
            let tag = bytes[open..<end]
            guard let latitude = attribute(" lat=", in: tag),
                let longitude = attribute(" lon=", in: tag)
            else {
                output.text.bytes += bytes[place..<end]
                place = end
                if end == bytes.endIndex { break }
                try output.drain()
                continue
            }
            line += bytes[counted..<open].count { $0 == 0x0A }
            counted = open
            guard let north = DecimalScanner.scan(tag, from: latitude.lowerBound),
                let east = DecimalScanner.scan(tag, from: longitude.lowerBound),
                north.end == latitude.upperBound, east.end == longitude.upperBound
            else { throw problem(name, line, "lat or lon is no number") }
            let moved = try move(north.value, east.value, name, line)
            output.text.bytes += bytes[place..<open]
            let parts = [(latitude, moved.latitude), (longitude, moved.longitude)]
                .sorted { $0.0.lowerBound < $1.0.lowerBound }
            var written = open
            for (range, degrees) in parts {
                output.text.bytes += bytes[written..<range.lowerBound]
                append(degrees)
                written = range.upperBound
            }
            output.text.bytes += bytes[written..<end]
            place = end
            try output.drain()
        }
        output.text.bytes += bytes[place...]
    }

    /// Where the value of an attribute lies, between its quotes.
    private func attribute(_ name: StaticString, in tag: ArraySlice<UInt8>) -> Range<Int>? {
        let name = name.withUTF8Buffer { unsafe Array($0) }
        var start = tag.startIndex
        while start + name.count < tag.endIndex {
            if tag[start...].starts(with: name) {
                let quote = tag[start + name.count]
                let begin = start + name.count + 1
                guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                    let end = tag[begin...].firstIndex(of: quote)
                else { return nil }
                return begin..<end
            }
            start += 1
        }
        return nil
    }
}
