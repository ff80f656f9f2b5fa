/// Why the store could not do what was asked, with what a person needs to act.
///
/// It names the file and the cause, never a coordinate or a bound value.
public struct StoreError: Error, Equatable, Sendable {
    /// The kinds of trouble, as a caller tells them apart.
    public enum Kind: Equatable, Sendable {
        /// The file was written by a later version of this program.
        case newerSchema(found: Int, supported: Int)
        /// The file is another program's SQLite database; nothing was written to it.
        case foreignApplication
        /// The file is not an SQLite database; nothing was written to it.
        case notADatabase
        /// The path names a directory.
        case isDirectory
        /// A file shall be made where a database, or what belongs to one, is.
        case occupied
        /// There is no such file, or its directory cannot be made.
        case cannotOpen
        /// The file or its file system admits no writing.
        case readOnly
        /// Another writer has it; its process id when known.
        case locked(pid: Int32?)
        /// The disk, quota or file size limit is reached.
        case diskFull
        /// Reading, writing or syncing failed.
        case inputOutput
        /// The file is an SQLite database and its content is damaged.
        case damaged
        /// Another connection holds a lock for the moment.
        case busy
        /// A bug in this program.
        case misuse
    }

    /// What kind of trouble.
    public let kind: Kind
    /// The database.
    public let path: String
    /// What the library or the system said; may be empty.
    public let detail: String

    init(_ kind: Kind, path: String, detail: String = "") {
        self.kind = kind
        self.path = path
        self.detail = detail
    }

    /// Whether there is a file with nothing in it, as a disk leaves one that was full when it was made.
    public var isEmpty: Bool {
        kind == .notADatabase && detail == StoreError.empty
    }

    static let empty = "empty"

    /// Whether the content of the file is at fault.
    var isDamage: Bool {
        kind == .damaged || kind == .notADatabase
    }

    /// Whether trying again later may succeed without a person doing anything to the program.
    public var isTransient: Bool {
        switch kind {
        case .diskFull, .inputOutput, .readOnly, .busy, .cannotOpen: true
        default: false
        }
    }
}

extension StoreError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        let tail = detail.isEmpty ? "" : ": \(detail)"
        switch kind {
        case .newerSchema(let found, let supported):
            return "\(path): schema \(found) is newer than this program's \(supported); "
                + "use a newer tracklog"
        case .foreignApplication:
            return "\(path): the database of another program; nothing was written to it"
        case .notADatabase where isEmpty: return "\(path): empty, nothing was recorded in it yet"
        case .notADatabase: return "\(path): not a database; nothing was written to it"
        case .isDirectory: return "\(path): is a directory, not a database"
        case .cannotOpen: return "\(path): cannot open\(tail)"
        case .occupied: return "\(path)\(tail)"
        case .readOnly: return "\(path): read-only\(tail)"
        case .locked(let pid?): return "\(path): in use by another tracklogd (pid \(pid))"
        case .locked(nil): return "\(path): in use by another tracklogd"
        case .diskFull: return "\(path): disk full\(tail)"
        case .inputOutput: return "\(path): input/output error\(tail)"
        case .damaged: return "\(path): damaged\(tail)"
        case .busy: return "\(path): locked by another program for the moment"
        case .misuse: return "\(path): internal error\(tail)"
        }
    }
}
