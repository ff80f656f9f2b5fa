import GNSS
import Glibc
import NMEA

// Decodes an NMEA log held in memory, and says what it held and what that cost.
//
//   bench-parse FILE [PASSES]
//
// One pass more costs exactly the decoding: callgrind's count for three passes less that for one,
// halved.

@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        let passes = arguments.count > 2 ? Int(arguments[2]) : 5
        guard arguments.count >= 2, let passes, passes > 0 else {
            print("usage: bench-parse FILE [PASSES]")
            exit(64)
        }
        guard let log = unsafe read(arguments[1]) else {
            print("cannot read \(arguments[1])")
            exit(66)
        }
        defer { unsafe log.deallocate() }
        // What the log holds, outside the measured passes.
        var sum = 0.0
        var first = NMEADecoder()
        unsafe first.decode(UnsafeRawBufferPointer(log)) { take($0, &sum) }
        first.finish { take($0, &sum) }
        for _ in 0..<passes {
            let before = processorTime()
            var decoder = NMEADecoder()
            // Handing a fix over is part of decoding, using it is not.
            unsafe decoder.decode(UnsafeRawBufferPointer(log)) { _ in }
            decoder.finish { _ in }
            let seconds = processorTime() - before
            var text = TextBuffer()
            text.append("lines ")
            text.append(decoder.counts.lines)
            text.append(" bad ")
            text.append(decoder.counts.badChecksum &+ decoder.counts.missingChecksum)
            text.append(" fixes ")
            text.append(decoder.counts.fixes)
            text.append(" sum ")
            text.append(sum, decimals: 3)
            text.append(" cpu_s ")
            text.append(seconds, decimals: 4)
            text.append(" MB/s ")
            text.append(Double(log.count) / seconds / 1e6, decimals: 1)
            print(text.string)
        }
    }

    /// Adds up what a fix says, to compare versions by.
    private static func take(_ epoch: Epoch, _ sum: inout Double) {
        guard case .fix(let fix) = epoch else { return }
        sum += fix.latitude + fix.longitude + (fix.altitudeMSL ?? 0) + (fix.speed ?? 0)
    }

    /// The bytes of a file; the C function is `fread`.
    private static func read(_ path: String) -> UnsafeMutableRawBufferPointer? {
        guard let file = unsafe fopen(path, "rb") else { return nil }
        defer { _ = unsafe fclose(file) }
        guard unsafe fseek(file, 0, SEEK_END) == 0 else { return nil }
        let size = unsafe ftell(file)
        guard size > 0, unsafe fseek(file, 0, SEEK_SET) == 0 else { return nil }
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        guard unsafe fread(bytes.baseAddress, 1, size, file) == size else {
            unsafe bytes.deallocate()
            return nil
        }
        return unsafe bytes
    }

    /// Seconds of processor time this process used.
    private static func processorTime() -> Double {
        var usage = rusage()
        _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
}
