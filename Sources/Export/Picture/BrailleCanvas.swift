/// A drawing of dots for terminals: each character is a braille pattern of two by four (Unicode 2800 … 28FF).
public struct BrailleCanvas: Sendable {
    /// Dots across.
    public var width: Int { columns * 2 }
    /// Dots down.
    public var height: Int { count * 4 }

    private let columns: Int
    private let count: Int
    private var cells: [UInt8]

    /// An empty canvas of so many characters.
    public init(columns: Int, rows: Int) {
        self.columns = max(0, min(1000, columns))
        count = max(0, min(1000, rows))
        cells = [UInt8](repeating: 0, count: self.columns * count)
    }

    /// Sets a dot, counted from the upper left; outside of the canvas nothing happens.
    public mutating func set(_ x: Int, _ y: Int) {
        guard x >= 0, y >= 0, x < width, y < height else { return }
        // The left column has dots 1, 2, 3 and 7, the right one 4, 5, 6 and 8.
        let bits: [[UInt8]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]
        cells[y / 4 * columns + x / 2] |= bits[x % 2][y % 4]
    }

    /// Draws a straight line; what is outside of the canvas is left out.
    public mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        guard [x1, y1, x2, y2].allSatisfy({ $0.magnitude < 100_000 }) else { return }
        let steps = max(1, Int(max((x2 - x1).magnitude, (y2 - y1).magnitude).rounded(.up)))
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            set(
                Int((x1 + (x2 - x1) * share).rounded(.down)),
                Int((y1 + (y2 - y1) * share).rounded(.down)))
        }
    }

    /// The lines of characters, top to bottom; an empty cell is a blank.
    public var rows: [String] {
        (0..<count).map { row in
            String(
                String.UnicodeScalarView(
                    cells[(row * columns)..<((row + 1) * columns)].map { bits in
                        // 0x2800 + 8 bits is always a scalar.
                        bits == 0 ? " " : Unicode.Scalar(0x2800 + UInt32(bits)) ?? " "
                    }))
        }
    }
}
