import Glibc

/// The terminal while a program draws on all of it.
///
/// It comes back as it was whatever ends the program, and tells of keys, of signals and of its size.
final class LiveTerminal {
    /// What a person or the system asks for.
    enum Event {
        case quit
        case resized
        case none
    }

    private var saved = termios()
    private var signals = sigset_t()
    private var before = sigset_t()
    private var isOpen = false

    init() {
        unsafe sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP] {
            unsafe sigaddset(&signals, signal)
        }
        // They wait until they are asked for, so that none comes in the middle of a picture.
        unsafe sigprocmask(SIG_BLOCK, &signals, &before)
        enter()
    }

    deinit {
        leave()
        unsafe sigprocmask(SIG_SETMASK, &before, nil)
    }

    /// Characters across and down.
    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard unsafe ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// What has come since the last time; never waits.
    func event() -> Event {
        var result = Event.none
        var atOnce = timespec()
        while true {
            let signal = unsafe sigtimedwait(&signals, nil, &atOnce)
            guard signal > 0 else { break }
            switch signal {
            case SIGWINCH: result = .resized
            case SIGTSTP:
                leave()
                raise(SIGSTOP)
                enter()
                result = .resized
            default: return .quit
            }
        }
        var keys = [UInt8](repeating: 0, count: 64)
        var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&input, 1, 0) > 0 else { return result }
        let count = unsafe read(0, &keys, keys.count)
        // End of file, q, Q, ^C, ^D and a lone escape.
        let isQuit = count <= 0 || keys[..<count].contains { [113, 81, 3, 4].contains($0) }
        return isQuit || count == 1 && keys[0] == 27 ? .quit : result
    }

    /// Shows a picture, line by line.
    func show(_ lines: [String]) {
        var text = "\u{1B}[H"
        for (index, line) in lines.enumerated() {
            text += (index > 0 ? "\r\n" : "") + line + "\u{1B}[0m\u{1B}[K"
        }
        write(text + "\u{1B}[J")
    }

    private func enter() {
        guard !isOpen else { return }
        isOpen = true
        unsafe tcgetattr(0, &saved)
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        unsafe tcsetattr(0, TCSADRAIN, &raw)
        // Alternate screen, no cursor (xterm's private modes 1049 and 25).
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J")
    }

    private func leave() {
        guard isOpen else { return }
        isOpen = false
        write("\u{1B}[?25h\u{1B}[?1049l")
        unsafe tcsetattr(0, TCSADRAIN, &saved)
    }

    private func write(_ text: String) {
        var text = text
        _ = text.withUTF8 { unsafe Output.write(UnsafeRawBufferPointer($0), to: 1) }
    }
}
