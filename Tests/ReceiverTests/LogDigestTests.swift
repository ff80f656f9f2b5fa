import Foundation
import Receiver
import Testing

@Suite struct LogDigestTests {
    /// Expected: `XXH64` of libxxhash 0.8.1.
    @Test(
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B),
            ("abc", 0x44BC_2CF5_AD77_0999),
            ("Nobody inspects the spammish repetition", 0xFBCE_A83C_8A37_8BF1),
        ] as [(String, UInt64)])
    func `the digest is XXH64 with seed 0`(text: String, digest: UInt64) {
        var computed = LogDigest()
        Data(text.utf8).withUnsafeBytes { computed.update($0) }
        #expect(computed.value == digest)
    }

    @Test func `cutting the stream anywhere changes nothing`() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 3) }
        var whole = LogDigest()
        bytes.withUnsafeBytes { whole.update($0) }
        // `XXH64` of libxxhash 0.8.1.
        #expect(whole.value == 0x8976_5902_CC28_352A)
        for step in [1, 3, 8, 31, 32, 33, 100, 999] {
            var cut = LogDigest()
            for start in stride(from: 0, to: bytes.count, by: step) {
                Array(bytes[start..<min(bytes.count, start + step)]).withUnsafeBytes {
                    cut.update($0)
                }
            }
            #expect(cut.value == whole.value, "step \(step)")
            #expect(cut.count == 1000)
        }
    }
}
