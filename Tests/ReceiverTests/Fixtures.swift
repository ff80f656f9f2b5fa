import Foundation
import GNSS

/// A TPV report as gpsd 3.22 writes it, `second` seconds after 2026-05-01T10:00:00Z.
func tpv(
    _ second: Int, device: String = "/dev/gnss0", latitude: Double? = nil, _ more: String = ""
) -> String {
    let time = UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000 + second * 1000)
    let latitude = latitude ?? 51 + Double(second) * 0.00001
    return "{\"class\":\"TPV\",\"device\":\"\(device)\",\"mode\":3,\"time\":\"\(time)\","
        + "\"lat\":\(latitude),\"lon\":0.5,\"altHAE\":95.2,\"altMSL\":50.1\(more)}\r\n"
}

/// A log of one report a second.
func log(_ seconds: Range<Int>) -> String { seconds.map { tpv($0) }.joined() }

extension Fix {
    /// Seconds after 2026-05-01T10:00:00Z.
    var second: Int? {
        time.map {
            Int(
                ($0.milliseconds
                    - UTCTime(year: 2026, month: 5, day: 1, timeOfDay: 36_000_000).milliseconds)
                    / 1000)
        }
    }
}

/// What `gzip -c` makes of bytes.
func gzip(_ text: String, level: Int? = nil) throws -> Data {
    let file = FileManager.default.temporaryDirectory
        .appendingPathComponent("tracklog-gzip-\(UUID().uuidString)")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/gzip")
    process.arguments = ["-c", file.path]
    if level == 0 {
        // gzip has no level without compression.
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            "import gzip,sys; sys.stdout.buffer.write(gzip.compress(open(sys.argv[1],'rb').read(), 0))",
            file.path,
        ]
    }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data
}
