import GNSS
import JSON

/// Fills a report from a JSON object and remembers what is missing or of the wrong type.
///
/// Members it does not know are passed over: a newer daemon may add some.
struct FieldReader: FieldVisitor {
    private(set) var failure: DecodeError?
    private var object: JSONObject
    private var path: String

    static func read<R: Report>(
        _ type: R.Type, from value: JSONValue, at path: String
    ) throws(DecodeError) -> R {
        guard let object = value.object else { throw DecodeError(field: path) }
        var reader = FieldReader(object: object, path: path)
        var report = R()
        report.visit(&reader)
        if let failure = reader.failure { throw failure }
        return report
    }

    private init(object: JSONObject, path: String) {
        self.object = object
        self.path = path
    }

    private mutating func take<T>(
        _ name: String, _ value: inout T?, _ convert: (JSONValue) -> T?
    ) {
        guard let found = object[name] else {
            value = nil
            return
        }
        value = convert(found)
        if value == nil { fail(name) }
    }

    private mutating func take<T>(
        _ name: String, _ value: inout T, _ convert: (JSONValue) -> T?
    ) {
        if let converted = object[name].flatMap(convert) { value = converted } else { fail(name) }
    }

    private mutating func fail(_ name: String) {
        if failure == nil { failure = DecodeError(field: "\(path).\(name)") }
    }

    mutating func text(_ name: String, _ value: inout String, _ summary: String) {
        take(name, &value) { $0.string }
    }

    mutating func text(_ name: String, _ value: inout String?, _ summary: String) {
        take(name, &value) { $0.string }
    }

    mutating func texts(_ name: String, _ value: inout [String], _ summary: String) {
        take(name, &value) { found in
            found.array.flatMap { elements in
                let texts = elements.compactMap(\.string)
                return texts.count == elements.count ? texts : nil
            }
        }
    }

    mutating func time(_ name: String, _ value: inout UTCTime?, _ summary: String) {
        take(name, &value) { $0.string.flatMap { UTCTime($0) } }
    }

    mutating func flag(_ name: String, _ value: inout Bool, _ summary: String) {
        take(name, &value) { $0.bool }
    }

    mutating func flag(_ name: String, _ value: inout Bool?, _ summary: String) {
        take(name, &value) { $0.bool }
    }

    mutating func integer<I: FixedWidthInteger>(
        _ name: String, _ value: inout I, _ unit: String?, _ summary: String
    ) {
        take(name, &value) { $0.integer.flatMap { I(exactly: $0) } }
    }

    mutating func integer<I: FixedWidthInteger>(
        _ name: String, _ value: inout I?, _ unit: String?, _ summary: String
    ) {
        take(name, &value) { $0.integer.flatMap { I(exactly: $0) } }
    }

    mutating func number(
        _ name: String, _ value: inout Double, _ unit: String?, _ summary: String
    ) {
        take(name, &value) { $0.number }
    }

    mutating func number(
        _ name: String, _ value: inout Double?, _ unit: String?, _ summary: String
    ) {
        take(name, &value) { $0.number }
    }

    mutating func report<R: Report>(_ name: String, _ value: inout R, _ summary: String) {
        guard let found = object[name] else { return fail(name) }
        do throws(DecodeError) {
            value = try FieldReader.read(R.self, from: found, at: "\(path).\(name)")
        } catch {
            if failure == nil { failure = error }
        }
    }

    mutating func report<R: Report>(_ name: String, _ value: inout R?, _ summary: String) {
        guard object[name] != nil else {
            value = nil
            return
        }
        var present = R()
        report(name, &present, summary)
        value = present
    }

    mutating func list<R: Report>(_ name: String, _ value: inout [R], _ summary: String) {
        guard let found = object[name]?.array else { return fail(name) }
        do throws(DecodeError) {
            value = []
            for element in found {
                value.append(try FieldReader.read(R.self, from: element, at: "\(path).\(name)"))
            }
        } catch {
            if failure == nil { failure = error }
        }
    }

    mutating func fix(_ value: inout Fix?) {
        value = nil
        guard object["lat"] != nil || object["lon"] != nil else { return }
        value = Fix(members: object)
        if value == nil { fail("lat") }
    }

    mutating func flags(_ value: inout FixFlags) {
        let names = object["flags"]?.array?.compactMap(\.string) ?? []
        value = FixFlags.names.reduce(into: FixFlags()) { flags, entry in
            if names.contains(entry.name) { flags.insert(entry.flag) }
        }
    }
}

/// A reply that lacks a member, or has one of the wrong type.
public struct DecodeError: Error, Equatable, CustomStringConvertible {
    /// The path of the member, as `status.store.bytes`.
    public let field: String

    /// What is wrong, in words.
    public var description: String {
        "\(field) is missing or of the wrong type"
    }
}
