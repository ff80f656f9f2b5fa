import Daemon
import Glibc

@main
enum Main {
    static func main() {
        // A client that goes away is met where writing fails.
        signal(SIGPIPE, SIG_IGN)
        // So is a limit on the size of files.
        signal(SIGXFSZ, SIG_IGN)
        exit(DaemonProgram.run(Array(CommandLine.arguments.dropFirst())))
    }
}
