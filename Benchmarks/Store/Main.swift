import GNSS
import Glibc
import Storage

// Writes fixes as a receiver in a car gives them, and says what that cost.
//
//   bench-store FILE COUNT BATCH [laps=N] [ack=FILE] [hz=RATE] [pages=N]
//   bench-store FILE keep seal|thin|rows=N|age=SECONDS
//
// With `ack` a line `ACK sequence` is appended for each fix once it is durable, failures are outlived as the daemon does,
// and SIGTERM ends it: what fault injection asks for. COUNT 0 goes on until then.
// With `laps` the drive is at its beginning again every N fixes.

/// Set by SIGTERM.
nonisolated(unsafe) private var isEnding: sig_atomic_t = 0

nonisolated(unsafe) private var checkpointPages: Int?

@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        func option(_ name: String) -> String? {
            arguments.dropFirst(4).first { $0.hasPrefix(name + "=") }
                .map { String($0.dropFirst(name.utf8.count + 1)) }
        }
        if arguments.count == 4, arguments[2] == "keep" { return keep(arguments[1], arguments[3]) }
        guard arguments.count >= 4, let count = Int(arguments[2]), let batch = Int(arguments[3]),
            batch > 0
        else {
            print("usage: bench-store FILE COUNT BATCH [ack=FILE] [hz=RATE] [pages=N]")
            exit(64)
        }
        // How many pages of journal make a checkpoint.
        if let pages = option("pages").flatMap({ Int($0) }) { unsafe checkpointPages = pages }
        do {
            if let acknowledgements = option("ack") {
                try record(
                    arguments[1], count == 0 ? .max : count, batch, acknowledgements,
                    rate: option("hz").flatMap(Double.init))
            } else {
                let laps = option("laps").flatMap { Int($0) } ?? .max
                try measure(arguments[1], count, batch, laps: max(1, laps))
            }
        } catch {
            print(error)
            exit(74)
        }
    }

    /// Writes as fast as it goes.
    private static func measure(
        _ path: String, _ count: Int, _ batch: Int, laps: Int
    ) throws(StoreError) {
        let store = try open(path)
        var drive = Drive(from: 0)
        let before = processorTime()
        for index in 1...max(1, count) {
            if index % laps == 0 { drive.goHome() }
            store.append(drive.next())
            if index % batch == 0 { try store.commit() }
        }
        try store.close(ending: "stopped")
        let seconds = processorTime() - before
        var text = TextBuffer()
        text.append("cpu_s ")
        text.append(seconds, decimals: 3)
        text.append(" fixes_per_cpu_s ")
        text.append(Double(count) / seconds, decimals: 0)
        text.append(" bytes_per_fix ")
        text.append(Double(store.sizeOnDisk) / Double(count), decimals: 2)
        print(text.string)
    }

    /// Seals, thins or removes until nothing is left to do, and says what that took.
    private static func keep(_ path: String, _ what: String) {
        var limits = Retention()
        let number = what.split(separator: "=").last.flatMap { Int64($0) } ?? 0
        switch what.split(separator: "=").first {
        case "seal": limits.sealAge = 0
        case "thin": limits.thinAge = 0
        case "rows": limits.rows = number
        case "age": limits.age = number * 1000
        default:
            print("bench-store: keep seal, thin, rows=N or age=SECONDS")
            exit(64)
        }
        do throws(StoreError) {
            let store = try TrackStore(path: path)
            let newest = try store.latest()?.fix.time
            let present = limits.age == nil ? UTCTime(milliseconds: 4_000_000_000_000) : newest
            let before = processorTime()
            var steps = 0
            while try !store.keep(limits, present: present, now: UTCTime(milliseconds: 0)).isDone {
                steps += 1
            }
            let seconds = processorTime() - before
            try store.close(ending: "stopped")
            var text = TextBuffer()
            text.append("steps ")
            text.append(steps)
            text.append(" cpu_s ")
            text.append(seconds, decimals: 3)
            print(text.string)
        } catch {
            print(error)
            exit(74)
        }
    }

    /// Writes what it can and acknowledges what is durable.
    private static func record(
        _ path: String, _ count: Int, _ batch: Int, _ acknowledgements: String, rate: Double?
    ) throws(StoreError) {
        // Nobody may be left to end it.
        alarm(300)
        // Who started it may have had signals blocked.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
        signal(SIGTERM) { _ in unsafe isEnding = 1 }
        // A file size limit shows as an error of the write then.
        signal(SIGXFSZ, SIG_IGN)
        let acks = unsafe Glibc.open(acknowledgements, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        var found: TrackStore?
        var attempt = 0
        while found == nil {
            attempt += 1
            do {
                found = try open(path)
            } catch {
                guard error.isTransient, attempt < 100, unsafe isEnding == 0 else { throw error }
                print(error)
                usleep(20_000)
            }
        }
        guard let store = found else { return }
        var acknowledged = store.durableSequence
        var drive = Drive(from: acknowledged)
        func commit() -> Bool {
            do {
                let durable = try store.commit()
                var lines = TextBuffer()
                // What was dropped is known to be missing.
                let first = store.dropped > 0 ? durable : acknowledged + 1
                for sequence in stride(from: first, through: durable, by: 1) {
                    lines.append("ACK ")
                    lines.append(sequence)
                    lines.append("\n")
                }
                acknowledged = durable
                _ = unsafe write(acks, lines.bytes, lines.bytes.count)
                return true
            } catch {
                print(error)
                fflush(nil)
                return false
            }
        }
        var written = 0
        while written < count, unsafe isEnding == 0 {
            written += 1
            store.append(drive.next())
            if let rate { usleep(UInt32(1e6 / rate)) }
            if written % batch == 0 { _ = commit() }
        }
        if store.waiting > 0 {
            for _ in 1...20 where !commit() { usleep(20_000) }
        }
        try store.close(ending: "stopped")
    }

    private static func open(_ path: String) throws(StoreError) -> TrackStore {
        var options = TrackStore.Options()
        if let pages = unsafe checkpointPages { options.checkpointPages = pages }
        let store = try TrackStore(path: path, options: options)
        store.beginRun(
            Run(
                bootID: "bench", started: UTCTime(milliseconds: 0), startedBoot: 0,
                source: "bench", configuration: "", version: ""))
        return store
    }

    private static func processorTime() -> Double {
        var usage = rusage()
        unsafe getrusage(numericCast(RUSAGE_SELF.rawValue), &usage)
        let user = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        let system = Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
        return user + system
    }
}

