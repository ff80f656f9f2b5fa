import CSystemd
import GNSS
import Glibc

/// Where the daemon writes what happens: one event a line, lower case, keys for machines.
///
/// When standard error is the systemd journal each key is a field of its own there (`TRACKLOG_REASON=`), and
/// events that the message catalogue explains have their MESSAGE_ID;
/// otherwise the line goes to standard error as `<5>receiver asleep reason=stationary`, on a terminal with the
/// program's name in place of the priority. A log that nobody reads never holds the daemon up: lines that do not fit are counted and dropped.
public final class Journal {
    /// Lines less important than this are not written.
    public var threshold: LogLevel

    private let identifier: String
    private let descriptor: Int32
    private let isNative: Bool
    /// A person reads it: the program's name says more than a priority.
    private let isTerminal: Bool
    private var lost = 0

    /// A log that goes to `descriptor` (standard error), or natively to the journal behind it.
    public init(identifier: String, threshold: LogLevel = .info, to descriptor: Int32 = 2) {
        self.identifier = identifier
        self.threshold = threshold
        self.descriptor = descriptor
        isNative = Journal.isJournal(descriptor)
        isTerminal = isatty(descriptor) == 1
    }

    /// Writes one event with its fields, in their order.
    ///
    /// - Parameters:
    ///   - event: a few words, lower case, the same each time.
    ///   - fields: keys are lower-case letters, digits and `_`; no coordinates above ``LogLevel/debug``.
    ///   - name: the event of the message catalogue when `event` varies.
    public func write(
        _ level: LogLevel, _ event: String, _ fields: KeyValuePairs<String, String> = [:],
        as name: String? = nil
    ) {
        guard level <= threshold else { return }
        var text = TextBuffer()
        text.append(text: event)
        for (key, value) in fields {
            text.append(byte: UInt8(ascii: " "))
            text.append(text: key)
            text.append(byte: UInt8(ascii: "="))
            if Journal.isPlain(value) { text.append(text: value) } else { text.append(json: value) }
        }
        if isNative, send(level, text, fields, EventCatalog.id(of: name ?? event)) { return }
        if lost > 0, put(.warning, "log lines lost count=\(lost)".utf8) { lost = 0 }
        if !put(level, text.bytes) { lost += 1 }
    }

    // MARK: Standard error

    private func put(_ level: LogLevel, _ text: some Collection<UInt8>) -> Bool {
        // A pipe that poll calls writable takes PIPE_BUF bytes whole and at once (pipe(7)).
        var line =
            isTerminal
            ? Array("\(identifier): ".utf8)
            : [UInt8(ascii: "<"), 48 + level.rawValue, UInt8(ascii: ">")]
        line += text.prefix(Int(PIPE_BUF) - line.count - 1)
        line.append(UInt8(ascii: "\n"))
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&state, 1, 0) == 1, state.revents & Int16(POLLOUT) != 0 else {
            return false
        }
        return unsafe Glibc.write(descriptor, line, line.count) == line.count
    }

    private static func isPlain(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }

    // MARK: The journal

    private func send(
        _ level: LogLevel, _ text: TextBuffer, _ fields: KeyValuePairs<String, String>,
        _ messageID: String?
    ) -> Bool {
        var parts: [[UInt8]] = [
            Array("MESSAGE=".utf8) + text.bytes,
            Array("PRIORITY=\(level.rawValue)".utf8),
            Array("SYSLOG_IDENTIFIER=\(identifier)".utf8),
        ]
        if let messageID { parts.append(Array("MESSAGE_ID=\(messageID)".utf8)) }
        for (key, value) in fields {
            parts.append(Array("TRACKLOG_\(key.uppercased())=\(value)".utf8))
        }
        var bytes = Array(parts.joined())
        return unsafe bytes.withUnsafeMutableBytes { memory in
            var start = 0
            let pieces = unsafe parts.map { part in
                defer { start += part.count }
                return unsafe iovec(
                    iov_base: memory.baseAddress.map { unsafe $0 + start }, iov_len: part.count)
            }
            return unsafe sd_journal_sendv(pieces, Int32(pieces.count)) == 0
        }
    }

    /// Whether `descriptor` is the journal's own stream (systemd.exec(5), `$JOURNAL_STREAM`).
    private static func isJournal(_ descriptor: Int32) -> Bool {
        guard let stream = unsafe getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
    }
}
