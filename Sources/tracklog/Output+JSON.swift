import Configuration
import GNSS
import JSON

extension Output {
    /// Appends one JSON object on a line, its members in this order.
    func print(json members: KeyValuePairs<String, JSONValue>) {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        JSONValue.object(object).append(to: &text.bytes)
        print("\n")
    }

    /// The option of commands that write a file and tell programs what is in it.
    static let fileOption = Option(
        "json", short: "j", "print one JSON object about the file that --output names")

    /// The file of such a command.
    ///
    /// - Throws: `UsageError` when an object is asked for where the data itself goes.
    static func target(_ arguments: ParsedArguments) throws(UsageError) -> String? {
        let target = arguments.value("output").flatMap { $0 == "-" ? nil : $0 }
        guard target != nil || !arguments.has("json") else {
            throw UsageError("--json tells about a file; name one with --output")
        }
        return target
    }
}

extension JSONValue {
    /// A whole number of any type; those past 64 bits do not occur.
    static func count(_ number: some BinaryInteger) -> JSONValue {
        .integer(Int64(clamping: number))
    }
}
