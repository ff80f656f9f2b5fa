/// GeoJSON: positions under `coordinates`, corners under `bbox`, and a `crs` that names the system.
///
/// GeoJSON is WGS 84 (RFC 7946, section 4), so a document in another system gets a `crs` when it has none.
/// It looks at no more of JSON than it must; what is inside `properties` passes whatever it is called.
struct ConvertGeoJSON: Sendable {
    private var line = 1
    private var stack: [Frame] = []
    /// Whether the document has members, and whether one of them names its system.
    private var hasMembers = false
    private var namesSystem = false
    /// Whether it has a member where GeoJSON keeps positions, and whether it has anything else.
    private var holdsPositions = false
    private var hasContent = false
    /// Positions before it.
    private var before = 0

    /// What the values at a place are.
    private enum Role {
        case plain
        case coordinates
        case bounds
        case properties
        case system
    }

    private struct Frame {
        var isObject: Bool
        var role: Role
        /// What the value of the member that was named last is.
        var member = Role.plain
        var expectsKey: Bool
    }

    private static let deepest = 256
    private static let longestUnit = 1 << 22

    init() {}

    /// Converts whole strings and positions and says how many bytes it took.
    mutating func scan(
        _ bytes: [UInt8], isLast: Bool, _ converter: inout PointConverter, _ output: inout [UInt8]
    ) throws(ConvertError) -> Int {
        var start = 0
        var index = 0
        defer { output += bytes[start..<index] }
        while index < bytes.count {
            switch bytes[index] {
            case 10: line += 1
            case UInt8(ascii: "\""):
                guard let end = stringEnd(bytes, index) else {
                    try wait(bytes, index, isLast)
                    return index
                }
                if try string(bytes, index, end, converter, from: start, &output) { start = end }
                index = end
                continue
            case UInt8(ascii: "{"):
                if isPosition { throw malformed("not a position") }
                try push(isObject: true)
            case UInt8(ascii: "["):
                if isPosition {
                    guard let kind = opening(bytes, index) else {
                        try wait(bytes, index, isLast)
                        return index
                    }
                    if kind == .numbers {
                        guard let end = bytes[index...].firstIndex(of: UInt8(ascii: "]")) else {
                            try wait(bytes, index, isLast)
                            return index
                        }
                        output += bytes[start..<index]
                        try numbers(bytes, index, end + 1, childRole, &converter, &output)
                        index = end + 1
                        start = index
                        continue
                    }
                }
                try push(isObject: false)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard let frame = stack.popLast() else { throw malformed("a bracket too many") }
                guard frame.isObject == (bytes[index] == UInt8(ascii: "}")) else {
                    throw malformed("a bracket that closes another")
                }
                guard stack.isEmpty else { break }
                guard holdsPositions || !hasContent && !hasMembers else {
                    throw malformed("no GeoJSON: no geometry in it")
                }
                if frame.isObject, converter.counts.positions > before, !namesSystem,
                    converter.options.to != .wgs84
                {
                    output += bytes[start..<index]
                    output += Array(",\"crs\":\"\(converter.options.to.rawValue)\"".utf8)
                    start = index
                }
                (hasMembers, namesSystem) = (false, false)
                (holdsPositions, hasContent) = (false, false)
                before = converter.counts.positions
            case UInt8(ascii: ","): if !stack.isEmpty { stack[stack.count - 1].expectsKey = true }
            case UInt8(ascii: ":"): if !stack.isEmpty { stack[stack.count - 1].expectsKey = false }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                if stack.isEmpty { throw malformed("a number outside of all brackets") }
                if isPosition { throw malformed("not a position") }
                hasContent = true
            default: break
            }
            index += 1
        }
        if isLast, !stack.isEmpty { throw malformed("the file is cut short") }
        return index
    }

    private func malformed(_ what: String) -> ConvertError {
        ConvertError(line: line, reason: .malformed(what))
    }

    /// A string or position is not whole yet.
    private func wait(_ bytes: [UInt8], _ index: Int, _ isLast: Bool) throws(ConvertError) {
        if isLast { throw malformed("the file is cut short") }
        if bytes.count - index > ConvertGeoJSON.longestUnit { throw malformed("no end to a value") }
    }

    /// What a value that begins here is.
    private var childRole: Role {
        guard let top = stack.last else { return .plain }
        return top.isObject ? top.member : top.role
    }

    /// Whether a value that begins here is a position or a list of them.
    private var isPosition: Bool {
        let role = childRole
        return role == .coordinates || role == .bounds
    }

