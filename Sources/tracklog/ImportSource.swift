import Configuration
import Correction
import GNSS
import Geodesy
import Glibc
import Import
import NMEA
import Receiver

/// A file to be imported, read as often as needed.
final class ImportSource {
    /// What a file is read as.
    enum Kind: Equatable {
        case track(ImportFormat)
        /// NMEA 0183 or gpsd JSON, which a replay reads.
        case log(LogFormat?)

        /// Every word that `--format` takes.
        static let names =
            ImportFormat.allCases.map(\.rawValue) + LogFormat.allCases.map(\.rawValue)

        init?(_ name: String) {
            if let format = ImportFormat(rawValue: name) {
                self = .track(format)
            } else if let format = LogFormat(rawValue: name) {
                self = .log(format)
            } else {
                return nil
            }
        }

        var name: String {
            switch self {
            case .track(let format): format.rawValue
            case .log(let format): format?.rawValue ?? "log"
            }
        }
    }

    /// One thing that the file holds.
    enum Item {
        case point(ImportedPoint)
        case noFix
    }

    /// The name in messages.
    let name: String
    let kind: Kind
    /// What it was read as, in a word.
    var formatName: String { logFormat?.rawValue ?? kind.name }
    private var logFormat: LogFormat?
    /// What was left out when it was read last, in words.
    private(set) var leftOut: [String] = []
    /// Names in it that look like times, speeds or heights and are not understood.
    private(set) var notUnderstood: [String] = []
    /// What nothing in it says and had to be assumed.
    var assumptions: [String] { dates.assumptions }
    /// How its dates are written, as the first reading found.
    private var dates = DateReading()
    /// The system other than WGS 84 that the file names; its points are given in WGS 84.
    private(set) var system: CRS?
    /// The same in the file's words, once it was read.
    private var systemName: String?
    /// Bytes and digest of what was read.
    private(set) var progress = ReplayProgress()

    /// Points of a KML file that are there twice, known and left out from the second reading on.
    private(set) var drawn = 0
    private var twice: DrawnPoints?

    /// Whether times run back within a line of it; known from the second reading on.
    private var isOutOfOrder = false
    private var order: TimeOrder?

    /// Where it is read from: the file, or the copy of what came down a pipe.
    private let path: String
    private let spool: Int32
    private let zone: Zone

    /// Opens a file, or standard input for `-`.
    init(_ path: String, as kind: Kind?, _ zone: Zone) throws {
        name = path == "-" ? "standard input" : path
        self.zone = zone
        var real = path
        var spool: Int32 = -1
        var status = stat()
        let isThere = unsafe path != "-" && stat(path, &status) == 0
        let kindOfFile = isThere ? status.st_mode & S_IFMT : 0
        // What is not there or is a folder is told by who opens it.
        if path == "-" || isThere && kindOfFile != S_IFREG && kindOfFile != S_IFDIR {
            spool = try ImportSource.copy(of: path, name)
            real = "/proc/self/fd/\(spool)"
        }
        if let unpacked = try ImportSource.unpack(real, name) {
            if spool >= 0 { close(spool) }
            spool = unpacked
            real = "/proc/self/fd/\(unpacked)"
        }
        self.path = real
        self.spool = spool
        if let kind {
            self.kind = kind
            return
        }
        let bytes = try ImportSource.asking(name, real) {
            () throws(ReplayError) in try LogBytes(path: real)
        }
        var head: [UInt8] = []
        while head.count < ImportFormat.headSize {
            let block = try bytes.next()
            guard !block.isEmpty else { break }
            head += block
        }
        self.kind = ImportFormat.guess(head).map { .track($0) } ?? .log(nil)
    }

    deinit {
        if spool >= 0 { close(spool) }
    }

