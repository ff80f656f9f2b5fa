import Configuration
import Glibc

@main
enum Main {
    static func main() {
        // A reader that goes away is met where writing fails, not by a signal in the middle of a socket's reply.
        signal(SIGPIPE, SIG_IGN)
        let code = Tool.run(Array(CommandLine.arguments.dropFirst()))
        exit(code.rawValue)
    }
}
