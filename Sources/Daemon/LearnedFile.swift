import DutyCycle
import Glibc
import Scheduling

/// What the duty cycle has learnt, kept beside the database: times and ways of travel, never a place.
struct LearnedFile {
    private let path: String
    private var saved: Learned
    private var savedAt: BootTime

    /// A crash forgets what was learnt since.
    private static let every = TimeSpan.seconds(3600)
    private static let limit = 16_384

    /// The file that belongs to a database.
    init(besides database: String, at now: BootTime) {
        path = "\(database).learned"
        saved = Self.read(path)
        savedAt = now
    }

    /// What was learnt in earlier runs; nothing when there is no file that can be read.
    var learned: Learned { saved }

    /// Saves what is new, now and then.
    mutating func save(_ learned: Learned, at now: BootTime, isLast: Bool = false) {
        guard learned != saved, isLast || now - savedAt >= Self.every else { return }
        savedAt = now
        if write(learned.text) { saved = learned }
    }

    private static func read(_ path: String) -> Learned {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return Learned() }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
        }
        guard count > 0 else { return Learned() }
        return Learned(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Written aside and renamed: what cannot be written is learnt again.
    private func write(_ text: String) -> Bool {
        let aside = "\(path).part"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe open(aside, flags, 0o600)
        guard descriptor >= 0 else { return false }
        let bytes = Array(text.utf8)
        let count = unsafe Glibc.write(descriptor, bytes, bytes.count)
        close(descriptor)
        guard count == bytes.count, unsafe rename(aside, path) == 0 else {
            _ = unsafe unlink(aside)
            return false
        }
        return true
    }
}
