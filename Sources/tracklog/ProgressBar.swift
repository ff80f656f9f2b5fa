import Glibc

/// Tells a person at a terminal how far something is; elsewhere it says nothing.
final class ProgressBar {
    private let isShown: Bool
    private let title: String
    private var shown = ""
    private var next: Int64 = 0
    private var calls = 0

    private static let width = 30

    /// - Parameter title: what is being done, as `copying track.db`.
    init(_ title: String) {
        self.title = title
        // Data on the same terminal would run into it.
        isShown = isatty(2) == 1
    }

    /// Shows how much is done; `total` of 0 when that is not known.
    func show(_ done: Int64, of total: Int64, _ what: String? = nil) {
        guard isShown else { return }
        // Most calls are of every row: the clock is asked now and then.
        calls += 1
        guard calls & 63 == 0 || total < 65_536 else { return }
        let now = ProgressBar.milliseconds
        guard now >= next else { return }
        next = now + 100
        var line = "\(what ?? title) "
        if total > 0 {
            let part = Double(max(0, min(done, total))) / Double(total)
            let full = Int(part * Double(ProgressBar.width))
            line += "[" + String(repeating: "#", count: full)
            line += String(repeating: ".", count: ProgressBar.width - full) + "]"
            line += "\(Int(part * 100)) %".indented(6)
        }
        draw(line)
    }

    /// Shows a line at once.
    func say(_ what: String) {
        guard isShown else { return }
        next = 0
        draw(what)
    }

    /// Takes it off the screen.
    func end() {
        if !shown.isEmpty { draw("") }
    }

    deinit {
        end()
    }

    private func draw(_ line: String) {
        Output.writeToStandardError(
            "\r" + line + String(repeating: " ", count: max(0, shown.count - line.count))
                + (line.isEmpty ? "\r" : ""))
        shown = line
    }

    private static var milliseconds: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
