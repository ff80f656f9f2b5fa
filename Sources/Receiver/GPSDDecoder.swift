public import GNSS
import JSON
import Scheduling

/// Makes epochs of gpsd's JSON, live or recorded.
///
/// All TPV reports of one receiver and one time are one epoch; it is complete when another time comes or at
/// ``finish(_:)``. Broken, cut and over-long lines are normal on a broken wire: they are counted and passed over.
public final class GPSDDecoder {
    /// What was read so far.
    public internal(set) var counts = InputCounts()
    /// Called with what gpsd says about itself.
    public var onReport: ((GPSDReport) -> Void)?

    /// Called with each report of an epoch that was complete, and whether its position is that epoch's.
    public var onRepeat: ((_ samePosition: Bool) -> Void)?
    /// Reports that came second or later for their epoch.
    public private(set) var repeats: Int64 = 0

    let library: GPSDLibrary
    private let table: DeviceTable
    var devices: [Device] = []
    var framer = JSONFramer()
    var text = GPSDText()
    private var lastSky = SkyView()
    private var jamming: UInt8?
    private var antenna: UInt8?
    // How deep we are in what cut lines ran on into.
    private var rescues = 0
    /// When what is decoded now was read; the caller's to set.
    var now = BootTime(nanoseconds: 0)
    // The last SKY report, while nobody has asked for its satellites.
    private var unreadSky: [UInt8] = []

    struct Device {
        var pending: TPVReport?
        /// When the first and the last report of its epoch were read.
        var begunAt = BootTime(nanoseconds: 0)
        var heardAt = BootTime(nanoseconds: 0)
        /// How long others have gone on since its last report, milliseconds by their clocks.
        var waited: Int64 = 0
        /// How many reports its epoch has had, beyond the first.
        var merged = 0
        /// How many reports without a time its epoch has had, beyond the first.
        var untimed = 0
        var completed: TPVReport?
        var dop = DOP()
        var used: UInt8?
        var seen: UInt8?
        /// The time of the epoch in which the satellites came.
        var skyTime: UTCTime?
        var deviations: (latitude: Double?, longitude: Double?, height: Double?)?
        var deviationsTime: UTCTime?
        /// What a compass or a pair of antennas said last, until a fix has taken it.
        var heading: (degrees: Double, time: UTCTime?)?

        /// When its epoch is complete though no other begins; `nil` while none waits for that.
        ///
        /// A receiver whose time stands still reports one for ever.
        func due(after rest: TimeSpan) -> BootTime? {
            guard pending?.awaitsTime == false else { return nil }
            return min(heardAt + rest, begunAt + rest + rest + rest)
        }

        /// The time of the epoch that is being reported, or was last.
        var time: UTCTime? { pending?.time ?? completed?.time }
    }

    /// Satellites older than this say nothing about an epoch any more, milliseconds.
    private static let skyLasts: Int64 = 10_000
    /// A heading older than this says nothing about a fix any more, milliseconds.
    private static let headingLasts: Int64 = 2000

    /// A decoder at the beginning of a stream.
    ///
    /// - Throws: ``GPSDLibraryError`` when the libgps found at run time is not the one of the build.
    public convenience init() throws(GPSDLibraryError) {
        try self.init(table: DeviceTable())
    }

    init(table: DeviceTable) throws(GPSDLibraryError) {
        library = try GPSDLibrary()
        self.table = table
    }

    /// The receivers by first appearance; `Fix.device` is an index into it.
    public var deviceNames: [String] { table.names }

    /// The number of a receiver, given to it now if it is new.
    public func index(ofDevice path: String) -> UInt8 { table.index(of: path) }

    /// Reads the next bytes, cut anywhere, and calls `emit` with each epoch that is complete.
    public func decode(_ bytes: UnsafeRawBufferPointer, _ emit: (Epoch) -> Void) {
        counts.bytes += Int64(bytes.count)
        unsafe framer.cut(bytes) { unsafe take($0, $1, emit) }
    }

    /// Forgets a line that was cut when the connection was lost.
    public func resetFraming() { framer = JSONFramer() }

    func take(
        _ piece: JSONFramer.Piece, _ bytes: UnsafeRawBufferPointer, _ emit: (Epoch) -> Void
    ) {
        switch piece {
        case .sentence:
            counts.lines += 1
            counts.ignored += 1
        case .noise(let count): counts.noise += Int64(count)
        case .overlong:
            counts.lines += 1
            counts.overlong += 1
        case .object:
            counts.lines += 1
            if unsafe readPlain(bytes, emit) { return }
            guard let report = unsafe ReportText.parse(bytes), let name = report["class"]?.string
            else {
                counts.malformed += 1
                // A line that was cut may run on into whole ones.
                if rescues < 4, let next = unsafe JSONFramer.nextReport(in: bytes) {
                    rescues += 1
                    defer { rescues -= 1 }
                    var rest = JSONFramer()
                    unsafe rest.cut(.init(rebasing: bytes[next...])) { unsafe take($0, $1, emit) }
                    unsafe rest.finish { unsafe take($0, $1, emit) }
                }
                return
            }
            if report["device"].map({ $0.string == nil }) == true {
                counts.malformed += 1
                return
            }
            read(report, name, emit)
        }
    }

