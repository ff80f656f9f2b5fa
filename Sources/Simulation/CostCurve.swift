public import GNSS
import Glibc

/// What a policy costs against how far its track is off, a point a setting: for JSON and as a drawing.
public struct CostCurves: Sendable {
    /// One setting of one policy, the mean over the tracks.
    public struct Point: Equatable, Sendable {
        /// The setting, as `60 s` or `50 m`.
        public var label: String
        /// Metres at 95 % of the seconds of trips.
        public var error: Double
        /// The share of the time with the receiver on.
        public var onShare: Double
        /// Milliwatt hours a day.
        public var milliwattHours: Double

        /// A point.
        public init(label: String, error: Double, onShare: Double, milliwattHours: Double) {
            self.label = label
            self.error = error
            self.onShare = onShare
            self.milliwattHours = milliwattHours
        }

        fileprivate var isDrawable: Bool { error > 0 && onShare > 0 }
    }

    /// By policy, in the order of drawing.
    public var curves: [(name: String, points: [Point])] = []

    /// Nothing yet.
    public init() {}

    /// One JSON object: the points by policy.
    public func appendJSON(to text: inout TextBuffer) {
        text.append("{\"curves\":[")
        for (index, curve) in curves.enumerated() {
            text.append(index == 0 ? "{\"policy\":" : ",{\"policy\":")
            text.append(json: curve.name)
            text.append(",\"points\":[")
            for (index, point) in curve.points.enumerated() {
                text.append(index == 0 ? "{\"setting\":" : ",{\"setting\":")
                text.append(json: point.label)
                text.append(",\"error_p95\":")
                text.append(point.error, decimals: 3, trimming: true)
                text.append(",\"on_share\":")
                text.append(point.onShare, decimals: 6, trimming: true)
                text.append(",\"energy_day\":")
                text.append(point.milliwattHours, decimals: 3, trimming: true)
                text.append("}")
            }
            text.append("]}")
        }
        text.append("]}\n")
    }

    private static let width = 720.0
    private static let height = 480.0
    private static let margin = (left: 64.0, top: 40.0, right: 160.0, bottom: 52.0)
    /// Told apart by everybody (Okabe and Ito 2008).
    private static let colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"]

    /// A drawing, both axes logarithmic.
    public func appendSVG(to text: inout TextBuffer) {
        let all = curves.flatMap(\.points).filter(\.isDrawable)
        let x = Axis(all.map(\.error), from: Self.margin.left, to: Self.width - Self.margin.right)
        let y = Axis(
            all.map { $0.onShare * 100 }, from: Self.height - Self.margin.bottom,
            to: Self.margin.top)
        text.append(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 480" font-family="sans-serif" font-size="12">
            <rect width="720" height="480" fill="white"/>
            <text x="64" y="22" font-size="15">Receiver on-time against the error of the track</text>

            """)
        for tick in x.ticks { line(&text, x.place(tick), nil, tick, "m") }
        for tick in y.ticks { line(&text, nil, y.place(tick), tick, "%") }
        for (index, curve) in curves.enumerated() {
            let colour = Self.colours[index % Self.colours.count]
            let points = curve.points.filter(\.isDrawable)
            text.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"")
            text.append(text: colour)
            text.append("\" points=\"")
            for point in points {
                number(&text, x.place(point.error))
                text.append(",")
                number(&text, y.place(point.onShare * 100))
                text.append(" ")
            }
            text.append("\"/>\n")
            for point in points {
                text.append("<circle r=\"3\" cx=\"")
                number(&text, x.place(point.error))
                text.append("\" cy=\"")
                number(&text, y.place(point.onShare * 100))
                text.append("\" fill=\"")
                text.append(text: colour)
                text.append("\"><title>")
                text.append(xml: "\(curve.name) \(point.label)")
                text.append("</title></circle>\n")
            }
            text.append("<text x=\"572\" y=\"")
            number(&text, 60 + Double(index) * 20)
            text.append("\" fill=\"")
            text.append(text: colour)
            text.append("\">")
            text.append(xml: curve.name)
            text.append("</text>\n")
        }
        text.append(
            """
            <text x="64" y="470">error of the stored track over trip seconds, 95 %, metres</text>
            </svg>

            """)
    }

    private func line(
        _ text: inout TextBuffer, _ x: Double?, _ y: Double?, _ value: Double, _ unit: StaticString
    ) {
        text.append("<line stroke=\"#ddd\" x1=\"")
        number(&text, x ?? Self.margin.left)
        text.append("\" x2=\"")
        number(&text, x ?? Self.width - Self.margin.right)
        text.append("\" y1=\"")
        number(&text, y ?? Self.margin.top)
        text.append("\" y2=\"")
        number(&text, y ?? Self.height - Self.margin.bottom)
        text.append("\"/>\n<text text-anchor=\"")
        text.append(x == nil ? "end\" x=\"" : "middle\" x=\"")
        number(&text, x ?? Self.margin.left - 6)
        text.append("\" y=\"")
        number(&text, y.map { $0 + 4 } ?? Self.height - Self.margin.bottom + 16)
        text.append("\">")
        text.append(value, decimals: 2, trimming: true)
        text.append(" ")
        text.append(unit)
        text.append("</text>\n")
    }

    private func number(_ text: inout TextBuffer, _ value: Double) {
        text.append(value, decimals: 1)
    }
}

/// A logarithmic axis.
private struct Axis {
    var ticks: [Double] = []
    private let low: Double
    private let high: Double
    private let from: Double
    private let to: Double

    init(_ values: [Double], from: Double, to: Double) {
        self.from = from
        self.to = to
        low = (values.min() ?? 1) / 1.1
        high = max((values.max() ?? 10) * 1.1, low * 1.01)
        var decade = 1e-4
        while decade < high {
            for step in [1.0, 2, 5] where step * decade >= low && step * decade <= high {
                ticks.append(step * decade)
            }
            decade *= 10
        }
    }

    func place(_ value: Double) -> Double {
        from + (to - from) * (log(value) - log(low)) / (log(high) - log(low))
    }
}
