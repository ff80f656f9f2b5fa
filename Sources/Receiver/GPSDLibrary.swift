import CGPS
import GNSS
import Glibc

/// The one structure that libgps unpacks reports into.
@safe final class GPSDLibrary {
    private let data: UnsafeMutablePointer<gps_data_t>
    // libgps reads a line from memory that it may write to.
    private var line: [CChar] = []

    private var functions = CGPS_library()

    /// Takes memory, finds the library and looks whether it fits the header; `CGPS_fits` says how.
    init() throws(GPSDLibraryError) {
        // Mapped, not allocated: what libgps does not write to takes no memory.
        guard
            let memory = unsafe mmap(
                nil, Int(CGPS_CAPACITY), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe memory != MAP_FAILED
        else { throw GPSDLibraryError(header: GPSDLibrary.header, isFound: true) }
        unsafe data = memory.bindMemory(to: gps_data_t.self, capacity: 1)
        var isFound = false
        for version in [0] + GPSDLibrary.versions
        where unsafe CGPS_load(version, &functions) != 0 {
            isFound = true
            guard unsafe CGPS_fits(&functions, data) != 0 else { continue }
            // The trial wrote to all of it; now it is zeros again.
            _ = unsafe madvise(memory, Int(CGPS_CAPACITY), MADV_DONTNEED)
            return
        }
        throw GPSDLibraryError(header: GPSDLibrary.header, isFound: isFound)
    }

    deinit {
        unsafe munmap(data, Int(CGPS_CAPACITY))
    }

    private static var header: String { "\(CGPS_apiMajor()).\(CGPS_apiMinor())" }

    /// The numbers in the sonames of libgps, from gpsd 3.22 on; 32 is that of 3.27, the rest are to come.
    private static let versions: [Int32] = Array(28...36)

    /// Satellites that fit the structure.
    static var maximumSatellites: Int { min(Int(MAXCHANNELS), SkyView.limit) }

    /// Unpacks a TPV report in gpsd's own spelling.
    ///
    /// The C function is `gps_unpack`.
    func position(_ report: [UInt8]) -> TPVReport {
        unpack(report)
        return readPosition()
    }

    private func readPosition() -> TPVReport {
        let fix = unsafe CGPS_readFix(data)
        var read = TPVReport()
        if fix.milliseconds != Int64.min { read.time = UTCTime(milliseconds: fix.milliseconds) }
        read.take(.mode, Double(fix.mode))
        read.take(.status, Double(fix.status))
        read.take(.lat, fix.latitude)
        read.take(.lon, fix.longitude)
        read.take(.altMSL, fix.altMSL)
        read.take(.altHAE, fix.altHAE)
        read.take(.geoidSep, fix.geoidSeparation)
        read.take(.speed, fix.speed)
        read.take(.track, fix.track)
        read.take(.climb, fix.climb)
        read.take(.ept, fix.ept)
        read.take(.epx, fix.epx)
        read.take(.epy, fix.epy)
        read.take(.eph, fix.eph)
        read.take(.epv, fix.epv)
        read.take(.eps, fix.eps)
        read.take(.epd, fix.epd)
        return read
    }

    /// Unpacks a SKY report; its time and the counts of a report without satellites are the caller's.
    func sky(_ report: [UInt8]) -> SkyView? {
        unpack(report)
        guard unsafe CGPS_isSky(data) != 0 else { return nil }
        var sky = SkyView()
        sky.dop = readDOP()
        let visible = unsafe Int(data.pointee.satellites_visible)
        let count = max(0, min(visible, GPSDLibrary.maximumSatellites))
        sky.satellites.reserveCapacity(count)
        for index in 0..<count {
            unsafe sky.satellites.append(satellite(CGPS_readSatellite(data, Int32(index))))
        }
        return sky
    }

    /// Unpacks a GST report: standard deviations of latitude, longitude and height, metres.
    func deviations(_ report: [UInt8]) -> (latitude: Double?, longitude: Double?, height: Double?)?
    {
        unpack(report)
        guard unsafe CGPS_isGST(data) != 0 else { return nil }
        return unsafe (
            error(CGPS_latitudeDeviation(data)), error(CGPS_longitudeDeviation(data)),
            error(CGPS_altitudeDeviation(data))
        )
    }

    private func readDOP() -> DOP {
        let read = unsafe data.pointee.dop
        var dop = DOP()
        dop.hdop = dilution(read.hdop)
        dop.vdop = dilution(read.vdop)
        dop.pdop = dilution(read.pdop)
        dop.tdop = dilution(read.tdop)
        dop.gdop = dilution(read.gdop)
        return dop
    }

    private func unpack(_ report: [UInt8]) {
        line.removeAll(keepingCapacity: true)
        unsafe report.withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe line.append(contentsOf: $0) }
        }
        line.append(0)
        unsafe CGPS_clear(&functions, data)
        unsafe line.withUnsafeMutableBufferPointer { line in
            unsafe CGPS_unpack(&functions, data, line.baseAddress)
        }
    }

    private func satellite(_ seen: CGPS_satellite) -> Satellite {
        // gps.h: "ignore gnssid and sigid if svid is zero".
        let constellation =
            seen.svid != 0
            ? UInt8(exactly: seen.gnssid).flatMap(Constellation.init(rawValue:))
            : constellation(ofPRN: Int(seen.prn))
        return Satellite(
            constellation: constellation, prn: Int16(truncatingIfNeeded: seen.prn),
            elevation: finite(seen.elevation, in: -90...90),
            azimuth: finite(seen.azimuth, in: 0...360).map { $0 == 360 ? 0 : $0 },
            signal: finite(seen.signal, in: 0...99), used: seen.used != 0)
    }
}

/// The value where it can be meant; NaN, which is libgps's word for none, cannot.
func finite(_ value: Double, in range: ClosedRange<Double>) -> Double? {
    range.contains(value) ? value : nil
}

/// An error of 0 is one that is not known.
func error(_ value: Double) -> Double? {
    value > 0 && value < 1e7 ? value : nil
}

/// Receivers say 0 or 99.99 for "unknown".
func dilution(_ value: Double) -> Double? {
    value > 0 && value < 99.99 ? value : nil
}

/// The system of a satellite by gpsd's numbering of NMEA 2.x to 4.0 (gps.h, `satellite_t`; gpsd_json, "PRN").
private func constellation(ofPRN prn: Int) -> Constellation? {
    switch prn {
    case 1...32: .gps
    case 33...64, 120...158: .sbas
    case 65...96: .glonass
    case 173...182: .imes
    case 193...202: .qzss
    case 301...336: .galileo
    case 201...264, 401...463: .beidou
    default: nil
    }
}
