import GNSS
import Glibc

/// Makes the bundled drive, or a log of any length, as NMEA 0183 on standard output.
@main
enum Main {
    static let usage = "usage: make-drive [--seed N] [--epochs N] [--hz 1-20] [--truth FILE]\n"

    static func main() {
        var order = Drive.Order()
        var truthPath: String?
        var arguments = CommandLine.arguments.dropFirst()
        while let option = arguments.popFirst() {
            let value = arguments.popFirst()
            switch (option, value, value.flatMap { Int($0) }) {
            case ("--seed", _, let number?) where number >= 0: order.seed = UInt64(number)
            case ("--epochs", _, let number?) where number > 0: order.epochs = number
            case ("--hz", _, let number?) where (1...20).contains(number): order.hz = number
            case ("--truth", let path?, _): truthPath = path
            default:
                write(Array(usage.utf8), to: STDERR_FILENO)
                exit(EX_USAGE)
            }
        }
        var drive = Drive(order)
        drive.run { write($0, to: STDOUT_FILENO) }
        if let truthPath {
            let file = unsafe open(truthPath, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            write(drive.truth.json.bytes, to: file)
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes[start...].withUnsafeBytes {
                unsafe Glibc.write(file, $0.baseAddress, $0.count)
            }
            guard count > 0 else {
                unsafe perror("make-drive")
                exit(EX_IOERR)
            }
            start += count
        }
    }
}
