public import GNSS

/// A fix at the position that is exported.
public struct ExportPoint: Equatable, Sendable {
    /// The fix with everything that was recorded of it; its `fix` has the exported position and heights.
    public var record: RecordedFix
    /// The fix's name for ever; `nil` when its database has none, and for a point between fixes.
    public var id: FixID?

    /// A record at one of its positions.
    public init(
        _ record: RecordedFix, _ position: ExportPosition, store: String? = nil
    ) {
        self.record = record
        if let store, record.sequence > 0, !record.flags.contains(.interpolated) {
            id = record.origin ?? FixID(store: store, sequence: record.sequence)
        }
        guard position == .corrected, let corrected = record.corrected else { return }
        self.record.fix.latitude = corrected.latitude
        self.record.fix.longitude = corrected.longitude
        self.record.fix.altitudeMSL = corrected.altitudeMSL
        self.record.fix.altitudeHAE = corrected.altitudeHAE
        // The separation belonged to the heights as received.
        if corrected.altitudeMSL != record.fix.altitudeMSL { self.record.fix.geoidSeparation = nil }
    }

    /// Whether latitude and longitude can be written at all.
    var isFinite: Bool {
        record.fix.latitude.isFinite && record.fix.longitude.isFinite
    }
}

extension Fix {
    /// With the third of the heights above the sea, above the ellipsoid and of the geoid, which the other two tell:
    /// formats have places for different ones.
    var withAllHeights: Fix {
        var fix = self
        switch (altitudeMSL, altitudeHAE, geoidSeparation) {
        case (let msl?, let hae?, nil): fix.geoidSeparation = hae - msl
        case (nil, let hae?, let separation?): fix.altitudeMSL = hae - separation
        default: break
        }
        return fix
    }
}

/// The part of a point that a line needs.
struct Vertex: Equatable {
    var latitude: Double
    var longitude: Double
    var height: Double?
    var time: UTCTime?
    /// Its name; `nil` for what lies between fixes.
    var id: FixID?
}

extension TextBuffer {
    /// Appends degrees with as many decimals as were stored, nine at most.
    mutating func append(degrees value: Double) {
        append(value, decimals: 9, trimming: true)
    }

    /// Appends an XML element with a number, or nothing when it is unknown or not finite.
    mutating func append(
        element name: StaticString, _ value: Double?, decimals: Int
    ) {
        guard let value, value.isFinite, value.magnitude < 1e15 else { return }
        append("<")
        append(name)
        append(">")
        append(value, decimals: decimals, trimming: true)
        append("</")
        append(name)
        append(">")
    }

    /// Appends an XML element with text.
    mutating func append(element name: StaticString, text: String) {
        append("<")
        append(name)
        append(">")
        append(xml: text)
        append("</")
        append(name)
        append(">")
    }
}
