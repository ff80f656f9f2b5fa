import Testing

@testable import Platform

@Suite struct StartupCodeTests {
    /// What is given back of mappings in the form that proc(5) gives.
    private func clean(_ lines: String...) -> [Range<UInt>] {
        var mappings = CleanMappings()
        return lines.compactMap { Array(($0 + "\n").utf8).withUnsafeBytes { mappings.next($0) } }
    }

    @Test func `code and constants of a file are given back`() {
        #expect(
            clean(
                "08048000-08056000 r-xp 00000000 03:0c 64593    /usr/sbin/gpm",
                "Rss:                  56 kB", "Anonymous:             0 kB",
                "35b1a21000-35b1a22000 r--p 00221000 08:02 173521    /usr/lib64/libc.so",
                "Anonymous:             0 kB")
                == [0x0804_8000..<0x0805_6000, 0x35_b1a2_1000..<0x35_b1a2_2000])
    }

    @Test(arguments: [
        "08056000-08058000 rw-p 0000d000 03:0c 64593   /usr/sbin/gpm",
        "08058000-0805b000 r-xp 00000000 00:00 0",
        "bffff000-c0000000 r-xp 00000000 00:00 0       [vdso]",
        "r-xp /usr/sbin/gpm", "zz-yy r-xp 0 0 0 /usr/sbin/gpm", "",
    ])
    func `data, memory without a file and what is no mapping are left alone`(line: String) {
        #expect(clean(line, "Anonymous:             0 kB").isEmpty)
    }

    @Test func `pages that were written to before they were protected are left alone`() {
        let mapping = "08048000-08056000 r--p 00000000 03:0c 64593    /usr/sbin/gpm"
        #expect(clean(mapping, "Anonymous:             4 kB").isEmpty)
        #expect(
            clean(
                mapping, "08056000-08058000 rw-p 0000d000 03:0c 64593   /usr/sbin/gpm",
                "Anonymous:             0 kB"
            ).isEmpty)
    }

    @Test func `what was given back is still there`() {
        StartupCode.release()
        #expect(clean("1000-2000 r-xp 0 0:0 0 /x", "Anonymous: 0 kB") == [0x1000..<0x2000])
    }
}
