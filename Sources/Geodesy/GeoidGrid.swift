import Glibc

/// Why a geoid grid cannot be used.
public enum GeoidGridError: Error, Equatable {
    /// The file cannot be opened or mapped; the system's error number.
    case unreadable(path: String, code: Int32)
    /// The file is no whole grid in the GTX format, or does not cover the earth.
    case notAGrid(path: String)
}

extension GeoidGridError: CustomStringConvertible {
    /// As `/usr/share/proj/egm96.gtx: no such file`.
    public var description: String {
        switch self {
        case .unreadable(let path, ENOENT): "\(path): no such file"
        case .unreadable(let path, EACCES): "\(path): permission denied"
        case .unreadable(let path, let code): "\(path): cannot be read (error \(code))"
        case .notAGrid(let path): "\(path): no grid of the whole earth in the GTX format"
        }
    }
}

/// A geoid grid in the GTX format, as `egm96_15.gtx` of Debian's proj-data.
///
/// The file is mapped, not read: a fix touches the pages near it and no more.
@safe public final class GeoidGrid {
    // GTX: 40 bytes of header (south, west, latitude step, longitude step as big-endian doubles, rows
    // and columns as big-endian 32-bit numbers), then big-endian floats from the south-west corner on.
    private static let header = 40

    private let bytes: UnsafeRawBufferPointer
    private let south: Double
    private let west: Double
    private let latitudeStep: Double
    private let longitudeStep: Double
    private let rows: Int
    private let columns: Int

    /// Where Debian's proj-data puts the EGM96 grid.
    public static let defaultPath = "/usr/share/proj/egm96_15.gtx"

    /// Maps the file at `path`.
    public init(path: String) throws(GeoidGridError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .unreadable(path: path, code: errno)
        }
        let size = Int(status.st_size)
        guard size >= GeoidGrid.header else { throw .notAGrid(path: path) }
        let address = unsafe mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard unsafe address != MAP_FAILED else { throw .unreadable(path: path, code: errno) }
        unsafe bytes = UnsafeRawBufferPointer(start: address, count: size)
        south = unsafe GeoidGrid.double(bytes, 0)
        west = unsafe GeoidGrid.double(bytes, 8)
        latitudeStep = unsafe GeoidGrid.double(bytes, 16)
        longitudeStep = unsafe GeoidGrid.double(bytes, 24)
        let (rows, columns) = unsafe (
            Int(Int32(bitPattern: GeoidGrid.word(bytes, 32))),
            Int(Int32(bitPattern: GeoidGrid.word(bytes, 36)))
        )
        self.rows = rows
        self.columns = columns
        // Only grids of the whole earth: others would need a rule for the rest of it.
        guard (2...40_000).contains(rows), (2...80_000).contains(columns),
            size == GeoidGrid.header + rows * columns * 4, south == -90, abs(west) <= 360,
            abs(latitudeStep * Double(rows - 1) - 180) < 1e-6,
            abs(longitudeStep * Double(columns) - 360) < 1e-6
        else { throw .notAGrid(path: path) }
    }

    deinit {
        unsafe _ = munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }

    /// Metres from the ellipsoid up to the geoid, bilinear; `nil` for what is not a position.
    public func separation(latitude: Double, longitude: Double) -> Double? {
        let longitude = Angle.wrapLongitude(longitude)
        guard abs(latitude) <= 90, !longitude.isNaN else { return nil }
        let east = (longitude - west).truncatingRemainder(dividingBy: 360)
        return Geoid.bilinear(
            row: (latitude - south) / latitudeStep,
            column: (east < 0 ? east + 360 : east) / longitudeStep, rows: rows, columns: columns
        ) { row, column in
            let word = unsafe GeoidGrid.word(
                bytes, GeoidGrid.header + (row * columns + column) * 4)
            return Double(Float(bitPattern: word))
        }
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
        unsafe UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    private static func double(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Double {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return Double(bitPattern: UInt64(bigEndian: word))
    }
}
