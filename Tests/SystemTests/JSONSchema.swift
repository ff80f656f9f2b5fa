import Foundation

/// As much of JSON Schema as `methods` writes: types, members, required ones, items, enumerations.
///
/// Stricter in one thing: a member that the schema does not tell of is a fault.
enum JSONSchema {
    static func faults(in value: Any, by schema: [String: Any], at path: String) -> [String] {
        let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
        guard types.contains(where: { isOf($0, value) }) else {
            return ["\(path) is no \(types.joined(separator: " or ")): \(value)"]
        }
        if let words = schema["enum"] as? [String], let word = value as? String,
            !words.contains(word)
        {
            return ["\(path) is none of \(words): \(word)"]
        }
        if let elements = value as? [Any], let items = schema["items"] as? [String: Any] {
            return elements.enumerated().flatMap {
                JSONSchema.faults(in: $0.element, by: items, at: "\(path)[\($0.offset)]")
            }
        }
        guard let object = value as? [String: Any] else { return [] }
        let known = schema["properties"] as? [String: Any] ?? [:]
        var faults: [String] = []
        for name in schema["required"] as? [String] ?? [] where object[name] == nil {
            faults.append("\(path).\(name) is missing")
        }
        for (name, member) in object {
            guard let schema = known[name] as? [String: Any] else {
                faults.append("\(path).\(name) is not told of")
                continue
            }
            faults += JSONSchema.faults(in: member, by: schema, at: "\(path).\(name)")
        }
        return faults
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        let number = value as? NSNumber
        let isBoolean = number.map { isTruthValue($0) } ?? false
        switch type {
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "string": return value is String
        case "boolean": return isBoolean
        case "number": return number != nil && !isBoolean
        case "integer":
            return number != nil && !isBoolean
                && number?.doubleValue.rounded() == number?.doubleValue
        case "null": return value is NSNull
        default: return false
        }
    }

    /// Foundation reads true and 1 into one type that remembers which it was.
    private static func isTruthValue(_ number: NSNumber) -> Bool {
        String(cString: number.objCType) == "c"
    }
}