    /// Gives everything that the file holds, in its order; from the second reading on in that of the times, where each
    /// line of the file has another.
    ///
    /// - Parameter title: what is being done, for a person at a terminal.
    func forEach(_ title: String, _ body: (Item) throws -> Void) throws {
        switch kind {
        case .track(let format):
            guard isOutOfOrder else {
                var check = OrderCheck()
                var drawn = DrawnPoints()
                try readTrack(format, title) { point in
                    check.add(point)
                    if twice == nil { drawn.count(point) }
                    try body(.point(point))
                }
                if dates.wasReadOtherwise {
                    check = OrderCheck()
                    try readTrack(format, title) { check.add($0) }
                }
                isOutOfOrder = !check.isInOrder
                if format == .kml, twice == nil, drawn.mayRepeat { try findTwice(drawn) }
                return
            }
            let order = try order ?? readOrder(format)
            self.order = order
            try order.forEach(
                read: { try readTrack(format, title, $0) }, { try body(.point($0)) })
        case .log(let format): try readLog(format, body)
        }
    }

    private func findTwice(_ drawn: DrawnPoints) throws {
        var found = drawn
        try readTrack(.kml, "comparing") { found.remember($0) }
        var count = 0
        try readTrack(.kml, "comparing") { if found.repeats($0) { count += 1 } }
        guard count > 0 else { return }
        self.drawn = count
        twice = found
    }

    private func readOrder(_ format: ImportFormat) throws -> TimeOrder {
        var order = TimeOrder()
        try readTrack(format, "sorting") { order.add($0) }
        order.settle()
        return order
    }

    private func readTrack(
        _ format: ImportFormat, _ title: String, _ body: (ImportedPoint) throws -> Void
    ) throws {
        let bytes = try ImportSource.asking(name, path) {
            () throws(ReplayError) in try LogBytes(path: path)
        }
        var importer = TrackImporter(format, dates: dates) { [zone] in zone.offset(at: $0) }
        let bar = ProgressBar("\(title) \(name)")
        let total = bytes.isCompressed ? 0 : bytes.size ?? 0
        defer { bar.end() }
        func give(_ point: ImportedPoint) throws {
            if let twice, twice.repeats(point) { return }
            try body(inWGS84(point))
        }
        do {
            while true {
                let block = try bytes.next()
                guard !block.isEmpty else { break }
                try importer.feed(block, give)
                bar.show(bytes.digest.count, of: total)
            }
            // Half a file is not what somebody meant to import.
            if let warning = bytes.warning {
                throw Failure(plain("\(warning)"), .dataError)
            }
            try importer.finish(give)
            // GeoJSON names it behind the points; they are given in a second reading.
            if format == .geojson, let name = importer.system {
                systemName = name
                _ = try declared(name)
            }
        } catch let error as ImportError {
            throw Failure("\(name):\(error.line): \(error.message)", .dataError)
        }
        leftOut = importer.leftOut.map { "\($0.count) \($0.kind.words($0.count))" }
        notUnderstood = importer.notUnderstood
        if !dates.isSettled { dates = importer.dates.settled(latest: ImportRecorder.latest) }
        if drawn > 0 { leftOut.append("\(drawn) \(drawn == 1 ? "point" : "points") drawn twice") }
        progress = ReplayProgress(bytes: bytes.digest.count, digest: bytes.digest.value)
    }

    /// The point in WGS 84, where the file names another system for it.
    private func inWGS84(_ point: ImportedPoint) throws -> ImportedPoint {
        guard let name = point.system ?? systemName, let settings = try declared(name) else {
            return point
        }
        var point = point
        (point.fix.latitude, point.fix.longitude) = OutputConversion(to: .wgs84, source: settings)
            .position(of: point.fix, corrected: nil)
        return point
    }

