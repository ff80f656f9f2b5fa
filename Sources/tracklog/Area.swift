import Configuration
import GNSS
import Glibc
import Geodesy
import Storage

/// Where to look: a box, with a circle in it or not.
struct Area {
    let bounds: StoredBounds
    let circle: RemovalScope.Circle?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        if arguments.has("within") {
            let what = "metres, latitude and longitude, as 200,52.5163,13.3777"
            let numbers = try Area.numbers("within", 3, what, arguments)
            guard
                let circle = RemovalScope.Circle(
                    latitude: numbers[1], longitude: numbers[2], radius: numbers[0])
            else { throw UsageError("bad value for --within: expected \(what)") }
            self.circle = circle
            bounds = Area.bounds(around: circle)
        } else {
            let what = "south, west, north and east in degrees, as 47.2,8.4,47.5,8.7"
            let numbers = try Area.numbers("box", 4, what, arguments)
            bounds = StoredBounds(
                south: numbers[0], west: numbers[1], north: numbers[2], east: numbers[3])
            circle = nil
            guard numbers[0] <= numbers[2], [numbers[0], numbers[2]].allSatisfy({ abs($0) <= 90 }),
                [numbers[1], numbers[3]].allSatisfy({ abs($0) <= 180 })
            else { throw UsageError("bad value for --box: expected \(what)") }
        }
    }

    func contains(_ fix: Fix) -> Bool {
        circle?.contains(fix.latitude, fix.longitude) ?? true
    }

    /// A box that holds a circle on the ground.
    static func bounds(around circle: RemovalScope.Circle) -> StoredBounds {
        // A degree of latitude is never under 110.5 km (WGS 84, at the equator 110.574 km).
        let reach = circle.radius / 110_500
        let south = max(-90, circle.latitude - reach)
        let north = min(90, circle.latitude + reach)
        // As wide as on the parallel of the box that is nearest to a pole, where meridians are closest.
        let cosine = cos(max(abs(south), abs(north)) * .pi / 180)
        let width = cosine > 0.001 ? reach / cosine : 180
        guard width < 180 else {
            return StoredBounds(south: south, west: -180, north: north, east: 180)
        }
        var west = circle.longitude - width
        var east = circle.longitude + width
        if west < -180 { west += 360 }
        if east > 180 { east -= 360 }
        return StoredBounds(south: south, west: west, north: north, east: east)
    }

    /// Numbers parted by commas.
    static func numbers(
        _ option: String, _ count: Int, _ what: String, _ arguments: ParsedArguments
    ) throws(UsageError) -> [Double] {
        let text = arguments.value(option) ?? ""
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .compactMap { DecimalText.parse(String($0.drop { $0 == " " })) }
        guard numbers.count == count,
            text.split(separator: ",", omittingEmptySubsequences: false).count == count
        else { throw UsageError("bad value '\(text)' for --\(option): expected \(what)") }
        return numbers
    }
}
