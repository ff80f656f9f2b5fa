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
            let bytes = unsafe UnsafeRawBufferPointer(start: text, count: strlen(text))
            if let range = unsafe reader.next(bytes) { ranges.append(range) }
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
    mutating func next(_ line: UnsafeRawBufferPointer) -> Range<UInt>? {
        let words = unsafe line.split(maxSplits: 5) { $0 == 32 || $0 == 10 }
        func isWord(_ index: Int, _ text: StaticString) -> Bool {
            unsafe index < words.count
                && text.withUTF8Buffer { unsafe words[index].elementsEqual($0) }
        }
        if isWord(0, "Anonymous:") {
            defer { range = nil }
            return isWord(1, "0") ? range : nil
        }
        // Of the other lines only those of mappings have a second word of four letters: what may be done there.
        guard unsafe words.count >= 5, unsafe words[1].count == 4 else { return nil }
        range = nil
        guard unsafe words.count == 6 else { return nil }
        let name = unsafe words[5].drop { $0 == 32 }.prefix { $0 != 10 }
        if unsafe name.elementsEqual("[stack]".utf8) {
            stack = unsafe addresses(words[0]) ?? stack
        } else if unsafe name.first == UInt8(ascii: "/"), isWord(1, "r-xp") || isWord(1, "r--p") {
            range = unsafe addresses(words[0])
        }
        return nil
    }

    private func addresses(_ text: Slice<UnsafeRawBufferPointer>) -> Range<UInt>? {
        var ends: [UInt] = [0]
        for place in unsafe text.indices {
            let digit: UInt8
            switch unsafe text[place] {
            case let byte where byte >= 48 && byte <= 57: digit = byte - 48
            case let byte where byte >= 97 && byte <= 102: digit = byte - 87
            case UInt8(ascii: "-"):
                ends.append(0)
                continue
            default: return nil
            }
            ends[ends.count - 1] = ends[ends.count - 1] << 4 | UInt(digit)
        }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
}
