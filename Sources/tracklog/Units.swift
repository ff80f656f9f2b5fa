import Configuration
import GNSS

/// The units people read; programs always get those of the protocol.
enum Units: String, CaseIterable {
    case metric
    case imperial
    case nautical

    static let option = Option(
        "units", value: "SYSTEM", "show lengths and speeds so", choices: allCases.map(\.rawValue),
        byDefault: "by the locale")

    init(_ arguments: ParsedArguments) {
        self = arguments.value("units").flatMap(Units.init) ?? Units.ofLocale
    }

    /// What LC_ALL, LC_MEASUREMENT or LANG ask for, the first that is set.
    ///
    /// glibc's locales of the United States alone have MEASUREMENT 2; miles and feet are on the signs there.
    private static var ofLocale: Units {
        let names = ["LC_ALL", "LC_MEASUREMENT", "LANG"].compactMap { Environment.value($0) }
        let name = names.first { !$0.isEmpty } ?? "C"
        let territory = name.split(separator: "_").dropFirst().first?.prefix {
            $0 != "." && $0 != "@"
        }
        return territory == "US" ? .imperial : .metric
    }

    /// A way, as `83.2 km`; short ones in metres or feet.
    func distance(_ metres: Double) -> String {
        switch self {
        case .metric:
            metres < 1000 ? "\(decimal(metres, 0)) m" : "\(decimal(metres / 1000, 2)) km"
        case .imperial:
            // The international foot and mile of 1959.
            metres < 304.8
                ? "\(decimal(metres / 0.3048, 0)) ft" : "\(decimal(metres / 1609.344, 2)) mi"
        case .nautical:
            metres < 185.2 ? "\(decimal(metres, 0)) m" : "\(decimal(metres / 1852, 2)) nmi"
        }
    }

    /// A round length of a scale, as `5 km`.
    func roundDistance(_ metres: Double) -> String {
        var text = TextBuffer()
        switch self {
        case .metric where metres < 1000, .nautical where metres < 1000:
            text.append(metres, decimals: 0)
            return text.string + " m"
        case .metric: text.append(metres / 1000, decimals: 1, trimming: true)
        case .imperial: text.append(metres / 1609.344, decimals: 2, trimming: true)
        case .nautical: text.append(metres / 1852, decimals: 2, trimming: true)
        }
        return text.string + (self == .metric ? " km" : self == .imperial ? " mi" : " nmi")
    }

    /// A height or an error, as `523 m`.
    func length(_ metres: Double, decimals: Int = 0) -> String {
        self == .imperial
            ? "\(decimal(metres / 0.3048, decimals)) ft" : "\(decimal(metres, decimals)) m"
    }

    /// A speed, as `49.3 km/h`.
    func speed(_ metresPerSecond: Double) -> String {
        "\(speedNumber(metresPerSecond)) \(speedUnit)"
    }

    func speedNumber(_ metresPerSecond: Double) -> String {
        switch self {
        case .metric: decimal(metresPerSecond * 3.6, 1)
        case .imperial: decimal(metresPerSecond * 3600 / 1609.344, 1)
        case .nautical: decimal(metresPerSecond * 3600 / 1852, 1)
        }
    }

    var speedUnit: String {
        switch self {
        case .metric: "km/h"
        case .imperial: "mph"
        case .nautical: "kn"
        }
    }
}

/// A number with that many decimals, whatever the locale.
func decimal(_ value: Double, _ decimals: Int) -> String {
    var text = TextBuffer()
    text.append(value, decimals: decimals)
    return text.string
}

/// A length of time by its two largest units, as `1 h 41 min`.
func span(milliseconds: Int64) -> String {
    let units: [(String, Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1000),
    ]
    guard milliseconds >= 1000 else { return "\(max(0, milliseconds)) ms" }
    let largest = units.firstIndex { milliseconds >= $0.1 } ?? units.count - 1
    var rest = milliseconds
    var text = ""
    for (name, length) in units[largest...].prefix(2) where rest >= length {
        text += "\(text.isEmpty ? "" : " ")\(rest / length) \(name)"
        rest %= length
    }
    return text
}

/// The same in seconds, under one second in tenths.
func span(seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "?" }
    return seconds < 10
        ? "\(decimal(max(0, seconds), 1)) s" : span(milliseconds: Int64(seconds) * 1000)
}

/// A size, as `1.2 MiB`.
func size(bytes: Int64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"]
    guard bytes >= 1024 else { return "\(bytes) bytes" }
    var value = Double(bytes) / 1024
    var unit = 0
    while value >= 1024, unit + 1 < units.count {
        value /= 1024
        unit += 1
    }
    return "\(decimal(value, 1)) \(units[unit])"
}

extension String {
    /// The text with blanks behind it up to a width.
    func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }

    /// The text with blanks before it up to a width.
    func indented(_ width: Int) -> String {
        String(repeating: " ", count: Swift.max(0, width - count)) + self
    }
}
