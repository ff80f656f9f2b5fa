import Glibc

/// Web Mercator in the unit square: west to east and north to south, as map tiles have it.
enum Mercator {
    /// Beyond this latitude the square ends.
    static let limit = 85.051_128_779_806_6

    static func x(_ longitude: Double) -> Double {
        (longitude + 180) / 360
    }

    static func y(_ latitude: Double) -> Double {
        let angle = max(-limit, min(limit, latitude)) * .pi / 180
        return 0.5 - log(tan(.pi / 4 + angle / 2)) / (2 * .pi)
    }

    static func latitude(_ y: Double) -> Double {
        (2 * atan(exp((0.5 - y) * 2 * .pi)) - .pi / 2) * 180 / .pi
    }

    static func longitude(_ x: Double) -> Double {
        let degrees = x * 360 - 180
        return degrees - 360 * ((degrees + 180) / 360).rounded(.down)
    }

    /// Metres of one unit of the square at a latitude, by the equator of WGS 84.
    static func metres(atY y: Double) -> Double {
        40_075_016.686 * cos(latitude(y) * .pi / 180)
    }
}
