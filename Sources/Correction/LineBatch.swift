/// Lines of nothing but two numbers, which most are, converted many at a time.
///
/// What such a line is not, ``ConvertLines`` reads by itself. Short loops one after the other let the processor work on
/// several lines at once.
struct LineBatch {
    /// The most lines that wait.
    private static let limit = 64
    /// The most that stands between two numbers.
    private static let widest = 8

    /// Positions that are converted, in the order of their lines.
    private(set) var lines: [Line] = []
    private let isLongitudeFirst: Bool

    struct Line {
        var number: Int
        /// Where it begins, where its first number ends and its second begins, and its line break.
        var start: Int32
        var stop: Int32
        var next: Int32
        var end: Int32
        var latitude: Double
        var longitude: Double
    }

    init(isLongitudeFirst: Bool) {
        self.isLongitudeFirst = isLongitudeFirst
        lines.reserveCapacity(LineBatch.limit)
    }

    /// Whether it is time to convert.
    var isFull: Bool { lines.count == LineBatch.limit }

    /// Takes the line that begins at `start` and says where the next begins.
    ///
    /// - Returns: `nil` when it has another form or is not whole.
    @inline(__always)
    mutating func take(_ bytes: RawSpan, _ start: Int, _ number: Int) -> Int? {
        guard let (first, stop) = DecimalText.scan(bytes, start) else { return nil }
        var next = stop
        while next < bytes.byteCount, LineBatch.separates(bytes, next) { next &+= 1 }
        guard next > stop, next &- stop <= LineBatch.widest,
            let (second, end) = DecimalText.scan(bytes, next), end < bytes.byteCount,
            end < Int32.max,
            unsafe bytes.unsafeLoad(fromUncheckedByteOffset: end, as: UInt8.self) == 10
        else { return nil }
        lines.append(
            Line(
                number: number, start: Int32(truncatingIfNeeded: start),
                stop: Int32(truncatingIfNeeded: stop), next: Int32(truncatingIfNeeded: next),
                end: Int32(truncatingIfNeeded: end),
                latitude: isLongitudeFirst ? second : first,
                longitude: isLongitudeFirst ? first : second))
        return end &+ 1
    }

    @inline(__always)
    private static func separates(_ bytes: RawSpan, _ index: Int) -> Bool {
        let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
        return byte == 32 || byte == 9 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
    }

    /// Converts what waits.
    mutating func convert(
        _ bytes: RawSpan, _ converter: inout PointConverter, _ output: inout [UInt8]
    ) throws(ConvertError) {
        guard let first = lines.first, let last = lines.last else { return }
        let moved = try converter.convert(lines)
        let room = Int(last.end - first.start) + lines.count * (2 * DecimalText.longest + 2)
        unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 8) { buffer in
            guard let place = buffer.baseAddress else { return }
            var size = 0
            for (index, line) in lines.enumerated() {
                unsafe size += write(line, moved[index], bytes, to: place + size)
            }
            unsafe output.append(contentsOf: UnsafeRawBufferPointer(start: place, count: size))
        }
        lines.removeAll(keepingCapacity: true)
    }

    /// Writes a line with its numbers replaced, or as it was.
    @inline(__always)
    private func write(
        _ line: Line, _ moved: (latitude: Double, longitude: Double)?, _ bytes: RawSpan,
        to place: UnsafeMutableRawPointer
    ) -> Int {
        var size = 0
        func copy(_ from: Int32, _ to: Int32) {
            for index in Int(from)..<Int(to) {
                let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
                unsafe place.storeBytes(of: byte, toByteOffset: size, as: UInt8.self)
                size += 1
            }
        }
        if let moved {
            unsafe size = DecimalText.write(
                isLongitudeFirst ? moved.longitude : moved.latitude, to: place)
            copy(line.stop, line.next)
            unsafe size += DecimalText.write(
                isLongitudeFirst ? moved.latitude : moved.longitude, to: place + size)
        } else {
            copy(line.start, line.end)
        }
        unsafe place.storeBytes(of: 10, toByteOffset: size, as: UInt8.self)
        return size + 1
    }
}
