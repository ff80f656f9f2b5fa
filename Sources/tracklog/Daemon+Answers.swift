import Configuration
import GNSS
import JSON
import StatusProtocol

extension Daemon {
    static let jsonOption = Option(
        "json", short: "j", "print the daemon's answer as one JSON object")

    /// Asks one thing on a connection of its own.
    static func call(
        _ arguments: ParsedArguments, _ method: String, _ params: JSONObject = JSONObject(),
        timeout: Double? = 5
    ) throws -> JSONValue {
        let client = try connect(arguments)
        return try asking { () throws(ClientError) in
            try client.call(method, params, timeout: timeout)
        }
    }

    /// Asks one thing and reads the answer.
    static func report<Report>(
        _ arguments: ParsedArguments, _ method: String, _ params: JSONObject = JSONObject(),
        timeout: Double? = 5, _ read: (JSONValue) throws(DecodeError) -> Report
    ) throws -> Report {
        let value = try call(arguments, method, params, timeout: timeout)
        do throws(DecodeError) {
            return try read(value)
        } catch {
            throw Failure("the answer is not tracklogd's: \(error)", .dataError)
        }
    }

    /// Asks one thing and prints the answer as it is.
    static func printAnswer(
        _ arguments: ParsedArguments, _ method: String, _ params: JSONObject = JSONObject(),
        timeout: Double? = 5, to output: Output
    ) throws -> ExitCode {
        try call(arguments, method, params, timeout: timeout).append(to: &output.text.bytes)
        output.print("\n")
        return .ok
    }
}
