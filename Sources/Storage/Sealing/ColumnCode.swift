/// Numbers of one kind, each told by what the ones before let expect.
///
/// The expectation is nothing, the number before, or the line through the two before, whichever leaves the least. The
/// rest is written in Rice codes whose parameter follows the recent sizes (as in LOCO-I: Weinberger, Seroussi and
/// Sapiro 2000), runs of zeros as their length. Any numbers come back as they were.
enum ColumnCode {
    /// Ones in front of a Rice code before the number is written in full.
    private static let longest = 24

    static func encode(_ values: [Int64], to writer: inout BitWriter) {
        var best = (order: 0, cost: Int.max)
        for order in 0...2 {
            var cost = 0
            for index in values.indices {
                cost += 64 - rest(values, index, order).leadingZeroBitCount
            }
            if cost < best.cost { best = (order, cost) }
        }
        writer.put(UInt64(best.order), 2)
        var size = Size()
        var index = 0
        var isRun = true
        while index < values.count {
            if isRun {
                var run = 0
                while index + run < values.count, rest(values, index + run, best.order) == 0 {
                    run += 1
                }
                put(length: run, to: &writer)
                index += run
                guard index < values.count else { break }
                put(rest(values, index, best.order) - 1, size.parameter, to: &writer)
            } else {
                put(rest(values, index, best.order), size.parameter, to: &writer)
            }
            let value = rest(values, index, best.order)
            size.note(value)
            isRun = value == 0
            index += 1
        }
    }

    static func decode(_ count: Int, from reader: inout BitReader) -> [Int64] {
        var values: [Int64] = []
        values.reserveCapacity(count)
        let order = Int(reader.take(2))
        var size = Size()
        var isRun = true
        // The two numbers before, as ``expected`` looks at them.
        var (one, two): (Int64, Int64) = (0, 0)
        func append(_ rest: UInt64) {
            let delta = Int64(bitPattern: rest >> 1) ^ -Int64(bitPattern: rest & 1)
            let expected = order == 1 ? one : order == 2 ? one &+ (one &- two) : 0
            two = values.isEmpty ? expected &+ delta : one
            one = expected &+ delta
            values.append(one)
        }
        while values.count < count, !reader.isOverrun {
            var value: UInt64
            if isRun {
                let run = min(length(from: &reader), count - values.count)
                for _ in 0..<run { append(0) }
                guard values.count < count else { break }
                value = number(size.parameter, from: &reader) &+ 1
            } else {
                value = number(size.parameter, from: &reader)
            }
            append(value)
            size.note(value)
            isRun = value == 0
        }
        return values
    }

    /// How large numbers have been of late.
    private struct Size {
        private var sum: UInt64 = 4
        private var count: UInt64 = 1

        /// The least power of two that the count times it reaches the sum, 40 at most.
        var parameter: Int {
            let bits = max(0, count.leadingZeroBitCount - sum.leadingZeroBitCount)
            return min(40, count << UInt64(bits) < sum ? bits + 1 : bits)
        }

        mutating func note(_ value: UInt64) {
            sum += min(value, 1 << 40)
            count += 1
            if count == 24 {
                sum >>= 1
                count >>= 1
            }
        }
    }

    private static func expected(_ values: [Int64], _ index: Int, _ order: Int) -> Int64 {
        switch order {
        case 1 where index > 0: values[index - 1]
        case 2 where index > 1: values[index - 1] &+ (values[index - 1] &- values[index - 2])
        case 2 where index > 0: values[index - 1]
        default: 0
        }
    }

    /// What is left of a number, small ones of either sign small.
    private static func rest(_ values: [Int64], _ index: Int, _ order: Int) -> UInt64 {
        let delta = values[index] &- expected(values, index, order)
        return UInt64(bitPattern: delta << 1 ^ delta >> 63)
    }

    private static func put(_ value: UInt64, _ parameter: Int, to writer: inout BitWriter) {
        let ones = value >> UInt64(parameter)
        guard ones < UInt64(longest) else {
            writer.put((1 << UInt64(longest)) - 1, longest)
            return writer.put(value, 64)
        }
        writer.put((1 << (ones + 1)) - 2, Int(ones) + 1)
        writer.put(value, parameter)
    }

    private static func number(_ parameter: Int, from reader: inout BitReader) -> UInt64 {
        let ones = reader.run(of: 1, atMost: longest)
        guard ones < longest else { return reader.take(64) }
        return UInt64(ones) << UInt64(parameter) | reader.take(parameter)
    }

    /// Elias' gamma code of one more, so that 0 takes one bit.
    private static func put(length: Int, to writer: inout BitWriter) {
        let value = UInt64(length) + 1
        let bits = 63 - value.leadingZeroBitCount
        writer.put(0, bits)
        writer.put(value, bits + 1)
    }

    private static func length(from reader: inout BitReader) -> Int {
        let bits = reader.run(of: 0, atMost: 32)
        return Int(1 << UInt64(bits) | reader.take(bits)) - 1
    }
}
