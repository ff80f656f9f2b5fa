import GNSS

/// What a receiver draws in each state, milliwatts.
public struct ReceiverDraw: Equatable, Sendable {
    /// From switching on to the first fix.
    public var acquiring: Double
    /// With fixes.
    public var tracking: Double
    /// Switched off.
    public var off: Double

    /// A receiver that draws so much.
    public init(acquiring: Double, tracking: Double, off: Double) {
        self.acquiring = acquiring
        self.tracking = tracking
        self.off = off
    }

    /// Receivers of the market at 3 V: u-blox SAM-M8Q and MAX-M10, GlobalTop PA6H (MT3339), Quectel L80, SiRFstar IV
    /// A2100 by data sheet, and a stick on USB that nothing switches off.
    public static let presets: [(name: String, draw: ReceiverDraw)] = [
        ("m8", ReceiverDraw(acquiring: 96, tracking: 87, off: 0.05)),
        ("m10", ReceiverDraw(acquiring: 36, tracking: 25, off: 0.1)),
        ("mtk", ReceiverDraw(acquiring: 72, tracking: 60, off: 0.05)),
        ("l80", ReceiverDraw(acquiring: 82, tracking: 69, off: 0.02)),
        ("sirf", ReceiverDraw(acquiring: 112, tracking: 61, off: 0.08)),
        ("usb", ReceiverDraw(acquiring: 150, tracking: 130, off: 130)),
    ]

    /// A preset's name, or three numbers: acquiring, tracking, off.
    public init?(_ text: String) {
        if let preset = Self.presets.first(where: { $0.name == text.lowercased() }) {
            self = preset.draw
            return
        }
        let numbers = text.split(separator: " ").compactMap { Double($0) }
        guard numbers.count == 3, text.split(separator: " ").count == 3,
            numbers.allSatisfy({ $0 >= 0 && $0 <= 100_000 })
        else { return nil }
        self.init(acquiring: numbers[0], tracking: numbers[1], off: numbers[2])
    }

    /// The text that gives it back.
    public var text: String {
        if let preset = Self.presets.first(where: { $0.draw == self }) { return preset.name }
        var out = TextBuffer()
        for (index, value) in [acquiring, tracking, off].enumerated() {
            if index > 0 { out.append(" ") }
            out.append(value, decimals: 6, trimming: true)
        }
        return out.string
    }
}
