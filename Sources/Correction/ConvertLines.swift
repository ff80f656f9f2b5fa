/// Lines that begin with two numbers; blank ones and those that begin with `#` pass.
///
/// They end in LF, CR LF or CR.
struct ConvertLines: Sendable {
    let isLongitudeFirst: Bool
    private var line = 1

    private static let longest = 1 << 20

    init(isLongitudeFirst: Bool) {
        self.isLongitudeFirst = isLongitudeFirst
    }

    /// Converts whole lines and says how many bytes it took.
    mutating func scan(
        _ bytes: [UInt8], isLast: Bool, _ converter: inout PointConverter, _ output: inout [UInt8]
    ) throws(ConvertError) -> Int {
        var start = 0
        var batch = LineBatch(isLongitudeFirst: isLongitudeFirst)
        while start < bytes.count {
            // The first line may begin with a byte order mark.
            if line > 1, let next = unsafe batch.take(bytes.span.bytes, start, line) {
                start = next
                line += 1
                if batch.isFull { try unsafe batch.convert(bytes.span.bytes, &converter, &output) }
                continue
            }
            try unsafe batch.convert(bytes.span.bytes, &converter, &output)
            guard let next = try scanLine(bytes, start, isLast: isLast, &converter, &output)
            else { return start }
            start = next
            line += 1
        }
        try unsafe batch.convert(bytes.span.bytes, &converter, &output)
        return start
    }

    /// Converts a line of any kind and says where the next begins; `nil` when it is not whole yet.
    private func scanLine(
        _ bytes: [UInt8], _ start: Int, isLast: Bool, _ converter: inout PointConverter,
        _ output: inout [UInt8]
    ) throws(ConvertError) -> Int? {
        var end = start
        while end < bytes.count, bytes[end] != 10, bytes[end] != 13 { end += 1 }
        var next = min(end + 1, bytes.count)
        let isReturn = end < bytes.count && bytes[end] == 13
        // What follows a CR says whether it is the whole line break.
        guard next < bytes.count || isLast || next > end && !isReturn else {
            guard bytes.count - start <= ConvertLines.longest else {
                throw ConvertError(line: line, reason: .malformed("an endless line"))
            }
            return nil
        }
        if isReturn, next < bytes.count, bytes[next] == 10 { next += 1 }
        let first = token(bytes, start, end)
        if first.isEmpty || bytes[first.lowerBound] == UInt8(ascii: "#") {
            output += bytes[start..<next]
        } else {
            let second = token(bytes, first.upperBound, end)
            guard !second.isEmpty else {
                throw ConvertError(line: line, reason: .malformed("not two numbers"))
            }
            try converter.rewrite(
                bytes, start, next, latitude: isLongitudeFirst ? second : first,
                longitude: isLongitudeFirst ? first : second, line: line, &output)
        }
        return next
    }

    /// The next run of bytes without space, comma or semicolon.
    private func token(_ bytes: [UInt8], _ from: Int, _ end: Int) -> Range<Int> {
        func separates(_ byte: UInt8) -> Bool {
            byte <= 32 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
        }
        var begin = from
        // A byte order mark is no part of a number.
        if line == 1, begin == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { begin = 3 }
        while begin < end, separates(bytes[begin]) { begin += 1 }
        var stop = begin
        while stop < end, !separates(bytes[stop]) { stop += 1 }
        return begin..<stop
    }
}
