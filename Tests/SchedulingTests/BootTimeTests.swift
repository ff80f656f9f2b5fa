import Scheduling
import Testing

@Suite struct BootTimeTests {
    @Test func `what is longer than 292 years ends there, and stops nothing`() {
        // A receiver that says 9999 after 2026, in milliseconds.
        let ages: Int64 = 251_595_072_000_000
        #expect(TimeSpan.milliseconds(ages).nanoseconds == .max)
        #expect(TimeSpan.milliseconds(-ages).nanoseconds == .min)
        #expect(BootTime(milliseconds: ages).nanoseconds == .max)
        let now = BootTime(nanoseconds: 1)
        #expect((now + .milliseconds(ages)).nanoseconds == .max)
        #expect((now - .milliseconds(-ages)).nanoseconds == .max)
        #expect((TimeSpan.milliseconds(-ages) + .seconds(-1)).nanoseconds == .min)
        #expect((BootTime(nanoseconds: .min) - now).nanoseconds == .min)
    }
}
