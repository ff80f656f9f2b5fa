import CSystemd
import Glibc

/// The code that only starting needs.
public enum StartupCode {
    /// Takes the pages of code and constants used so far, and free memory, out of this process's memory.
    ///
    /// A start runs through megabytes of code once: settings, schema, libraries. What is used again comes back from
    /// the file, 64 KiB at a time; the rest is the machine's to forget, as is the stack that it was deep in. The C functions are
    /// `madvise` and `malloc_trim`; where `/proc/self/smaps` (proc(5)) cannot be read no code is released.
    ///
    /// - Returns: where the program's own code is, which ``release(_:)`` gives back again at any time.
    @discardableResult
    public static func release() -> [Range<UInt>] {
        guard let maps = unsafe fopen("/proc/self/smaps", "re") else { return [] }
        defer { unsafe fclose(maps) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { unsafe free(line) }
        var reader = CleanMappings()
        var ranges: [Range<UInt>] = []
        while unsafe getline(&line, &capacity, maps) > 0 {
            guard let text = unsafe line else { break }
            if let range = reader.next(unsafe String(cString: text)) { ranges.append(range) }
        }
        release(ranges)
        release([unusedStack(reader.stack)])
        malloc_trim(0)
        // Libraries come and go; the program's own code, where this is, stays in its place.
        let here: @convention(c) () -> Void = {}
        let address = unsafe UInt(bitPattern: unsafeBitCast(here, to: UnsafeRawPointer.self))
        return ranges.filter { $0.contains(address) }
    }

    /// What lies two pages and more beyond the function that runs.
    private static func unusedStack(_ stack: Range<UInt>) -> Range<UInt> {
        var here: UInt8 = 0
        let used = unsafe withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
        let page = UInt(getpagesize())
        let end = (used / page &- 2) &* page
        return stack.contains(end) ? stack.lowerBound..<end : 0..<0
    }

    /// Gives back the pages of those ranges once more.
    public static func release(_ ranges: [Range<UInt>]) {
        for range in ranges {
            let start = unsafe UnsafeMutableRawPointer(bitPattern: range.lowerBound)
            _ = unsafe madvise(start, range.count, MADV_DONTNEED)
        }
    }
}

/// Finds the mappings of files that are as the file is, line by line of `/proc/PID/smaps`.
struct CleanMappings {
    private var range: Range<UInt>?
    /// Where the stack is, once its line has been read.
    private(set) var stack: Range<UInt> = 0..<0

    /// Takes the next line; the addresses of a mapping when it has been seen to be clean.
    ///
    ///     55d8c6bd8000-55d8c6bda000 r-xp 00002000 fe:00 1234    /usr/sbin/tracklogd
    ///     Anonymous:             0 kB
    ///
    /// What the dynamic linker has written to and then protected is not: it would come back as before.
    mutating func next(_ line: String) -> Range<UInt>? {
        let words = line.split(whereSeparator: \.isWhitespace)
        if words.count >= 6, words[1] == "r-xp" || words[1] == "r--p", words[5].hasPrefix("/") {
            range = addresses(words[0])
        } else if words.count == 6, words[5] == "[stack]" {
            stack = addresses(words[0]) ?? stack
            range = nil
        } else if words.first == "Anonymous:" {
            defer { range = nil }
            return words.dropFirst().first == "0" ? range : nil
        } else if words.count >= 5, words[1].count == 4, words[1].hasSuffix("p") {
            range = nil
        }
        return nil
    }

    private func addresses(_ text: Substring) -> Range<UInt>? {
        let ends = text.split(separator: "-").compactMap { UInt($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}
