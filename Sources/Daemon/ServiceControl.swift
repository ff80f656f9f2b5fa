import GNSS
import Scheduling

/// What people have asked of the running daemon and is not done yet.
struct ServiceControl {
    /// Recording was paused.
    struct Pause {
        let since: BootTime
        /// When it goes on by itself.
        let until: BootTime?
        let timer: TimerID?
    }

    var pause: Pause?
    /// Looks into the past since a moment.
    var looks = 0
    var looksSince = BootTime(nanoseconds: 0)
    /// Marks that wait for a fix.
    var marks: [(title: String, note: String?)] = []

    /// More than anybody presses a button for while there is no fix.
    static let marksAtMost = 100
}
