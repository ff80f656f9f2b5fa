import Testing

@testable import Import

@Suite struct PackedNumbersTests {
    @Test(arguments: [1, 1e3, 1e7])
    func `what comes out is what went in, to the bit`(scale: Double) {
        var numbers: [Double] = [
            0, -0.0, 1, -1, 180, -180, 1e-7, -1e-7, 0.1 + 0.2, 8.1234567, 47.123456789, 1e300,
            -1e300, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, 1_709_629_200_000, 1e16,
            9e15, -9e15,
            9_007_199_254_740_992,
        ]
        for index in 0..<40_000 { numbers.append(Double(index * index) / scale) }
        var packed = PackedNumbers(scale: scale)
        for number in numbers { packed.append(number) }
        #expect(packed.count == numbers.count)
        for number in numbers {
            #expect(packed.popFirst()?.bitPattern == number.bitPattern)
        }
        #expect(packed.popFirst() == nil && packed.isEmpty)
    }

    @Test func `what is put in while others are taken out comes out in order`() {
        var packed = PackedNumbers(scale: 1)
        for index in 0..<100_000 {
            packed.append(Double(index * 7))
            packed.append(Double(index))
            #expect(
                packed.popFirst() == (index % 2 == 0 ? Double(index / 2 * 7) : Double(index / 2)))
        }
        #expect(packed.count == 100_000)
    }
}
