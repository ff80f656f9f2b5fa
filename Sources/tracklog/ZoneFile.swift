import Configuration
import Glibc

/// Which names of time zones mean something: the C library takes an unknown one for UTC and says nothing.
enum ZoneFile {
    /// Whether a name as `Europe/Paris` is one of the system's zones.
    static func isKnown(_ name: String) -> Bool {
        guard !name.isEmpty, !name.hasPrefix("/"), !name.contains("..") else { return false }
        return isZone(path: "\(Environment.value("TZDIR") ?? "/usr/share/zoneinfo")/\(name)")
    }

    /// Whether the C library understands a value of the variable `TZ` (tzset(3)).
    static func isKnown(environment value: String) -> Bool {
        let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
        // The C library needs no file for these.
        if ["", "UTC", "GMT", "Etc/UTC"].contains(name) { return true }
        return name.hasPrefix("/") ? isZone(path: name) : isKnown(name) || isRule(name)
    }

    /// Whether a file begins as RFC 8536, section 3.1 says.
    private static func isZone(path: String) -> Bool {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return false
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var magic = [UInt8](repeating: 0, count: 4)
        let count = unsafe magic.withUnsafeMutableBytes {
            unsafe read(descriptor, $0.baseAddress, $0.count)
        }
        return count == 4 && magic == Array("TZif".utf8)
    }

    /// Whether a text is a rule as `CET-1CEST,M3.5.0,M10.5.0/3` (POSIX.1-2017, section 8.3).
    private static func isRule(_ text: String) -> Bool {
        var rest = text.utf8[...]
        guard takeName(&rest), takeOffset(&rest) else { return false }
        if rest.isEmpty { return true }
        guard takeName(&rest) else { return false }
        if let byte = rest.first, byte != UInt8(ascii: ",") {
            guard takeOffset(&rest) else { return false }
        }
        if rest.isEmpty { return true }
        let dates = rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return dates.count == 3 && dates[0].isEmpty && dates[1...].allSatisfy(isDate)
    }

    /// `Mm.w.d`, `Jn` or `n`, and the time of day behind a slash.
    private static func isDate(_ text: Substring.UTF8View) -> Bool {
        var rest = text
        let parts = rest.first == UInt8(ascii: "M") ? 3 : 1
        if let first = rest.first, first == UInt8(ascii: "M") || first == UInt8(ascii: "J") {
            rest = rest.dropFirst()
        }
        for part in 0..<parts {
            if part > 0 {
                guard rest.first == UInt8(ascii: ".") else { return false }
                rest = rest.dropFirst()
            }
            guard takeDigits(&rest) else { return false }
        }
        guard rest.first == UInt8(ascii: "/") else { return rest.isEmpty }
        rest = rest.dropFirst()
        return takeOffset(&rest) && rest.isEmpty
    }

    /// Three letters or more, or anything between angle brackets.
    private static func takeName(_ rest: inout Substring.UTF8View) -> Bool {
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[rest.index(after: end)...]
            return true
        }
        let name = rest.prefix { ($0 | 32) >= UInt8(ascii: "a") && ($0 | 32) <= UInt8(ascii: "z") }
        rest = rest.dropFirst(name.count)
        return name.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]`.
    private static func takeOffset(_ rest: inout Substring.UTF8View) -> Bool {
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            rest = rest.dropFirst()
        }
        guard takeDigits(&rest) else { return false }
        while rest.first == UInt8(ascii: ":") {
            rest = rest.dropFirst()
            guard takeDigits(&rest) else { return false }
        }
        return true
    }

    private static func takeDigits(_ rest: inout Substring.UTF8View) -> Bool {
        let digits = rest.prefix { $0 >= 48 && $0 <= 57 }
        rest = rest.dropFirst(digits.count)
        return !digits.isEmpty
    }
}
