import Configuration
import Export
import GNSS
import Storage
import Tracking

/// One export: which fixes go where, and what is left out on the way.
struct ExportJob {
    let reader: TrackReader
    var query: FixQuery
    let editor: TrackEditor
    let info: ExportInfo
    let choice: CoordinateChoice
    /// The file; `nil` for standard output.
    let target: String?
    let output: Output
    /// Puts points between sparse fixes, when asked for.
    var densifier: Densifier?

    /// Writes a file that grows as the track is read.
    ///
    /// - Parameter zipped: whether it goes into an archive (KMZ).
    /// - Returns: how many fixes went out.
    func write(_ format: ExportFormat, zipped: Bool) throws -> Int64 {
        let file = try target.map { try AsideFile(path: $0) }
        let destination = file?.output ?? output
        var archive = zipped ? try KMZFile() : nil
        var exporter = TrackExporter(format, info, position: .corrected)
        func move(_ bytes: [UInt8]) throws {
            if archive != nil {
                archive?.add(bytes, to: destination)
            } else {
                destination.text.bytes += bytes
            }
            try destination.flush()
        }
        try forEach { result in
            exporter.add(result)
            try exporter.drain(move)
        }
        exporter.end()
        try exporter.drain(over: 0, move)
        try archive?.end(destination)
        try file?.finish()
        return exporter.count
    }

    /// Makes a database with the part that was asked for; fixes stay as received, whatever is shown elsewhere.
    ///
    /// - Parameter replaces: whether a database that is there is to go.
    /// - Returns: how many fixes went out.
    func copy(replaces: Bool) throws -> Int64 {
        guard let target else { throw UsageError("a database needs --output FILE") }
        let copy = try DatabaseCopy(of: reader, named: info.store, to: target, replaces: replaces)
        try forEach(placed: false) { try copy.add($0) }
        try copy.finish()
        return copy.count
    }

    /// Gives the fixes that stay, at the position that is shown, and tells a person at a terminal how far it is.
    ///
    /// - Parameters:
    ///   - placed: whether positions are moved to the system that was asked for.
    ///   - isLast: whether it is the last time; what was hidden is told then.
    func forEach(
        placed: Bool = true, isLast: Bool = true, _ body: (TrackEditor.Result) throws -> Void
    ) throws {
        var editor = editor
        var densifier = densifier
        var settled: [TrackEditor.Result] = []
        func settle() throws {
            for result in settled { try body(result) }
            settled.removeAll(keepingCapacity: true)
        }
        let bar = target.map { ProgressBar("writing \($0)") }
        let newest = try reader.newestSequence()
        try reader.forEach(query) { record in
            // Before it is shifted or hidden: a zone holds for what is made up too.
            func edit(_ record: RecordedFix) {
                let shown = placed ? choice.place(record) : record
                editor.take(shown, .corrected) { settled.append($0) }
            }
            if densifier == nil { edit(record) } else { densifier?.add(record, edit) }
            try settle()
            bar?.show(record.sequence, of: newest)
        }
        editor.finish { settled.append($0) }
        try settle()
        bar?.end()
        if isLast, editor.hidden > 0 {
            Tool.complain("\(editor.hidden) fixes in private zones left out")
        }
    }
}
