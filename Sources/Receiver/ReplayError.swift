/// Why a log cannot be replayed; one line that names the log and the reason.
public enum ReplayError: Error, Equatable, Sendable {
    /// It cannot be opened or read; the error number is `errno`'s.
    case unreadable(path: String, code: Int32)
    /// It is a directory.
    case directory(path: String)
    /// It is neither NMEA 0183 nor gpsd's JSON, and looks like what is said.
    case notALog(path: String, looksLike: String)
    /// The libgps that was found at run time is another one than the program was built for.
    case library(GPSDLibraryError)

    /// The exit status for it (sysexits.h).
    public var exitStatus: Int32 {
        switch self {
        case .unreadable, .directory: 66
        case .notALog: 65
        case .library: 70
        }
    }
}

extension ReplayError {
    /// What a log may look like that begins with much else.
    private static let vague = ["plain text", "binary data", "nothing but NUL bytes"]
}

extension ReplayError: CustomStringConvertible {
    /// As `drive.nmea: No such file or directory`.
    public var description: String {
        switch self {
        case .unreadable(let path, let code):
            "\(path): \(SystemText.words(for: code))"
        case .directory(let path): "\(path): is a directory, not a log"
        case .notALog(let path, let looksLike):
            "\(path): neither NMEA 0183 nor gpsd JSON; it looks like \(looksLike)"
                + (ReplayError.vague.contains(looksLike)
                    ? " (--format nmea or gpsd reads it all the same)" : "")
        case .library(let error): "\(error)"
        }
    }
}

/// What a person should know of a log that was replayed all the same.
public enum ReplayWarning: Equatable, Sendable {
    /// Nothing is in it.
    case empty(path: String)
    /// The gzip stream ends too early; what could be read was used.
    case truncatedGzip(path: String)
    /// The gzip stream is broken in some place; what came before and behind was used.
    case damagedGzip(path: String)
    /// It is the same file, or has the same bytes, as another one of the list; it was left out.
    case duplicate(path: String, of: String)
    /// That many lines with a position are of the other kind than the log was read as, and were passed over.
    case otherKind(path: String, lines: Int64, format: LogFormat)
    /// That many fixes are of another receiver on the line than the one of the track, and were left out.
    case otherTalker(path: String, fixes: Int64, talker: String)
    /// That many fixes are of receivers that were not the one of the track, and were left out.
    case otherReceivers(path: String, fixes: Int64, names: [String])
}

extension ReplayWarning: CustomStringConvertible {
    /// As `drive.nmea.gz: the gzip stream ends too early, what could be read was used`.
    public var description: String {
        switch self {
        case .empty(let path): "\(path): is empty"
        case .truncatedGzip(let path):
            "\(path): the gzip stream ends too early, what could be read was used"
        case .damagedGzip(let path):
            "\(path): the gzip stream is damaged, what could be read was used"
        case .duplicate(let path, let other): "\(path): holds the same as \(other), left out"
        case .otherKind(let path, let lines, let format):
            "\(path): holds two kinds of log; read as \(format.title), \(lines) lines of "
                + "\(format.other.title) were passed over (--format \(format.other.rawValue) "
                + "reads those)"
        case .otherTalker(let path, let fixes, let talker):
            "\(path): \(fixes) fixes of talker \(talker) were left out; of two receivers on one line "
                + "the first makes the track"
        case .otherReceivers(let path, let fixes, let names):
            "\(path): \(fixes) fixes of \(names.joined(separator: ", ")) were left out; of several "
                + "receivers one makes the track (Source.Device=, Source.Prefer=)"
        }
    }
}
