import GNSS
import Glibc
import Storage

// Writes fixes as a receiver in a car gives them, and says what that cost.
//
//   bench-store FILE COUNT BATCH [ack]
//
// With `ack` each commit is followed by a line with the durable sequence, for tests that kill the process.

@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let count = Int(arguments[2]), let batch = Int(arguments[3]),
            batch > 0
        else {
            print("usage: bench-store FILE COUNT BATCH [ack]")
            exit(64)
        }
        do {
            try write(arguments[1], count, batch, acknowledging: arguments.count > 4)
        } catch {
            print(error)
            exit(74)
        }
    }

    static func write(
        _ path: String, _ count: Int, _ batch: Int, acknowledging: Bool
    ) throws(StoreError) {
        let store = try TrackStore(path: path)
        store.beginRun(
            Run(
                bootID: "bench", started: UTCTime(milliseconds: 0), startedBoot: 0,
                source: "bench", configuration: "", version: ""))
        var drive = Drive()
        let before = processorTime()
        for index in 1...count {
            store.append(drive.next())
            guard index % batch == 0 || index == count else { continue }
            let durable = try store.commit()
            if acknowledging {
                print(durable)
                fflush(nil)
            }
        }
        try store.close(ending: "stopped")
        guard !acknowledging else { return }
        let seconds = processorTime() - before
        let bytes = Double(store.sizeOnDisk) / Double(count)
        var text = TextBuffer()
        text.append("cpu_s ")
        text.append(seconds, decimals: 3)
        text.append(" fixes_per_cpu_s ")
        text.append(Double(count) / seconds, decimals: 0)
        text.append(" bytes_per_fix ")
        text.append(bytes, decimals: 2)
        print(text.string)
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
    private var index: Int64 = 0
    private var state: UInt64 = 1
    private var latitude = 47.2853
    private var longitude = 8.5652
    private var height = 431.0
    private var course = 70.0
    private var speed = 13.0

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
