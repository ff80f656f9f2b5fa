import Receiver
import Testing

@Suite struct GPSDAddressTests {
    @Test(
        arguments: [
            ("localhost", "localhost", 2947), ("localhost:2948", "localhost", 2948),
            ("10.0.0.7", "10.0.0.7", 2947), ("[::1]:3000", "::1", 3000), ("[::1]", "::1", 2947),
            ("::1", "::1", 2947), ("fe80::1%eth0", "fe80::1%eth0", 2947),
            ("gps.example.org:1", "gps.example.org", 1),
        ] as [(String, String, UInt16)])
    func `a host with or without a port is read, IPv6 too`(
        text: String, host: String, port: UInt16
    ) {
        #expect(GPSDAddress(text) == GPSDAddress(host: host, port: port))
    }

    @Test(arguments: [
        "", ":2947", "host:", "host:0", "host:65536", "host:-1", "host:+5", "[::1", "[::1]x", "a b",
        "/run/gpsd.sock",
    ])
    func `anything else is refused`(text: String) {
        #expect(GPSDAddress(text) == nil)
    }
}
