import Glibc
import Testing

@testable import DutyCycle

/// Errors of two coordinates that are normal with variance q have squares distributed exponentially; as multiples of
/// (2 σ)² their mean is q / 2.
@Suite struct IntensityTests {
    /// So many errors of motion with that intensity, in no order.
    private func errors(_ count: Int, of q: Double) -> [Double] {
        (0..<count).map { turn in
            let rank = Double(turn * 37 % count) + 0.5
            return -0.5 * q * log(1 - rank / Double(count))
        }
    }

    @Test(arguments: [0.001, 0.05, 2])
    func `a guess far off gives way to what the errors say`(q: Double) {
        var intensity = Intensity(guess: 0.3, mean: 0.5)
        for error in errors(60, of: q) { intensity.learn(error) }
        #expect(abs(intensity.value / q - 1) < 0.05)
    }

    @Test func `a good guess stays through the first errors`() {
        var intensity = Intensity(guess: 0.3, mean: 0.5)
        for error in errors(5, of: 0.3) {
            intensity.learn(error)
            #expect((0.2...0.45).contains(intensity.value))
        }
    }

    @Test func `one error as large as you like does no more than one three times the rest`() {
        var (huge, large) = (
            Intensity(guess: 0.3, mean: 0.5), Intensity(guess: 0.3, mean: 0.5)
        )
        for error in errors(60, of: 0.3) {
            huge.learn(error)
            large.learn(error)
        }
        huge.learn(1e12)
        large.learn(3)
        #expect(huge.value == large.value)
        #expect(huge.value < 0.4)
    }

    @Test func `nothing leaves the range of what travels`() {
        var intensity = Intensity(guess: .nan, mean: 0.5)
        for error in [Double.nan, .infinity, 1e300, 0, 0] { intensity.learn(error) }
        #expect((0.0001...12).contains(intensity.value))
    }
}