    /// Reads a report that came as gpsd of today writes it, from a receiver that is known.
    private func readPlain(_ bytes: UnsafeRawBufferPointer, _ emit: (Epoch) -> Void) -> Bool {
        guard let report = unsafe PlainReport(bytes),
            let index = unsafe table.known(report.device), index < devices.count
        else { return false }
        if report.isPosition {
            var read = TPVReport()
            guard report.read(into: &read) else { return false }
            counts.accepted += 1
            take(read, index, emit)
        } else {
            guard let (dop, seen, used) = report.readSky() else { return false }
            counts.accepted += 1
            devices[index].seen = seen
            devices[index].used = used
            devices[index].dop.merge(dop, replacing: true)
            devices[index].skyTime = devices[index].time
            skyReports.any += 1
            skyReports.lists += 1
            lastSky = SkyView()
            lastSky.device = UInt8(index)
            lastSky.time = devices[index].time
            lastSky.dop = devices[index].dop
            unreadSky.removeAll(keepingCapacity: true)
            unsafe unreadSky.append(contentsOf: bytes)
        }
        return true
    }

    /// SKY reports so far, and those with a list of satellites: who reads them knows how old ``sky`` is.
    private(set) var skyReports = (any: 0, lists: 0)

    /// The satellites of the last SKY report of any receiver, and what the last one that told it said of its antenna.
    public var sky: SkyView {
        var sky = satellites
        sky.jamming = jamming
        sky.antenna = antenna
        return sky
    }

    private var satellites: SkyView {
        if !unreadSky.isEmpty {
            if let report = (try? JSONValue.parse(unreadSky))?.object {
                text.writeSky(report, limit: GPSDLibrary.maximumSatellites)
                lastSky.satellites = library.sky(text.text.bytes)?.satellites ?? []
                lastSky.time = readTime(report["time"]).time ?? lastSky.time
            }
            unreadSky.removeAll(keepingCapacity: true)
        }
        return lastSky
    }

    private func read(_ report: JSONObject, _ name: String, _ emit: (Epoch) -> Void) {
        switch name {
        case "TPV": readPosition(report, emit)
        case "SKY": readSky(report)
        case "GST": readDeviations(report)
        case "ATT": readAttitude(report)
        default:
            guard let session = GPSDReport(report, name) else {
                counts.ignored += 1
                return
            }
            if case .error = session { counts.errors += 1 } else { counts.accepted += 1 }
            // What a receiver said last comes before its end, or it would seem to be there again.
            if case .device(let device) = session, !device.isActive { completeAll(emit) }
            onReport?(session)
        }
    }

    private func readPosition(_ report: JSONObject, _ emit: (Epoch) -> Void) {
        let (time, isLeapSecond, isDamaged) = readTime(report["time"])
        text.writePosition(report, time: time)
        if let jam = count(report["jam"]) { jamming = jam }
        if let state = count(report["ant"]) { antenna = state }
        var read = library.position(text.text.bytes)
        // libgps takes the first instant of 1970 for none.
        if read.time == nil { read.time = time }
        read.isLeapSecond = isLeapSecond
        if isDamaged || text.isDamaged { counts.malformed += 1 } else { counts.accepted += 1 }
        take(read, deviceIndex(report), emit)
    }

    private func take(_ read: TPVReport, _ index: Int, _ emit: (Epoch) -> Void) {
        devices[index].waited = 0
        if let completed = devices[index].completed, completed.isSameEpoch(as: read),
            // Behind a later epoch another place is a measurement of a receiver whose time stepped back.
            devices[index].pending == nil || !completed.isElsewhere(in: read)
        {
            repeats += 1
            onRepeat?(
                completed.latitude == read.latitude && completed.longitude == read.longitude)
            return
        }
        devices[index].heardAt = now
        if devices[index].pending?.isSameEpoch(as: read) == true {
            repeats += 1
            devices[index].pending?.merge(read)
            devices[index].merged += 1
            // No receiver says so many things of one epoch: it says one again and again.
            if devices[index].merged >= 10 { complete(index, emit) }
        } else if let untimed = devices[index].pending, untimed.awaitsTime,
            read.time != nil
                ? !untimed.isElsewhere(in: read)
                : untimed.latitude == read.latitude
                    && untimed.longitude == read.longitude && devices[index].untimed < 2
        {
            // Until gpsd knows the date it reports an epoch without its time first, up to twice.
            repeats += 1
            devices[index].untimed += 1
            devices[index].pending = read
        } else {
            let before = devices[index].time
            devices[index].pending?.yield(to: read)
            complete(index, emit)
            devices[index].pending = read
            devices[index].begunAt = now
            devices[index].merged = 0
            if devices.count > 1 { completeOthers(than: index, since: before, emit) }
        }
    }

