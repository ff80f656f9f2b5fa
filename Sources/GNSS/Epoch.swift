/// What a receiver said about one measurement time.
public enum Epoch: Equatable, Sendable {
    /// It had a position.
    case fix(Fix)
    /// It reported and had none; the time when it gave one.
    case noFix(UTCTime?)
}

/// What was read from a source, for status and for the word to a person whose log gave nothing.
public struct InputCounts: Equatable, Sendable {
    /// Bytes taken.
    public var bytes: Int64 = 0
    /// Lines: sentences or JSON objects begun, good or bad.
    public var lines: Int64 = 0
    /// Lines that were understood and used.
    public var accepted: Int64 = 0
    /// Sound lines that carry nothing for a fix: AIS, other sentences, other JSON classes.
    public var ignored: Int64 = 0
    /// Sentences with a wrong checksum.
    public var badChecksum: Int64 = 0
    /// Sentences refused for want of a checksum.
    public var missingChecksum: Int64 = 0
    /// Lines whose checksum was right and whose fields were not, and broken JSON.
    public var malformed: Int64 = 0
    /// Lines over the length limit.
    public var overlong: Int64 = 0
    /// What gpsd complained of (its class ERROR).
    public var errors: Int64 = 0
    /// Bytes outside any line: binary protocols, noise.
    public var noise: Int64 = 0
    /// Epochs with a position.
    public var fixes: Int64 = 0
    /// Epochs without a position.
    public var noFixes: Int64 = 0

    /// Nothing read.
    @inlinable
    public init() {}

    /// Adds what another source gave.
    public static func += (a: inout InputCounts, b: InputCounts) {
        a.bytes += b.bytes
        a.lines += b.lines
        a.accepted += b.accepted
        a.ignored += b.ignored
        a.badChecksum += b.badChecksum
        a.missingChecksum += b.missingChecksum
        a.malformed += b.malformed
        a.overlong += b.overlong
        a.errors += b.errors
        a.noise += b.noise
        a.fixes += b.fixes
        a.noFixes += b.noFixes
    }
}
