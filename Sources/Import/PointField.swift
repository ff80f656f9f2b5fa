/// A part of a point, with the name it has in this program's own formats.
enum PointField: String, CaseIterable {
    case time
    case date
    case latitude = "lat"
    case longitude = "lon"
    /// `N` or `S`, in a column beside a latitude without a sign.
    case northSouth = "north_south"
    /// `E` or `W`, in a column beside a longitude without a sign.
    case eastWest = "east_west"
    case altitudeMSL = "alt_msl"
    case altitudeHAE = "alt_hae"
    case geoidSeparation = "geoid_separation"
    case speed
    case course
    case climb
    case heading
    case mode
    /// Whether there was a fix at all.
    case valid
    case status
    case eph
    case epv
    case eps
    case epc
    case ept
    case hdop
    case vdop
    case pdop
    case tdop
    case gdop
    case satellitesUsed = "satellites_used"
    case satellitesSeen = "satellites_seen"
    case segment
    case flags
    case id
}