/// A made-up drive with the resolution and the fields of an ordinary NMEA receiver.
struct Drive {
    private var index: Int64
    private var state: UInt64 = 1
    private var latitude = 47.2853
    private var longitude = 8.5652
    private var height = 431.0
    private var course = 70.0
    private var speed = 13.0

    init(from index: Int64) {
        self.index = index
    }

    /// Goes on from where the drive began.
    mutating func goHome() {
        (latitude, longitude) = (47.2853, 8.5652)
    }

    mutating func next() -> RecordedFix {
        index += 1
        speed = max(0, min(34, speed + random(1.5)))
        course = (course + random(6) + 360).truncatingRemainder(dividingBy: 360)
        latitude += speed * cos(course * .pi / 180) / 111_320
        longitude += speed * sin(course * .pi / 180) / 75_500
        height = max(380, min(900, height + random(0.4)))
        if latitude.magnitude > 60 || longitude.magnitude > 90 { (latitude, longitude) = (0, 0) }
        let time = 1_743_141_480_000 + index * 1000
        var fix = Fix(
            time: UTCTime(milliseconds: time), latitude: minutes(latitude),
            longitude: minutes(longitude), mode: .threeD)
        fix.status = .gps
        fix.altitudeMSL = (height * 10).rounded() / 10
        fix.geoidSeparation = 47.4
        fix.altitudeHAE = (height * 10 + 474).rounded() / 10
        fix.speed = speed
        fix.course = speed > 0.5 ? course : nil
        fix.satellitesUsed = UInt8(9 + index / 300 % 4)
        fix.satellitesSeen = UInt8(10 + index / 300 % 4)
        fix.dop.hdop = 0.9 + Double(index / 5 % 16) / 100
        fix.dop.vdop = 1.4
        fix.dop.pdop = 1.7
        var record = RecordedFix(fix: fix, receivedAt: index * 1000 + 5, flags: [])
        record.segment = Int32(index / 3600 + 1)
        return record
    }

    /// Degrees as five decimals of minutes give them.
    private func minutes(_ degrees: Double) -> Double {
        (degrees * 6_000_000).rounded() / 6_000_000
    }

    /// -`span` / 2 … `span` / 2 (Knuth's MMIX generator).
    private mutating func random(_ span: Double) -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (Double(state >> 40) / 16_777_216 - 0.5) * span
    }
}
