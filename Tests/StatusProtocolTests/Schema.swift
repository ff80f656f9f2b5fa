import JSON
import Testing

/// Expects that a value has the members, and only those, that a JSON Schema of the protocol tells.
func expect(_ value: JSONValue, follows schema: JSONValue, at path: String) {
    switch schema["type"]?.string {
    case "object":
        for member in value.object?.members ?? [] {
            guard let inner = schema["properties"]?[member.name] else {
                Issue.record("\(path).\(member.name) is not described")
                continue
            }
            expect(member.value, follows: inner, at: "\(path).\(member.name)")
        }
        for name in schema["required"]?.array ?? [] {
            #expect(value[name.string ?? ""] != nil, "\(path)")
        }
    case "string": #expect(value.string != nil, "\(path)")
    case "integer": #expect(value.integer != nil, "\(path)")
    case "number": #expect(value.number != nil, "\(path)")
    case "boolean": #expect(value.bool != nil, "\(path)")
    case "array":
        #expect(value.array != nil, "\(path)")
        for element in value.array ?? [] {
            if let items = schema["items"] { expect(element, follows: items, at: path) }
        }
    case let type: Issue.record("\(path): \(type ?? "no type")")
    }
}