    private mutating func push(isObject: Bool) throws(ConvertError) {
        guard stack.count < ConvertGeoJSON.deepest else { throw malformed("nested too deep") }
        stack.append(Frame(isObject: isObject, role: childRole, expectsKey: isObject))
    }

    private func stringEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
        var index = start + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    /// Takes note of a key; writes another name where the file names its system, and says whether it did.
    private mutating func string(
        _ bytes: [UInt8], _ begin: Int, _ end: Int, _ converter: PointConverter, from start: Int,
        _ output: inout [UInt8]
    ) throws(ConvertError) -> Bool {
        let content = bytes[(begin + 1)..<(end - 1)]
        if let top = stack.last, top.isObject, top.expectsKey {
            let role = ConvertGeoJSON.role(of: content, in: top.role)
            if top.role == .plain, content.elementsEqual("arcs".utf8) {
                throw malformed("TopoJSON: what can be converted is GeoJSON")
            }
            stack[stack.count - 1].member = role
            hasMembers = true
            if role == .system { namesSystem = true }
            if role == .coordinates || role == .bounds
                || top.role == .plain
                    && ConvertGeoJSON.holders.contains(where: content.elementsEqual)
            {
                holdsPositions = true
            }
            return false
        }
        if isPosition { throw malformed("a position in quotes") }
        hasContent = true
        guard childRole == .system else { return false }
        let declared = String(decoding: content, as: UTF8.self)
        let system = try converter.declaration(declared, line: line)
        output += bytes[start...begin]
        output += Array(system.rawValue.utf8)
        output.append(UInt8(ascii: "\""))
        return true
    }

    private static let holders = ["geometry", "features", "geometries"].map { Array($0.utf8) }

    private static func role(of key: ArraySlice<UInt8>, in role: Role) -> Role {
        switch role {
        // As exports of this program name it.
        case .properties:
            key.elementsEqual("coordinate_system".utf8) ? .system : .properties
        // `{"type": "name", "properties": {"name": …}}` as GeoJSON had it in 2008.
        case .system: key.elementsEqual("type".utf8) ? .plain : .system
        default:
            if key.elementsEqual("coordinates".utf8) {
                .coordinates
            } else if key.elementsEqual("bbox".utf8) {
                .bounds
            } else if key.elementsEqual("properties".utf8) {
                .properties
            } else if key.elementsEqual("crs".utf8) {
                .system
            } else {
                .plain
            }
        }
    }

    private enum Opening {
        case numbers
        case other
    }

    /// Whether the array at `start` holds numbers; `nil` when that cannot be seen yet.
    private func opening(_ bytes: [UInt8], _ start: Int) -> Opening? {
        guard let byte = bytes[(start + 1)...].first(where: { $0 > 32 }) else { return nil }
        return byte == UInt8(ascii: "-") || (byte >= 48 && byte <= 57) ? .numbers : .other
    }

    /// Rewrites `[longitude, latitude, …]`, or the two corners of a `bbox`.
    private mutating func numbers(
        _ bytes: [UInt8], _ start: Int, _ end: Int, _ role: Role, _ converter: inout PointConverter,
        _ output: inout [UInt8]
    ) throws(ConvertError) {
        var cells: [Range<Int>] = []
        var index = start + 1
        while index < end {
            while index < end, bytes[index] <= 32 { index += 1 }
            let begin = index
            while index < end, bytes[index] > 32, bytes[index] != UInt8(ascii: ","),
                bytes[index] != UInt8(ascii: "]")
            {
                index += 1
            }
            cells.append(begin..<index)
            while index < end, bytes[index] <= 32 { index += 1 }
            index += 1
        }
        let second = role == .bounds ? cells.count / 2 : 0
        // RFC 7946, section 3.1.1 knows two and three; some write the time behind them.
        guard cells.count >= 2, cells.count <= (role == .bounds ? 6 : 4),
            role == .coordinates || cells.count == 4 || cells.count == 6
        else {
            throw malformed("not a position")
        }
        let first = second == 0 ? end : cells[second].lowerBound
        try converter.rewrite(
            bytes, start, first, latitude: cells[1], longitude: cells[0], line: line, &output)
        if second != 0 {
            try converter.rewrite(
                bytes, first, end, latitude: cells[second + 1], longitude: cells[second],
                line: line, &output)
        }
        for index in start..<end where bytes[index] == 10 { line += 1 }
    }
}
