/// How a program of this product ends; the numbers are those of sysexits.h.
public enum ExitCode: Int32, Sendable {
    /// All was done.
    case ok = 0
    /// It ran and the answer is no (`config check` with warnings, `doctor`).
    case failure = 1
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// The input is not what it should be (EX_DATAERR).
    case dataError = 65
    /// An input is not there or cannot be read (EX_NOINPUT).
    case noInput = 66
    /// The daemon does not answer (EX_UNAVAILABLE).
    case unavailable = 69
    /// A fault of the program (EX_SOFTWARE).
    case software = 70
    /// An output cannot be made (EX_CANTCREAT).
    case cannotCreate = 73
    /// Reading or writing failed (EX_IOERR).
    case inputOutput = 74
    /// Try again later (EX_TEMPFAIL).
    case temporary = 75
    /// A right is missing (EX_NOPERM).
    case noPermission = 77
    /// The settings are wrong (EX_CONFIG).
    case configuration = 78
}
