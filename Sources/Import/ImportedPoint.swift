public import GNSS

/// A point of an imported track.
public struct ImportedPoint: Equatable, Sendable {
    /// What the file says of it; `time` is `nil` where it says none.
    public var fix: Fix
    /// Whether the file starts a line here that nothing joins to the one before.
    public var beginsSegment: Bool
    /// Whether the file says itself where its segments begin, as GPX does: nothing else ends one.
    public var isInSegment = false
    /// The verdict that the file itself gives, as an export of this program does; `nil` when it gives none.
    public var flags: FixFlags?
    /// The name that the database it is from gave it, as an export of this program does.
    public var id: FixID?
    /// The coordinate system that the file names, in its words, as exports and conversions of this program do;
    /// `nil` when it names none.
    public var system: String?

    /// A point.
    public init(_ fix: Fix, beginsSegment: Bool = false, flags: FixFlags? = nil) {
        self.fix = fix
        self.beginsSegment = beginsSegment
        self.flags = flags
    }
}

/// Why a file cannot be imported: where and what, without a piece of the input.
public struct ImportError: Error, Equatable, CustomStringConvertible {
    /// The line, 1 for the first.
    public let line: Int
    /// What is wrong, in words.
    public let message: String

    /// An error at a line.
    public init(line: Int, message: String) {
        self.line = line
        self.message = message
    }

    /// The place and what is wrong.
    public var description: String { "line \(line): \(message)" }
}

/// What of a file is no point of a track and was left out.
public enum LeftOut: Int, CaseIterable, Sendable {
    /// A named place of a GPX, KML or GeoJSON file.
    case waypoint
    /// A point of a planned route.
    case routePoint
    /// A record without a position, as an activity or a Wi-Fi scan.
    case withoutPosition
    /// An OwnTracks message that is encrypted.
    case encrypted
    /// An OwnTracks message of another kind than `location`.
    case otherMessage
    /// A point that an export has made up between two fixes.
    case interpolated

    /// The kind in words, for one and for several.
    public func words(_ count: Int) -> String {
        let many = count != 1
        return switch self {
        case .waypoint: many ? "waypoints" : "waypoint"
        case .routePoint: many ? "points of routes" : "point of a route"
        case .withoutPosition: many ? "records without a position" : "record without a position"
        case .encrypted: many ? "encrypted messages" : "encrypted message"
        case .otherMessage: many ? "messages of other kinds" : "message of another kind"
        case .interpolated: many ? "interpolated points" : "interpolated point"
        }
    }
}
