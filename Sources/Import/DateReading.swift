public import GNSS

/// In which order the dates of a table are written, and its times of day where they are bare digits.
///
/// A date such as `05/03/24` does not say it. All of them together often do: 13 is no month, and 32 no day. So a
/// file is read with one that has seen nothing, which is then ``settled(latest:)`` and used for the next reading.
public struct DateReading: Equatable, Sendable {
    /// What comes first.
    enum Order: Int, CaseIterable {
        case yearFirst
        case dayFirst
        case monthFirst
    }

    /// Which orders all dates so far can be in.
    private var possible = Order.allCases
    /// The more usual first, for dates written as the last one.
    private var usual = Order.allCases
    /// The first and the last day in each order.
    private var days = [ClosedRange<Int64>?](repeating: nil, count: Order.allCases.count)
    /// Whether a date was seen that is another one in another order.
    private var isOpen = false
    /// The orders that such dates were read in.
    private var read: Set<Order> = []
    /// The most digits of a bare time of day.
    private var longestClock = 0
    /// Whether short ones were read as hours and minutes, and as what lost the zeros in front of it.
    private var readShort = false
    private var readPadded = false
    private var hasHalfDays = false
    /// Whether it is a table of a logger that is known to write the year first.
    var isYearFirst = false
    private var chosen: Order?
    /// Whether all was seen.
    public private(set) var isSettled = false

    /// One that has seen nothing.
    public init() {}

    /// What to read the same file with again.
    ///
    /// Of orders that all dates fit, those count more in which none is later than `latest`, then those in which the
    /// dates lie close together, then the usual ones.
    public func settled(latest: UTCTime) -> DateReading {
        var next = self
        next.isSettled = true
        let limit = latest.dayNumber
        chosen: do {
            guard isOpen else { break chosen }
            let rated = possible.map { order -> (order: Order, rank: (Int, Int64, Int)) in
                let days = days[order.rawValue] ?? 0...0
                return (
                    order,
                    (
                        days.upperBound > limit ? 1 : 0, days.upperBound - days.lowerBound,
                        place(order)
                    )
                )
            }
            next.chosen = rated.min { $0.rank < $1.rank }?.order
        }
        return next
    }

    /// Whether the reading it was settled from took something for another date or time.
    public var wasReadOtherwise: Bool {
        guard isSettled else { return false }
        if let chosen, read != [chosen] { return true }
        return longestClock > 0 && (hasShortClocks ? readPadded : readShort)
    }

    /// What was taken for granted, for a person to check.
    public var assumptions: [String] {
        guard isSettled else { return [] }
        var words: [String] = []
        if let chosen, possible.count > 1, !(isYearFirst && chosen == .yearFirst) {
            let order =
                switch chosen {
                case .yearFirst: "year, month, day"
                case .dayFirst: "day, month, year"
                case .monthFirst: "month, day, year"
                }
            words.append("dates are taken as \(order), which nothing in the file proves")
        }
        if hasShortClocks {
            words.append("times of day of four digits or fewer are taken as hours and minutes")
        }
        return words
    }

    /// Whether bare times of day are hours and minutes: where seconds are told, some have five digits or six.
    private var hasShortClocks: Bool { (3...4).contains(longestClock) }

    /// How unusual an order is.
    private func place(_ order: Order) -> Int {
        hasHalfDays && order == .monthFirst ? -1 : usual.firstIndex(of: order) ?? 0
    }

    /// The date that three numbers are, `2024-03-05`, all of them counted.
    ///
    /// - Returns: `nil` when they are none in any order, or in none that the dates before are in.
    mutating func date(_ numbers: CivilText.Numbers) -> String? {
        usual = numbers.usual
        let fitting = possible.compactMap { order in
            numbers.date(order).map { (order: order, date: $0) }
        }
        guard let first = fitting.first else { return nil }
        let meanings = fitting.map { $0.date.dayNumber }
        possible = fitting.map(\.order)
        if meanings.contains(where: { $0 != meanings[0] }) { isOpen = true }
        for (order, day) in zip(possible, meanings) {
            let known = days[order.rawValue] ?? day...day
            days[order.rawValue] = min(known.lowerBound, day)...max(known.upperBound, day)
        }
        let order = chosen ?? possible.min { place($0) < place($1) } ?? first.order
        guard let date = fitting.first(where: { $0.order == order })?.date else { return nil }
        read.insert(order)
        return date.text
    }

    /// The hours, minutes and seconds of a time of day in bare digits; `nil` when it is none.
    mutating func clock(digits: Substring) -> (hour: Int, minute: Int, second: Int)? {
        guard digits.utf8.count <= 6, let number = Int(digits) else { return nil }
        longestClock = max(longestClock, digits.utf8.count)
        let padded = (hour: number / 10_000, minute: number / 100 % 100, second: number % 100)
        let short = (hour: number / 100, minute: number % 100, second: 0)
        guard digits.utf8.count <= 4 else { return padded }
        if hasShortClocks, isSettled || short.minute < 60 && short.hour < 24 {
            readShort = true
            return short
        }
        readPadded = true
        return padded
    }

    /// Takes note of a time of day with AM or PM, as those write it who put the month first.
    mutating func sawHalfDay() { hasHalfDays = true }
}
