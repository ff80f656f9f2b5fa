import DutyCycle
import Scheduling

extension SettingCatalog {
    static let receiver = [
        Setting(
            "Receiver", "Power", \.receiver.power, .word, shapesTrack: false,
            "What switches the receiver off between fixes: gpsd releases gpsd's watch, so that it closes the "
                + "device a minute later; hexdata sends SleepCommand= through gpsd; modemmanager switches a "
                + "modem's positioning; gnss-device closes a device of the kernel's GNSS subsystem; rfkill "
                + "blocks the radio; gpio sets a pin; command runs OffCommand= and OnCommand=; none leaves "
                + "everything on. tracklog status tells whether it works and what it saves.",
            advice:
                "Set what your receiver obeys: gpsd alone saves no receiver on a serial line or USB."
        ),
        Setting(
            "Receiver", "SleepCommand", \.receiver.sleepCommand, .word, shapesTrack: false,
            "The command of Power=hexdata: auto goes by gpsd's driver, ublox is RXM-PMREQ (ublox-6 for "
                + "series 6 and 7), mtk is PMTK161, mtk-225 PMTK225, pair PAIR003, pair-rtc PAIR650, sirf "
                + "push-to-fix, own sends SleepBytes= and WakeBytes=.",
            advice:
                "Set it when auto finds nothing. With pair-rtc nothing wakes the receiver early."),
        Setting(
            "Receiver", "SleepBytes", \.receiver.sleepBytes, bytes, shapesTrack: false,
            "The bytes that send the receiver to sleep, with SleepCommand=own.",
            advice: "Take a command that ends by itself where the receiver has one."),
        Setting(
            "Receiver", "WakeBytes", \.receiver.wakeBytes, bytes, shapesTrack: false,
            "The bytes that wake the receiver, with SleepCommand=own. They are sent again until it speaks.",
            advice: "ff wakes most receivers that wake by their line."),
        Setting(
            "Receiver", "OffCommand", \.receiver.offCommand, program, shapesTrack: false,
            "The program that switches the receiver off, with Power=command. No shell reads it.",
            advice: "Keep it short: it is killed after SwitchTimeout=."),
        Setting(
            "Receiver", "OnCommand", \.receiver.onCommand, program, shapesTrack: false,
            "The program that switches the receiver on, with Power=command. It also runs at every start and end, "
                + "and again while the receiver says nothing.",
            advice: "Make it harmless when the receiver is on already."),
        Setting(
            "Receiver", "SwitchTimeout", \.receiver.switchTimeout,
            .duration(.seconds(0.1) ... .seconds(60)), shapesTrack: false,
            "How long a program or ModemManager may take to switch; then it has failed.",
            advice: "Raise it for a power switch that is slow."),
        Setting(
            "Receiver", "PowerPath", optional: \.receiver.path,
            .text("a path, and a line behind a GPIO chip, as /dev/gpiochip0:17"),
            shapesTrack: false,
            "What the lever works on: the device of gnss-device, the chip and line or the file of gpio, the "
                + "switch of rfkill, the modem's object of modemmanager. Empty takes /dev/gnss0, /dev/rfkill "
                + "and the first modem; gpio needs one.",
            advice:
                "The unit hides devices: allow this one in a drop-in (PrivateDevices=no, DeviceAllow=)."
        ),
        Setting(
            "Receiver", "ActiveLow", \.receiver.activeLow, .boolean, shapesTrack: false,
            "Whether the pin of Power=gpio is low when the receiver is on.",
            advice: "Set it for an enable pin with a bar over its name."),
        Setting(
            "Receiver", "Milliwatts", optional: \.receiver.draw,
            ValueKind(
                expects: ReceiverDraw.presets.map(\.name).joined(separator: ", ")
                    + ", or three numbers of milliwatts: acquiring, tracking, off",
                parse: { ReceiverDraw($0) }, format: { $0.text }),
            shapesTrack: false,
            "What the receiver draws, for the energy that tracklog power tells. Empty tells none.",
            advice: "Measure yours, or take the preset nearest to it."),
    ]

    static let wakeSystem = Setting(
        "DutyCycle", "WakeSystem", \.receiver.wakeSystem, .boolean, shapesTrack: false,
        "Whether a suspended machine is woken when a fix is due.",
        advice:
            "It needs CAP_WAKE_ALARM: allow it in a drop-in of the unit, with PrivateUsers=no. "
            + "Set it for a tracker that suspends, not for a laptop in a bag.")

    private static let bytes = ValueKind<[UInt8]>(
        expects: "up to 200 bytes in hexadecimal, as b562",
        parse: { text in
            let digits = text.utf8.filter { $0 != UInt8(ascii: " ") }
            guard digits.count % 2 == 0, digits.count <= 400 else { return nil }
            var bytes: [UInt8] = []
            for index in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
                guard pair.utf8.allSatisfy({ isDigit($0) }), let byte = UInt8(pair, radix: 16)
                else { return nil }
                bytes.append(byte)
            }
            return bytes
        },
        format: { bytes in
            bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        })

    private static func isDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...102).contains(byte | 0x20)
    }

    private static let program = ValueKind<[String]>(
        expects: "the path of a program from / on, and its arguments after blanks",
        parse: { text in
            let words = text.split(separator: " ").map(String.init)
            return words.first?.hasPrefix("/") == true && !text.utf8.contains(0) ? words : nil
        },
        format: { $0.joined(separator: " ") })
}
