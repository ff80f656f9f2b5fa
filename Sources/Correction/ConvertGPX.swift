/// GPX: the attributes `lat` and `lon` of points, the `bounds`, and an element `crs` that names the system.
///
/// GPX is WGS 84 (GPX 1.1, latitudeType), so a document in another system gets a processing instruction, which all
/// readers of XML pass over, after its first tag: `<?tracklog crs="gcj02"?>`.
struct ConvertGPX: Sendable {
    private var line = 1
    /// Whether the text that comes is the content of a `crs` element.
    private var inSystem = false
    /// Elements that are open, and whether there was one at all.
    private var depth = 0
    private var hasRoot = false

    /// A tag of that length is no tag.
    private static let longestTag = 1 << 16
    /// The longest comment or section; an unfinished one is looked at from its beginning with each piece.
    private static let longestSection = 1 << 20

    init() {}

    /// Converts whole pieces of markup and says how many bytes it took.
    mutating func scan(
        _ bytes: [UInt8], isLast: Bool, _ converter: inout PointConverter, _ output: inout [UInt8]
    ) throws(ConvertError) -> Int {
        var start = 0
        while start < bytes.count {
            if bytes[start] != UInt8(ascii: "<") {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
                if inSystem, end == bytes.count, !isLast {
                    guard end - start <= ConvertGPX.longestTag else {
                        throw ConvertError(
                            line: line, reason: .malformed("the name of a system does not end"))
                    }
                    return start
                }
                try text(bytes, start, end, converter, &output)
                start = end
                continue
            }
            guard let end = markupEnd(bytes, start) else {
                if isLast || isTag(bytes, start) && bytes.count - start > ConvertGPX.longestTag {
                    throw ConvertError(line: line, reason: .malformed("a tag does not end"))
                }
                guard bytes.count - start <= ConvertGPX.longestSection else {
                    throw ConvertError(
                        line: line, reason: .malformed("a comment or section of more than 1 MiB"))
                }
                return start
            }
            if isTag(bytes, start) {
                try tag(bytes, start, end, &converter, &output)
            } else if let name = instruction(bytes, start, end) {
                // Its successor stands behind the first tag already.
                _ = try converter.declaration(name, line: line)
            } else {
                output += bytes[start..<end]
            }
            line += newlines(bytes, start, end)
            start = end
        }
        if isLast, depth > 0 || !hasRoot {
            throw ConvertError(
                line: line, reason: .malformed(hasRoot ? "the file is cut short" : "no GPX"))
        }
        return start
    }

    private func isTag(_ bytes: [UInt8], _ start: Int) -> Bool {
        start + 1 < bytes.count && bytes[start + 1] != UInt8(ascii: "!")
            && bytes[start + 1] != UInt8(ascii: "?")
    }