    /// What the name of a system means; `nil` for WGS 84.
    private func declared(_ name: String) throws -> CorrectionSettings? {
        guard let system = CRS(declaration: name) else {
            // A column or property of that name may mean something else.
            guard kind == .track(.gpx) || kind == .track(.kml) else { return nil }
            throw Failure(
                "\(self.name): it says that its positions are in '\(name)', which is not known here; "
                    + "see 'tracklog convert'", .dataError)
        }
        guard system != .wgs84 else { return nil }
        self.system = system
        var settings = CorrectionSettings()
        settings.system = system
        // Where maps shift, as an export with --crs has it.
        settings.policy = OutputConversion(to: system == .bd09 ? .bd09 : .gcj02).policy
        return settings
    }

    private func readLog(_ format: LogFormat?, _ body: (Item) throws -> Void) throws {
        var settings = ReplaySource.Settings()
        settings.format = format
        settings.choice = DeviceChooser.Settings()
        let source = try ImportSource.asking(name, path) {
            () throws(ReplayError) in try ReplaySource(paths: [path], settings: settings)
        }
        var epoch = Epoch.noFix(nil)
        logFormat = source.formats.first ?? nil
        while try source.next(into: &epoch) {
            switch epoch {
            case .fix(let fix): try body(.point(ImportedPoint(fix)))
            case .noFix: try body(.noFix)
            }
        }
        var others: [String] = []
        for warning in source.warnings {
            guard case .otherKind(_, let lines, let format) = warning else {
                throw Failure(plain("\(warning)"), .dataError)
            }
            let other = format == .nmea ? LogFormat.gpsd : .nmea
            others.append("\(lines) lines of another kind (--format \(other.rawValue) reads those)")
        }
        let read = source.progress(ofLog: 0)
        progress = ReplayProgress(bytes: read.bytes, digest: read.digest)
        let counts = source.counts
        if counts.badChecksum > 0 {
            leftOut = ["\(counts.badChecksum) lines with a wrong checksum"]
        }
        if counts.malformed > 0 { leftOut.append("\(counts.malformed) malformed lines") }
        leftOut += others
    }

    /// A message about the copy is one about what was copied.
    private func plain(_ message: String) -> String {
        message.replacing(path, with: name)
    }

    private static func asking<Answer>(
        _ name: String, _ path: String, _ body: () throws(ReplayError) -> Answer
    ) throws -> Answer {
        do {
            return try body()
        } catch ReplayError.notALog(_, let looksLike) {
            throw Failure(
                "\(name): no track in a format that is known; it looks like \(looksLike)",
                .dataError)
        } catch {
            throw Failure(
                "\(error)".replacing(path, with: name),
                ExitCode(rawValue: error.exitStatus) ?? .software)
        }
    }

    /// The track in a zip archive as a file without a name; `nil` when it is no archive.
    private static func unpack(_ path: String, _ name: String) throws -> Int32? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: ZipArchive.signature.count)
        let count = unsafe head.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        guard count == head.count, head == ZipArchive.signature else { return nil }
        let archive = try ZipArchive(descriptor, name: name)
        guard let entry = archive.track else {
            throw Failure("\(name): a zip archive without a track", .dataError)
        }
        let spool = try temporaryFile()
        try archive.copy(entry, to: Output(descriptor: spool, path: "a temporary file"))
        return spool
    }

    /// Copies a pipe into a file without a name: it is read twice, and never half imported.
    private static func copy(of path: String, _ name: String) throws -> Int32 {
        let input = try InputFile(path)
        let spool = try temporaryFile()
        let output = Output(descriptor: spool, path: "a temporary file")
        while true {
            let block = try input.next()
            guard !block.isEmpty else { break }
            output.text.bytes.append(contentsOf: block)
            try output.flush()
        }
        return spool
    }

    private static func temporaryFile() throws(Failure) -> Int32 {
        var template = Array("\(Environment.value("TMPDIR") ?? "/tmp")/tracklogXXXXXX".utf8CString)
        let spool = unsafe mkstemp(&template)
        if spool >= 0 { unsafe unlink(template) }
        guard spool >= 0 else {
            throw Failure(
                "a temporary file: \(unsafe String(cString: strerror(errno)))", .inputOutput)
        }
        return spool
    }
}
