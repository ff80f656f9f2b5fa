import DutyCycle
import Testing

@Suite struct SleepCommandTests {
    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // u-blox M8 receiver description, UBX-RXM-PMREQ, with its 8-bit Fletcher checksum; computed by hand.
    @Test func `a u-blox receiver is sent to sleep for a time, by force, to be woken by its line`()
    {
        #expect(
            hex(SleepCommand.ublox.off(for: 60_000))
                == "b562024110000000000060ea00000600000008000000abf9")
        #expect(hex(SleepCommand.ublox6.off(for: 60_000)) == "b5620241080060ea00000200000097a1")
        #expect(SleepCommand.ublox.on == [0xFF])
    }

    @Test func `a u-blox receiver is never sent to sleep for ever or longer than it can`() {
        // Bytes 10 to 13 are the duration in milliseconds, little-endian.
        func duration(_ span: Int64?) -> UInt32 {
            SleepCommand.ublox.off(for: span)[10..<14].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        #expect(duration(nil) == 3_600_000)
        #expect(duration(Int64.max) == 12 * 86_400_000)
        #expect(duration(-5) == 0)
    }

    // The checksums are the exclusive or of what is between $ and * (NMEA 0183); by an outside calculator.
    @Test(arguments: [
        (SleepCommand.mtk, "$PMTK161,0*28\r\n", "$PMTK000*32\r\n" as String?),
        (.mtk225, "$PMTK225,2,1000,60000,1000,60000*29\r\n", "$PMTK225,0*2B\r\n"),
        (.pair, "$PAIR003*39\r\n", "$PAIR002*38\r\n"),
        (.pairRTC, "$PAIR650,60*13\r\n", nil),
    ])
    func `sentences have their checksum`(command: SleepCommand, off: String, on: String?) {
        #expect(String(decoding: command.off(for: 60_000), as: UTF8.self) == off)
        if let on { #expect(String(decoding: command.on, as: UTF8.self) == on) }
    }

    @Test func `what cannot be left again is never sent`() {
        for span in [nil, 0, 1, 500, 9999, 1 << 50] as [Int64?] {
            #expect(
                !String(decoding: SleepCommand.pairRTC.off(for: span), as: UTF8.self)
                    .contains("PAIR650,0"))
            #expect(
                !String(decoding: SleepCommand.mtk225.off(for: span), as: UTF8.self)
                    .contains("PMTK225,4"))
        }
        #expect(
            String(decoding: SleepCommand.pairRTC.off(for: 500), as: UTF8.self)
                .hasPrefix("$PAIR650,10*"))
    }

    // SiRF binary protocol manual, message 151: its example is A0A2 0009 97 0000 00C8 000000C8 0227 B0B3.
    @Test func `SiRF frames have length and sum`() {
        #expect(hex(SleepCommand.sirf.off(for: nil)) == "a0a20009970001" + "00c8000000c80228b0b3")
        #expect(hex(SleepCommand.sirf.on) == "a0a20009970000" + "03e8000000c8024ab0b3")
    }

    // The names are those gpsd gives its drivers in DEVICES (drivers.c).
    @Test(arguments: [
        ("u-blox", SleepCommand.ublox as SleepCommand?), ("MTK-3301", .mtk),
        ("SiRF", .sirf), ("NMEA0183", nil), ("Garmin Serial", nil),
    ])
    func `gpsd's driver tells the command where it can`(driver: String, command: SleepCommand?) {
        #expect(SleepCommand.suiting(driver: driver) == command)
    }

    @Test func `what a receiver draws is a preset or three numbers`() {
        #expect(ReceiverDraw("m8")?.tracking == 87)
        let own = ReceiverDraw("100 80 0.05")
        #expect(own == ReceiverDraw(acquiring: 100, tracking: 80, off: 0.05))
        #expect(own?.text == "100 80 0.05")
        for text in ["", "m9", "1 2", "1 2 3 4", "1 2 x", "-1 2 3", "nan 2 3", "1 inf 3"] {
            #expect(ReceiverDraw(text) == nil, "\(text)")
        }
        for (name, draw) in ReceiverDraw.presets {
            #expect(draw.text == name)
        }
    }
}