    /// The index behind a comment, section, instruction, declaration or tag.
    private func markupEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        for (opening, closing) in isTag(bytes, start) ? [] : ConvertGPX.sections {
            if bytes[start...].starts(with: opening) {
                return find(closing, bytes, start + opening.count)
            }
            // The opening may not be whole yet.
            if bytes.count - start < opening.count, opening.starts(with: bytes[start...]) {
                return nil
            }
        }
        var quote: UInt8 = 0
        var brackets = 0
        var index = start + 1
        while index < bytes.count {
            let byte = bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: "["): brackets += 1
                case UInt8(ascii: "]"): brackets -= 1
                case UInt8(ascii: ">") where brackets <= 0: return index + 1
                default: break
                }
            }
            index += 1
        }
        return nil
    }

    private static let sections: [(opening: [UInt8], closing: [UInt8])] = [
        (Array("<!--".utf8), Array("-->".utf8)), (Array("<![CDATA[".utf8), Array("]]>".utf8)),
        (Array("<?".utf8), Array("?>".utf8)),
    ]

    private func find(_ text: [UInt8], _ bytes: [UInt8], _ from: Int) -> Int? {
        var index = from
        while index + text.count <= bytes.count {
            if bytes[index] == text[0], bytes[index...].starts(with: text) {
                return index + text.count
            }
            index += 1
        }
        return nil
    }

    private mutating func text(
        _ bytes: [UInt8], _ start: Int, _ end: Int, _ converter: PointConverter,
        _ output: inout [UInt8]
    ) throws(ConvertError) {
        defer { line += newlines(bytes, start, end) }
        var (low, high) = (start, end)
        while low < high, bytes[low] <= 32 { low += 1 }
        while high > low, bytes[high - 1] <= 32 { high -= 1 }
        guard inSystem, low < high else {
            output += bytes[start..<(note(bytes, low, high, converter.options) ?? end)]
            return
        }
        let declared = String(decoding: bytes[low..<high], as: UTF8.self)
        let system = try converter.declaration(declared, line: line)
        output += bytes[start..<low]
        output += Array(system.rawValue.utf8)
        output += bytes[high..<end]
    }

    private mutating func tag(
        _ bytes: [UInt8], _ start: Int, _ end: Int, _ converter: inout PointConverter,
        _ output: inout [UInt8]
    ) throws(ConvertError) {
        let name = localName(bytes, start + 1, end)
        let isEmpty = bytes[end - 2] == UInt8(ascii: "/")
        inSystem = name == "crs" && !isEmpty
        try nest(name, isClosing: bytes[start + 1] == UInt8(ascii: "/"), isEmpty: isEmpty)
        switch name {
        case "wpt", "trkpt", "rtept":
            guard let latitude = attribute("lat", bytes, start, end),
                let longitude = attribute("lon", bytes, start, end)
            else {
                throw ConvertError(line: line, reason: .malformed("a point without lat and lon"))
            }
            try converter.rewrite(
                bytes, start, end, latitude: latitude, longitude: longitude, line: line, &output)
        case "bounds":
            var low: [UInt8] = []
            try corner("min", bytes[start..<end], &converter, &low)
            try corner("max", low[...], &converter, &output)
        default:
            // Extensions have points of their own, as the `rpt` of a route.
            if let latitude = attribute("lat", bytes, start, end),
                let longitude = attribute("lon", bytes, start, end)
            {
                try converter.rewrite(
                    bytes, start, end, latitude: latitude, longitude: longitude, line: line,
                    &output)
                return
            }
            output += bytes[start..<end]
            guard name == "gpx", converter.options.to != .wgs84 else { return }
            output += ConvertGPX.opening
            output += Array("\(converter.options.to.rawValue)\"?>".utf8)
        }
    }

    /// Counts the elements that are open, and refuses a document of another kind.
    private mutating func nest(
        _ name: String, isClosing: Bool, isEmpty: Bool
    ) throws(ConvertError) {
        if isClosing {
            guard depth > 0 else {
                throw ConvertError(line: line, reason: .malformed("an end without a begin"))
            }
            depth -= 1
            return
        }
        guard depth > 0 || name == "gpx" else {
            throw ConvertError(
                line: line,
                reason: .malformed(
                    "a document <\(name.prefix(40))>: what can be converted is GPX, GeoJSON, CSV and lines of "
                        + "two numbers"))
        }
        hasRoot = true
        if !isEmpty { depth += 1 }
    }

    /// Where an export of this program tells people that it is in another system, which it no longer is.
    private func note(
        _ bytes: [UInt8], _ start: Int, _ end: Int, _ options: ConvertOptions
    ) -> Int? {
        guard options.from != .wgs84, options.to != options.from else { return nil }
        let word = options.from.rawValue.uppercased()
        let text = "; positions are in \(word.dropLast(2))-\(word.suffix(2)), not WGS 84"
        let begin = end - text.utf8.count
        return begin >= start && bytes[begin..<end].elementsEqual(text.utf8) ? begin : nil
    }

    private static let opening = Array("<?tracklog crs=\"".utf8)

    /// The system that our own instruction names; `nil` for other markup.
    private func instruction(_ bytes: [UInt8], _ start: Int, _ end: Int) -> String? {
        let low = start + ConvertGPX.opening.count
        guard bytes[start..<end].starts(with: ConvertGPX.opening), end - 3 >= low else {
            return nil
        }
        return String(decoding: bytes[low..<end - 3], as: UTF8.self)
    }

    /// Rewrites the attributes `minlat` and `minlon`, or those of the other corner.
    private func corner(
        _ prefix: String, _ tag: ArraySlice<UInt8>, _ converter: inout PointConverter,
        _ output: inout [UInt8]
    ) throws(ConvertError) {
        let bytes = Array(tag)
        let latitude = attribute(prefix + "lat", bytes, 0, bytes.count)
        let longitude = attribute(prefix + "lon", bytes, 0, bytes.count)
        guard let latitude, let longitude else {
            if latitude != nil || longitude != nil {
                throw ConvertError(line: line, reason: .malformed("bounds without lat and lon"))
            }
            output += bytes
            return
        }
        try converter.rewrite(
            bytes, 0, bytes.count, latitude: latitude, longitude: longitude, line: line, &output)
    }

    /// The name of a tag without its prefix; empty for a closing tag.
    private func localName(_ bytes: [UInt8], _ from: Int, _ end: Int) -> String {
        var low = from
        var index = from
        while index < end, !isNameEnd(bytes[index]) {
            if bytes[index] == UInt8(ascii: ":") { low = index + 1 }
            index += 1
        }
        return String(decoding: bytes[low..<index], as: UTF8.self)
    }

    private func isNameEnd(_ byte: UInt8) -> Bool {
        byte <= 32 || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
            || byte == UInt8(ascii: "=")
    }

    /// The value of an attribute, without its quotes and the blanks in them.
    private func attribute(
        _ name: String, _ bytes: [UInt8], _ start: Int, _ end: Int
    ) -> Range<Int>? {
        var index = start + 1
        while index < end, !isNameEnd(bytes[index]) { index += 1 }
        while index < end {
            while index < end, bytes[index] <= 32 { index += 1 }
            let nameStart = index
            while index < end, !isNameEnd(bytes[index]) { index += 1 }
            let matches = bytes[nameStart..<index].elementsEqual(name.utf8)
            while index < end, bytes[index] <= 32 { index += 1 }
            guard index < end, bytes[index] == UInt8(ascii: "=") else {
                if index == nameStart { index += 1 }
                continue
            }
            index += 1
            while index < end, bytes[index] <= 32 { index += 1 }
            guard index < end else { return nil }
            let quote = bytes[index]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
            index += 1
            var low = index
            while index < end, bytes[index] != quote { index += 1 }
            if matches {
                var high = index
                while low < high, bytes[low] <= 32 { low += 1 }
                while high > low, bytes[high - 1] <= 32 { high -= 1 }
                return low..<high
            }
            index += 1
        }
        return nil
    }

    private func newlines(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
        var count = 0
        for index in start..<end where bytes[index] == 10 { count += 1 }
        return count
    }
}
