import DutyCycle
import GNSS

/// Hours of the day and days as bars: the share of time the receiver was on, acquiring darker.
struct PowerDrawing {
    private let summary: PowerSummary
    private let draw: ReceiverDraw?
    private let zone: Zone

    init(_ summary: PowerSummary, _ draw: ReceiverDraw?, _ zone: Zone) {
        self.summary = summary
        self.draw = draw
        self.zone = zone
    }

    private static let width = 720.0
    private static let height = 200.0
    private static let left = 52.0
    private static let top = 46.0

    /// The drawing as an SVG 1.1 document.
    var svg: String {
        let hours = summary.hours.enumerated().map { ("\($0)", $1) }
        // More days than a bar has pixels for are left out from the past.
        let days = summary.days.suffix(120).map { (String(zone.text($0.day).prefix(10)), $0.sum) }
        var text = TextBuffer()
        text.append(
            text: """
                <?xml version="1.0" encoding="UTF-8"?>
                <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="800" height="620" \
                viewBox="0 0 800 620" font-family="sans-serif" font-size="12">
                <rect width="800" height="620" fill="white"/>

                """)
        panel("by hour of the day", hours, at: 0, &text)
        panel("by day", days, at: 310, &text)
        text.append("</svg>\n")
        return text.string
    }

    private func panel(
        _ title: String, _ bars: [(name: String, sum: PowerSummary.Sum)], at y: Double,
        _ text: inout TextBuffer
    ) {
        let top = y + Self.top
        // Full scale is the next round share above the greatest.
        let greatest = bars.compactMap(\.sum.duty).max() ?? 0
        let scale = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].first { $0 >= greatest } ?? 1
        line("Receiver on, \(title), % of the time", x: Self.left, y: y + 24, size: 14, &text)
        for step in 0...4 {
            let share = Double(step) / 4
            let at = top + Self.height * (1 - share)
            text.append("<line stroke=\"#ddd\"")
            attributes(["x1": Self.left, "x2": Self.left + Self.width, "y1": at, "y2": at], &text)
            text.append("/>\n")
            line(decimal(scale * share * 100, 2), x: Self.left - 6, y: at + 4, anchor: "end", &text)
        }
        let pitch = Self.width / Double(max(bars.count, 1))
        let every = max(1, (bars.count + 11) / 12)
        for (index, bar) in bars.enumerated() {
            let x = Self.left + pitch * Double(index)
            if bar.sum.all > 0 {
                let track = bar.sum.tracking / bar.sum.all / scale * Self.height
                let acquire = bar.sum.acquiring / bar.sum.all / scale * Self.height
                rectangle("#1f5fa8", x, top + Self.height - acquire, pitch, acquire, &text)
                rectangle("#7fb2e5", x, top + Self.height - acquire - track, pitch, track, &text)
            }
            if index % every == 0 {
                line(bar.name, x: x + pitch / 2, y: top + Self.height + 16, anchor: "middle", &text)
            }
        }
        let total = summary.total
        let energy = draw.map { ", \(decimal(total.energy($0), 1)) mWh" } ?? ""
        let legend =
            "dark: acquiring, light: tracking; \(decimal((total.duty ?? 0) * 100, 2)) % in all"
        line(legend + energy, x: Self.left, y: top + Self.height + 34, &text)
    }

    private func rectangle(
        _ colour: String, _ x: Double, _ y: Double, _ pitch: Double, _ height: Double,
        _ text: inout TextBuffer
    ) {
        guard height > 0 else { return }
        text.append(text: "<rect fill=\"\(colour)\"")
        attributes(["x": x + pitch * 0.1, "y": y, "width": pitch * 0.8, "height": height], &text)
        text.append("/>\n")
    }

    private func line(
        _ words: String, x: Double, y: Double, anchor: String = "start", size: Int = 12,
        _ text: inout TextBuffer
    ) {
        text.append(text: "<text text-anchor=\"\(anchor)\" font-size=\"\(size)\"")
        attributes(["x": x, "y": y], &text)
        text.append(">")
        text.append(xml: words)
        text.append("</text>\n")
    }

    private func attributes(_ values: KeyValuePairs<String, Double>, _ text: inout TextBuffer) {
        for (name, value) in values {
            text.append(text: " \(name)=\"\(decimal(value, 1))\"")
        }
    }
}
