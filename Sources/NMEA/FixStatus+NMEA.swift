import GNSS

extension FixStatus {
    /// The status of a mode letter (NMEA 0183 2.3 and later); `nil` for N, unknown ones and none.
    @inline(__always)
    init?(letter: UInt8) {
        switch letter {
        case UInt8(ascii: "A"): self = .gps
        case UInt8(ascii: "D"), UInt8(ascii: "P"): self = .dgps
        case UInt8(ascii: "R"): self = .rtkFixed
        case UInt8(ascii: "F"): self = .rtkFloat
        case UInt8(ascii: "E"): self = .deadReckoning
        case UInt8(ascii: "M"): self = .surveyed
        case UInt8(ascii: "S"): self = .simulated
        default: return nil
        }
    }

    /// The status of GGA's quality digit.
    @inline(__always)
    init?(quality: UInt8) {
        switch quality {
        case UInt8(ascii: "1"): self = .gps
        case UInt8(ascii: "2"), UInt8(ascii: "9"): self = .dgps
        case UInt8(ascii: "3"): self = .py
        case UInt8(ascii: "4"): self = .rtkFixed
        case UInt8(ascii: "5"): self = .rtkFloat
        case UInt8(ascii: "6"): self = .deadReckoning
        case UInt8(ascii: "7"): self = .surveyed
        case UInt8(ascii: "8"): self = .simulated
        default: return nil
        }
    }
}
