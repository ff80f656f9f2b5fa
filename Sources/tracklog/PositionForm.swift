import Configuration
import Correction
import Geodesy

/// How positions are written for a person (`--form`).
enum PositionForm: String, CaseIterable {
    /// Two numbers of degrees, latitude first.
    case plain
    case degrees = "dd"
    case minutes = "dm"
    case seconds = "dms"
    case utm
    case mgrs
    case maidenhead
    case geo

    static let option = Option(
        "form", value: "FORM", "write positions so", choices: allCases.map(\.rawValue),
        byDefault: "plain")

    /// - Throws: `UsageError` for a grid or a URI of positions that are not in WGS 84.
    init(_ arguments: ParsedArguments) throws(UsageError) {
        self = arguments.value("form").flatMap(PositionForm.init) ?? .plain
        let system = arguments.value("crs").flatMap(OutputSystem.init)
        guard system == .gcj02 || system == .bd09 else { return }
        switch self {
        case .plain, .degrees, .minutes, .seconds: break
        case .utm, .mgrs, .maidenhead, .geo:
            throw UsageError("--form \(rawValue) is for positions in WGS 84")
        }
    }

    /// A position; where UTM has no zone, near the poles, in degrees.
    ///
    /// - Parameter decimals: of plain degrees.
    func text(_ latitude: Double, _ longitude: Double, decimals: Int = 6) -> String {
        let plain = "\(decimal(latitude, decimals)) \(decimal(longitude, decimals))"
        func written(_ format: DegreeFormat) -> String {
            CoordinateText.degrees(latitude: latitude, longitude: longitude, format: format)
                ?? plain
        }
        let grid = UTM(latitude: latitude, longitude: longitude)
        switch self {
        case .plain: return plain
        case .degrees: return written(.decimal)
        case .minutes: return written(.minutes)
        case .seconds: return written(.seconds)
        case .utm: return grid?.text ?? written(.decimal)
        case .mgrs: return grid?.mgrs() ?? written(.decimal)
        case .maidenhead:
            return CoordinateText.maidenhead(latitude: latitude, longitude: longitude, pairs: 5)
                ?? plain
        case .geo:
            return CoordinateText.geoURI(latitude: latitude, longitude: longitude) ?? plain
        }
    }
}
