import Configuration
import Export
import GNSS
import Glibc
import Storage

/// A part of a track as a database of its own (`export --format sqlite`).
///
/// Fixes get new numbers and keep their names; runs, corrections and the holes between the fixes come along.
final class DatabaseCopy {
    private let store: TrackStore
    private let aside: String
    private let path: String
    private let place: FilePlace
    private let reader: TrackReader
    /// Name of the database that is copied; `nil` when the copy shall not tell.
    private let name: String?
    private var gaps: [Int64: Gap] = [:]
    private var corrections: [Int32: Int32] = [:]
    private var segment: Int32 = 0
    private var leftZone = false
    private var last: RecordedFix?
    private var lastSequence: Int64 = 0

    /// Begins a copy that takes the place of `path` when it is whole.
    ///
    /// - Parameter replaces: whether a database that is there is to go.
    init(of reader: TrackReader, named name: String?, to path: String, replaces: Bool) throws {
        self.reader = reader
        self.name = name
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw Failure("\(path): a database needs a file", .cannotCreate)
        }
        place = try FilePlace(path, for: .database(replaces: replaces))
        let path = place.path
        self.path = path
        DatabaseFiles.removeLeftovers(of: path)
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        aside = "\(path[..<slash]).\(path[slash...]).\(getpid()).part"
        var options = TrackStore.Options()
        options.checkpointPages = 1000
        do {
            store = try TrackStore(path: aside, options: options)
        } catch {
            throw Failure("\(error)".replacing(aside, with: path), .cannotCreate)
        }
        for gap in try reader.gaps() {
            if let after = gap.after { gaps[after] = gap }
        }
        let run = try reader.runs().first?.run
        store.beginRun(
            Run(
                bootID: run?.bootID ?? "", started: run?.started ?? UTCTime(milliseconds: 0),
                startedBoot: run?.startedBoot ?? 0, source: "copy of \(reader.path)",
                configuration: run?.configuration ?? "", version: Product.version))
    }

    deinit {
        // Nothing is there any more when it was finished.
        for ending in ["", "-wal", "-shm", "-lock", ".lock"] { unsafe unlink(aside + ending) }
    }

    /// Fixes that were copied.
    private(set) var count: Int64 = 0

    /// Takes what was left of the track.
    func add(_ result: TrackEditor.Result) throws {
        switch result {
        case .fix(let record): try add(record)
        case .lineBreak: leftZone = true
        }
    }

    private func add(_ original: RecordedFix) throws {
        var record = original
        count += 1
        if original.flags.isKept {
            if var gap = gap(before: original) {
                gap.after = lastSequence
                store.append(gap)
            }
            if leftZone || original.segment != last?.segment { segment += 1 }
            leftZone = false
            record.segment = segment
        }
        if let correction = record.corrected?.correction {
            record.corrected?.correction = try number(of: correction)
        }
        record.origin = name.map {
            original.origin ?? FixID(store: $0, sequence: original.sequence)
        }
        let sequence = store.append(record)
        if original.flags.isKept {
            last = original
            lastSequence = sequence
        }
    }

    /// The hole before a fix: what was recorded, or the zone that was left out.
    private func gap(before fix: RecordedFix) -> Gap? {
        guard let last else { return nil }
        guard leftZone else { return gaps[last.sequence] }
        guard let begin = last.fix.time, let end = fix.fix.time, end > begin else { return nil }
        return Gap(
            after: nil, begin: begin, end: end, duration: end.milliseconds &- begin.milliseconds,
            reason: .privateZone)
    }

    /// Gives the copy its name.
    func finish() throws {
        try store.close(ending: "stopped")
        try place.take(aside)
    }

    private func number(of correction: Int32) throws -> Int32 {
        if let known = corrections[correction] { return known }
        let (digest, text) = try reader.correction(correction) ?? ("unknown \(correction)", "")
        let number = try store.correction(digest: digest, text: text)
        corrections[correction] = number
        return number
    }
}