    private func readSky(_ report: JSONObject) {
        text.writeSky(report, limit: GPSDLibrary.maximumSatellites)
        guard var read = library.sky(text.text.bytes) else {
            counts.malformed += 1
            return
        }
        let list = report["satellites"]
        let isBadList = list.map { $0 != .null && $0.array == nil } == true
        if isBadList || text.isDamaged { counts.malformed += 1 } else { counts.accepted += 1 }
        let index = deviceIndex(report)
        let isList = list?.array != nil
        skyReports.any += 1
        if isList { skyReports.lists += 1 }
        read.time = readTime(report["time"]).time ?? devices[index].time
        read.device = UInt8(index)
        if isList {
            devices[index].used = UInt8(clamping: read.satellites.count { $0.used })
            devices[index].seen = UInt8(clamping: read.satellites.count)
        } else {
            // A report without a list corrects the DOP of the list before.
            let before = satellites
            if before.device == read.device { read.satellites = before.satellites }
            let counts = (used: count(report["uSat"]), seen: count(report["nSat"]))
            if counts == (nil, nil), read.dop == DOP() {
                // One that says nothing knows nothing any more.
                devices[index].used = nil
                devices[index].seen = nil
                devices[index].dop = DOP()
            }
            devices[index].used = counts.used ?? devices[index].used
            devices[index].seen = counts.seen ?? devices[index].seen
        }
        devices[index].dop.merge(read.dop, replacing: isList)
        devices[index].skyTime = devices[index].time
        read.dop = devices[index].dop
        lastSky = read
        unreadSky.removeAll(keepingCapacity: true)
    }

    private func count(_ value: JSONValue?) -> UInt8? {
        value?.integer.flatMap { $0 < 0 ? nil : UInt8(clamping: $0) }
    }

    func complete(_ index: Int, _ emit: (Epoch) -> Void) {
        guard let report = devices[index].pending else { return }
        devices[index].pending = nil
        devices[index].untimed = 0
        devices[index].completed = report
        guard var fix = report.fix else {
            counts.noFixes += 1
            emit(.noFix(report.time))
            return
        }
        let device = devices[index]
        fix.device = UInt8(index)
        if isNear(device.skyTime, report.time, GPSDDecoder.skyLasts) {
            fix.dop = device.dop
            fix.satellitesUsed = device.used
            fix.satellitesSeen = device.seen
        }
        if let deviations = device.deviations, report.time != nil,
            isNear(device.deviationsTime ?? report.time, report.time, TPVReport.sameEpoch)
        {
            fix.errors.fill(deviations)
        }
        if let heading = device.heading {
            if isNear(heading.time, report.time, GPSDDecoder.headingLasts) {
                fix.heading = heading.degrees
            }
            devices[index].heading = nil
        }
        counts.fixes += 1
        emit(.fix(fix))
    }

    private func isNear(_ a: UTCTime?, _ b: UTCTime?, _ limit: Int64) -> Bool {
        guard let a, let b else { return true }
        return abs(a - b) <= limit
    }

    func deviceIndex(_ report: JSONObject) -> Int {
        let index = Int(table.index(of: report["device"]?.string))
        while devices.count <= index { devices.append(Device()) }
        return index
    }

    func readTime(
        _ value: JSONValue?
    ) -> (time: UTCTime?, isLeapSecond: Bool, isDamaged: Bool) {
        switch value {
        case nil, .null?: return (nil, false, false)
        case .string(let text)?:
            guard let time = UTCTime(text) else { return (nil, false, true) }
            return (time, text.contains(":60"), false)
        case let number?:
            // Before 3.0: seconds since 1970.
            guard let seconds = number.number, seconds > 0, seconds < 253_402_300_800 else {
                return (nil, false, true)
            }
            return (UTCTime(milliseconds: Int64((seconds * 1000).rounded())), false, false)
        }
    }
}

extension DOP {
    /// Takes the values of a later report; with `replacing` also what it does not have.
    fileprivate mutating func merge(_ later: DOP, replacing: Bool) {
        let later = later == DOP() ? self : later
        hdop = later.hdop ?? (replacing ? nil : hdop)
        vdop = later.vdop ?? (replacing ? nil : vdop)
        pdop = later.pdop ?? (replacing ? nil : pdop)
        tdop = later.tdop ?? (replacing ? nil : tdop)
        gdop = later.gdop ?? (replacing ? nil : gdop)
    }
}

extension ErrorEstimate {
    /// Takes the errors of a GST report where the TPV had none, at 95 %.
    ///
    /// 2.4477 and 1.96 are the 95 % points of the Rayleigh and the normal distribution.
    fileprivate mutating func fill(
        _ deviations: (latitude: Double?, longitude: Double?, height: Double?)
    ) {
        if eph == nil, let a = deviations.latitude, let b = deviations.longitude {
            eph = 2.4477 * ((a * a + b * b) / 2).squareRoot()
        }
        if epv == nil, let height = deviations.height { epv = 1.96 * height }
    }
}
