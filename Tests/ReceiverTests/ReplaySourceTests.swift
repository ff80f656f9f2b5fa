import Foundation
import GNSS
import Receiver
import Testing

@Suite struct ReplaySourceTests {
    @Test func `a gzip log reads as the log itself, in several members too`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json")
            try (gzip(log(0..<500)) + gzip(log(500..<1000))).write(to: file)
            let source = try ReplaySource(paths: [file.path])
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<1000))
            #expect(source.warnings == [])
            #expect(source.counts.bytes == Int64(log(0..<1000).utf8.count))
        }
    }

    @Test func `a gzip log that was cut gives what can be read and a warning`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json.gz")
            let whole = try gzip(log(0..<1000))
            try whole.prefix(whole.count / 2).write(to: file)
            let source = try ReplaySource(paths: [file.path])
            let read = fixes(try drain(source)).count
            #expect(read > 100 && read < 1000)
            #expect(source.warnings == [.truncatedGzip(path: file.path)])
        }
    }

    @Test func `a damaged gzip log gives what comes before the damage and a warning`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json.gz")
            var bytes = try gzip(log(0..<5000))
            bytes.replaceSubrange(
                bytes.count / 2..<bytes.count / 2 + 64, with: Data(repeating: 0xFF, count: 64))
            try bytes.write(to: file)
            let source = try ReplaySource(paths: [file.path])
            let read = fixes(try drain(source)).count
            #expect(read > 100 && read < 5000)
            #expect(source.warnings == [.damagedGzip(path: file.path)])
        }
    }

    /// What `cat` makes of logs packed and plain, in every order.
    @Test(arguments: [
        [true, false], [false, true], [true, false, true], [false, true, false, true],
    ])
    func `packed and plain logs one behind the other are one log`(packed: [Bool]) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json")
            var bytes = Data()
            for (index, isPacked) in packed.enumerated() {
                let part = log(index * 700..<(index + 1) * 700)
                bytes += isPacked ? try gzip(part) : Data(part.utf8)
            }
            try bytes.write(to: file)
            let source = try ReplaySource(paths: [file.path])
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<700 * packed.count))
            #expect(source.warnings == [])
        }
    }

    /// A logger whose plug was pulled appends to what it had.
    @Test(arguments: [true, false], [40, 300, 2000, 20_000])
    func `what follows a member that was cut is read`(isPacked: Bool, cut: Int) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json.gz")
            let first = try gzip(log(0..<6000))
            try #require(first.count > cut)
            let second = log(6000..<6500)
            try (first.prefix(cut) + (isPacked ? try gzip(second) : Data(second.utf8)))
                .write(to: file)
            let source = try ReplaySource(paths: [file.path])
            let read = fixes(try drain(source)).compactMap(\.second)
            // Text may lose the line in which the cut was noticed.
            #expect(read.filter { $0 >= 6000 }.count >= (isPacked ? 500 : 499))
            #expect(Set(read).count == read.count && read.allSatisfy { $0 < 6500 })
            #expect(source.warnings == [.damagedGzip(path: file.path)])
        }
    }

    /// Of one thing over and over compressed data are zeros, or letters, over and over.
    @Test(arguments: ["\u{0}", "U", "$GPTXT,01,01,02,ANTSTATUS=OK*3B\r\n", "\n"])
    func `a gzip log that says one thing over and over is whole`(thing: String) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json.gz")
            let hole = String(repeating: thing, count: 400_000 / thing.utf8.count)
            try gzip(log(0..<100) + hole + "\n" + log(100..<200)).write(to: file)
            let source = try ReplaySource(paths: [file.path])
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<200))
            #expect(source.warnings == [])
        }
    }

    @Test func `a gzip log that holds its text as it is reads as the log itself`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json.gz")
            try gzip(log(0..<2000), level: 0).write(to: file)
            let source = try ReplaySource(paths: [file.path])
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<2000))
            #expect(source.warnings == [])
        }
    }

    @Test func `a pipe that is still written gives what it has and is starved until it has more`()
        throws
    {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("live")
            try #require(mkfifo(file.path, 0o600) == 0)
            let writer = open(file.path, O_RDWR)
            func write(_ text: String) {
                _ = text.withCString { Glibc.write(writer, $0, strlen($0)) }
            }
            write(log(0..<10))
            var settings = ReplaySource.Settings()
            settings.waits = false
            let source = try ReplaySource(paths: [file.path], settings: settings)
            // The last epoch may have more to come.
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<9))
            #expect(source.starved != nil)
            write(log(10..<20))
            #expect(fixes(try drain(source)).map(\.second) == Array(9..<19))
            #expect(source.starved != nil)
            let reader = open(file.path, O_RDONLY | O_NONBLOCK)
            close(writer)
            #expect(fixes(try drain(source)).map(\.second) == [19])
            #expect(source.starved == nil)
            close(reader)
        }
    }

    /// Traps, 20: two receivers a few metres apart make a zigzag of one track.
    @Test func `of several receivers of a log one makes the track, the others are told of`() throws
    {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("two.json")
            try (0..<100).map { tpv($0, device: "/dev/a") + tpv($0, device: "/dev/b") }.joined()
                .write(to: file, atomically: true, encoding: .utf8)
            func devices(_ settings: ReplaySource.Settings) throws -> ([String], Int) {
                let source = try ReplaySource(paths: [file.path], settings: settings)
                let found = fixes(try drain(source)).map { source.deviceNames[Int($0.device)] }
                let isTold = source.warnings.contains {
                    if case .otherReceivers(_, 100, _) = $0 { true } else { false }
                }
                #expect(isTold == (settings.choice != nil))
                return (Set(found).sorted(), found.count)
            }
            var settings = ReplaySource.Settings()
            #expect(try devices(settings) == (["/dev/a", "/dev/b"], 200))
            settings.choice = DeviceChooser.Settings()
            #expect(try devices(settings) == (["/dev/a"], 100))
            settings.device = "/dev/b"
            #expect(try devices(settings) == (["/dev/b"], 100))
        }
    }

    private func chosen(_ log: String) throws -> [String] {
        var found: [String] = []
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("two.json")
            try log.write(to: file, atomically: true, encoding: .utf8)
            var settings = ReplaySource.Settings()
            settings.choice = DeviceChooser.Settings()
            let source = try ReplaySource(paths: [file.path], settings: settings)
            found = fixes(try drain(source)).map { fix in
                "\(source.deviceNames[Int(fix.device)].suffix(1))\(fix.second ?? -1)"
            }
        }
        return found
    }

    @Test func `a receiver that gpsd let go in a log gives way at once, as live`() throws {
        let gone = "{\"class\":\"DEVICE\",\"path\":\"/dev/a\",\"activated\":0}\r\n"
        let log = tpv(0, device: "/dev/a") + tpv(0, device: "/dev/b") + tpv(1, device: "/dev/a")
        #expect(
            try chosen(log + gone + tpv(1, device: "/dev/b") + tpv(2, device: "/dev/b"))
                == ["a0", "a1", "b2"])
    }

    /// The second is an hour behind; of neither a fix is missing for ten seconds.
    @Test func `receivers whose clocks differ do not make the time of a log run faster`() throws {
        let log = (0..<60).map { tpv($0, device: "/dev/a") + tpv($0 - 3600, device: "/dev/b") }
        #expect(try chosen(log.joined()) == (0..<60).map { "a\($0)" })
    }

    @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16])
    func `a log in UTF-16 reads as one in ASCII`(encoding: String.Encoding) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json")
            try #require(log(0..<500).data(using: encoding)).write(to: file)
            let source = try ReplaySource(paths: [file.path])
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<500))
        }
    }

    /// 1024 weeks are 619,315,200 s.
    @Test func `dates before the floor are moved to the rollover nearest to it`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json")
            try """
            {"class":"TPV","device":"/dev/a","mode":3,"time":"2004-07-20T00:00:05.000Z","lat":47,"lon":8}
            {"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-01T00:00:05.000Z","lat":47,"lon":8}

            """.write(to: file, atomically: true, encoding: .utf8)
            var settings = ReplaySource.Settings()
            settings.nmea.floor = UTCTime("2024-01-01T00:00:00Z")
            let read = fixes(try drain(try ReplaySource(paths: [file.path], settings: settings)))
            #expect(
                read.map(\.time)
                    == [UTCTime("2024-03-05T00:00:05Z"), UTCTime("2026-05-01T00:00:05Z")])
            #expect(read.map { $0.notes.contains(.rolloverFixed) } == [true, false])
        }
    }

    @Test func `a line that was cut and runs on costs itself alone`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json")
            let cut = #"{"class":"TPV","device":"/dev/t"#
            let line = tpv(1).trimmingCharacters(in: .newlines) + tpv(2)
            try (tpv(0) + cut + line + tpv(3)).write(
                to: file, atomically: true, encoding: .utf8)
            let source = try ReplaySource(paths: [file.path])
            #expect(fixes(try drain(source)).map(\.second) == [0, 1, 2, 3])
            #expect(source.counts.malformed == 1)
        }
    }

    /// Every length of the first, so that each byte of a word holds the brace between them.
    @Test(arguments: ["", " ", "\t", ","], 0..<16)
    func `objects of one line are told apart`(between: String, padding: Int) throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json")
            let pad = #","x":"\#(String(repeating: "a", count: padding))"}"#
            let reports = (0..<3).map { second in
                tpv(second).trimmingCharacters(in: .whitespacesAndNewlines).dropLast() + pad
            }
            try (reports.joined(separator: between) + "\n").write(
                to: file, atomically: true, encoding: .utf8)
            let source = try ReplaySource(paths: [file.path])
            #expect(fixes(try drain(source)).map(\.second) == [0, 1, 2])
        }
    }

    @Test func `a time that comes again at another place is a measurement of its own`() throws {
        try withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("drive.json")
            let reports = [
                (1, 51.0), (2, 51.001), (1, 51.003), (2, 51.004), (3, 51.005), (2, 51.004),
            ]
            try reports.map { tpv($0, latitude: $1) }.joined().write(
                to: file, atomically: true, encoding: .utf8)
            let read = fixes(try drain(try ReplaySource(paths: [file.path])))
            #expect(read.map(\.latitude) == [51.0, 51.001, 51.003, 51.004, 51.005])
        }
    }

    @Test func `several logs are one history in the order of their times`() throws {
        try withTemporaryFolder { folder in
            let parts = [200..<300, 0..<100, 100..<200]
            let paths = try parts.enumerated().map { index, seconds in
                let file = folder.appendingPathComponent("\(index).json")
                try log(seconds).write(to: file, atomically: true, encoding: .utf8)
                return file.path
            }
            let source = try ReplaySource(paths: paths)
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<300))
            #expect(source.counts.fixes == 300)
        }
    }

    @Test func `logs that overlap are interleaved, and a wild time holds nothing back`() throws {
        try withTemporaryFolder { folder in
            let even = stride(from: 0, to: 100, by: 2)
                .map { $0 == 50 ? tpv(2_000_000_000, latitude: 51) : tpv($0) }.joined()
            let odd = stride(from: 1, to: 100, by: 2).map { tpv($0) }.joined()
            let paths = ["even", "odd"].map { folder.appendingPathComponent($0).path }
            try even.write(toFile: paths[0], atomically: true, encoding: .utf8)
            try odd.write(toFile: paths[1], atomically: true, encoding: .utf8)
            let seconds = fixes(try drain(try ReplaySource(paths: paths))).compactMap(\.second)
            let tame = seconds.filter { $0 < 1000 }
            #expect(tame == tame.sorted())
            #expect(seconds.count == 100)
        }
    }

    @Test func `a log that is given twice is left out once, and said`() throws {
        try withTemporaryFolder { folder in
            let paths = ["a", "copy", "other"].map { folder.appendingPathComponent($0).path }
            try log(0..<100).write(toFile: paths[0], atomically: true, encoding: .utf8)
            try log(0..<100).write(toFile: paths[1], atomically: true, encoding: .utf8)
            try log(100..<200).write(toFile: paths[2], atomically: true, encoding: .utf8)
            let source = try ReplaySource(paths: [paths[0], paths[0], paths[1], paths[2]])
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<200))
            #expect(
                source.warnings == [
                    .duplicate(path: paths[0], of: paths[0]),
                    .duplicate(path: paths[1], of: paths[0]),
                ])
        }
    }

    @Test func `a pipe reads as a file does`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("pipe").path
            #expect(mkfifo(path, 0o600) == 0)
            let text = log(0..<20_000)
            signal(SIGPIPE, SIG_IGN)
            let writer = Thread {
                try? Data(text.utf8).write(to: URL(fileURLWithPath: path), options: [])
            }
            writer.start()
            let source = try ReplaySource(paths: [path])
            // Far more than is kept in memory: the look at its beginning goes through a spool.
            let candidates = [
                ReplayProgress(bytes: 1_500_000, digest: digest(text, 1_500_000), fixes: 1)
            ]
            #expect(try source.resumePoint(ofLog: 0, candidates: candidates) == 0)
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<20_000))
            #expect(source.progress(ofLog: 0).digest == digest(text, text.utf8.count))
        }
    }

    @Test func `a log that has grown is known by its beginning`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("drive.json").path
            try log(0..<1000).write(toFile: path, atomically: true, encoding: .utf8)
            let first = try ReplaySource(paths: [path])
            _ = try drain(first)
            let whole = first.progress(ofLog: 0)
            #expect(whole.fixes == 1000)
            #expect(whole.bytes == Int64(log(0..<1000).utf8.count))

            try log(0..<1500).write(toFile: path, atomically: true, encoding: .utf8)
            let half = ReplayProgress(bytes: 700, digest: digest(log(0..<1000), 700), fixes: 3)
            let other = ReplayProgress(bytes: whole.bytes + 5, digest: 1, fixes: 1001)
            let tooLong = ReplayProgress(bytes: 1 << 40, digest: whole.digest, fixes: 9)
            let second = try ReplaySource(paths: [path])
            #expect(
                try second.resumePoint(ofLog: 0, candidates: [half, tooLong, whole, other]) == 2)
            #expect(fixes(try drain(second)).count == 1500)

            let changed = try ReplaySource(paths: [path])
            #expect(try changed.resumePoint(ofLog: 0, candidates: [other]) == nil)
        }
    }

    @Test func `an interrupted replay knows bytes that hold all fixes it gave`() throws {
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("drive.json").path
            try log(0..<5000).write(toFile: path, atomically: true, encoding: .utf8)
            let source = try ReplaySource(paths: [path])
            var epoch = Epoch.noFix(nil)
            for _ in 0..<2345 { #expect(try source.next(into: &epoch)) }
            let progress = source.progress(ofLog: 0)
            #expect(progress.fixes == 2345)
            #expect(progress.bytes >= Int64(log(0..<2345).utf8.count))
            #expect(progress.digest == digest(log(0..<5000), Int(progress.bytes)))
        }
    }

    @Test func `time stamps of gpspipe before a report are passed over`() throws {
        // The forms of gpspipe 3.22: -t, -u, -uu and -Z.
        let stamps = [
            "2026-11-30 07:03:47: ", "2026-11-30 07:03:47.707451: ",
            "2026-11-30 07:03:47 1796022227.766126: ", "2026-11-30T07:03:47: ",
        ]
        try withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("stamped.json").path
            let text = (0..<40).map { stamps[$0 % 4] + tpv($0) }.joined()
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            let source = try ReplaySource(paths: [path])
            #expect(fixes(try drain(source)).map(\.second) == Array(0..<40))
            #expect(source.counts.noise == 0)
        }
    }
}

private func digest(_ text: String, _ count: Int) -> UInt64 {
    var digest = LogDigest()
    Data(text.utf8.prefix(count)).withUnsafeBytes { digest.update($0) }
    return digest.value
}
