import Configuration
import GNSS
import Glibc

/// The time zone that a person reads and writes times in.
struct Zone {
    private enum Kind {
        case fixed(Int64)
        /// What the C library's TZ says.
        case system
    }

    static let option = Option(
        "tz", value: "ZONE",
        "read and show times in ZONE: UTC, local, +02:00 or a name as Europe/Paris",
        byDefault: "UTC")

    private let kind: Kind

    /// The zone that `--tz` asks for.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        let text = arguments.value("tz") ?? "UTC"
        switch text.lowercased() {
        case "utc", "z": kind = .fixed(0)
        case "local":
            if let name = Environment.value("TZ"), !ZoneFile.isKnown(environment: name) {
                throw UsageError(
                    "TZ is '\(name)', a zone that is not known: --tz local cannot be told")
            }
            tzset()
            kind = .system
        default:
            // An offset is what an ISO 8601 time may end in.
            let epoch =
                text.first.map { "+-".contains($0) } == true
                ? UTCTime("1970-01-02T00:00\(text)") : nil
            if let epoch {
                kind = .fixed(86_400_000 - epoch.milliseconds)
            } else {
                guard ZoneFile.isKnown(text) else {
                    throw UsageError(
                        "bad value '\(text)' for --tz: expected UTC, local, +02:00 or a name as Europe/Paris"
                    )
                }
                unsafe setenv("TZ", text, 1)
                tzset()
                kind = .system
            }
        }
    }

    /// Milliseconds the zone is ahead of UTC at an instant.
    func offset(at time: UTCTime) -> Int64 {
        switch kind {
        case .fixed(let offset): return offset
        case .system:
            var seconds = time_t(time.milliseconds / 1000)
            var civil = unsafe tm()
            guard unsafe localtime_r(&seconds, &civil) != nil else { return 0 }
            return Int64(unsafe civil.tm_gmtoff) * 1000
        }
    }

    /// As `2026-05-01 10:00:00Z` or `2026-05-01 12:00:00+02:00`; milliseconds only when there are some.
    func text(_ time: UTCTime) -> String {
        let offset = offset(at: time)
        var text = TextBuffer()
        text.append(UTCTime(milliseconds: time.milliseconds + offset))
        var bytes = text.bytes.dropLast()
        if bytes.suffix(4) == [46, 48, 48, 48] { bytes = bytes.dropLast(4) }
        let plain = String(decoding: bytes, as: UTF8.self).split(separator: "T").joined(
            separator: " ")
        guard offset != 0 else { return plain + "Z" }
        var zone = TextBuffer()
        zone.append(byte: offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        zone.append(Int(abs(offset) / 3_600_000), width: 2)
        zone.append(byte: UInt8(ascii: ":"))
        zone.append(Int(abs(offset) / 60_000 % 60), width: 2)
        return plain + zone.string
    }

    /// The value of an option that is a time.
    func time(_ option: String, in arguments: ParsedArguments) throws(UsageError) -> UTCTime? {
        guard let text = arguments.value(option) else { return nil }
        // A time that comes twice: what is from the first until the second is meant.
        guard let time = time(of: text, isEnd: option == "until") else {
            throw UsageError(
                "bad value '\(text)' for --\(option): expected \(TimeText.expects)",
                didYouMean: Spelling.nearest(to: text, among: ["now", "today", "yesterday"]))
        }
        return time
    }

    /// The time that a text names; `nil` when it names none.
    func time(of text: String, isEnd: Bool = false) -> UTCTime? {
        TimeText.parse(text, now: Zone.now, isEnd: isEnd, offset: { offset(at: $0) })
    }

    static var now: UTCTime {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UTCTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
