import GNSS

/// GPX 1.1 (topografix.com/GPX/1/1/gpx.xsd), one `trkseg` a segment.
///
/// `ele` is the height above mean sea level, `geoidheight` its height above the ellipsoid, where known. Speed and
/// course stand in Garmin's TrackPointExtension v2, a fix's name and what `fix` has no word for in an extension of this
/// program. Every element has its place in the schemas' order.
struct GPXWriter: TrackWriter {
    private var segmentIsOpen = false

    mutating func begin(_ info: ExportInfo, _ text: inout TextBuffer) {
        text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gpx version=\"1.1\" creator=\"")
        text.append(xml: info.creator)
        text.append(
            """
            " xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2" \
            xmlns:tracklog="urn:uuid:8b1f5cbd-4a53-4f0b-9dab-6f1d2f6c7a51" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.topografix.com/GPX/1/1 \
            http://www.topografix.com/GPX/1/1/gpx.xsd \
            http://www.garmin.com/xmlschemas/TrackPointExtension/v2 \
            http://www8.garmin.com/xmlschemas/TrackPointExtensionv2.xsd">

            """)
        text.append(text: info.instruction)
        text.append("<metadata>")
        text.append(element: "name", text: info.name)
        text.append(
            element: "desc",
            text: "ele is height above mean sea level in metres, geoidheight that of the geoid "
                + "above the WGS 84 ellipsoid"
                + (info.coordinateSystem.map { "; positions are in \($0), not WGS 84" } ?? ""))
        text.append("</metadata>\n<trk>")
        text.append(element: "name", text: info.name)
        text.append("\n")
    }

    mutating func add(_ point: ExportPoint, _ text: inout TextBuffer) {
        if !segmentIsOpen { text.append("<trkseg>\n") }
        segmentIsOpen = true
        let fix = point.record.fix.withAllHeights
        text.append("<trkpt lat=\"")
        text.append(degrees: fix.latitude)
        text.append("\" lon=\"")
        // longitudeType excludes 180 (gpx.xsd); what rounds to it at nine decimals is 180.
        text.append(degrees: fix.longitude > 180 - 5e-10 ? -180 : fix.longitude)
        text.append("\">")
        text.append(element: "ele", fix.altitudeMSL, decimals: 3)
        if let time = fix.time {
            text.append("<time>")
            text.append(time)
            text.append("</time>")
        }
        text.append(element: "geoidheight", fix.geoidSeparation, decimals: 3)
        if point.record.flags.contains(.interpolated) {
            text.append("<src>interpolated</src></trkpt>\n")
            return
        }
        text.append("<fix>")
        text.append(kind(of: fix))
        text.append("</fix>")
        if let used = fix.satellitesUsed {
            text.append("<sat>")
            text.append(used)
            text.append("</sat>")
        }
        text.append(element: "hdop", fix.dop.hdop, decimals: 2)
        text.append(element: "vdop", fix.dop.vdop, decimals: 2)
        text.append(element: "pdop", fix.dop.pdop, decimals: 2)
        let moves = fix.speed != nil || fix.course != nil
        let status = status(of: fix)
        // The schema has no place for a height above the ellipsoid alone.
        let hae = fix.altitudeMSL == nil ? fix.altitudeHAE : nil
        if moves || status != nil || hae != nil || point.id != nil {
            text.append("<extensions>")
            if moves {
                text.append("<gpxtpx:TrackPointExtension>")
                text.append(element: "gpxtpx:speed", fix.speed, decimals: 3)
                text.append(element: "gpxtpx:course", fix.course, decimals: 2)
                text.append("</gpxtpx:TrackPointExtension>")
            }
            if let status { text.append(element: "tracklog:status", text: status.name) }
            text.append(element: "tracklog:hae", hae, decimals: 3)
            if let id = point.id {
                text.append("<tracklog:id>")
                text.append(id)
                text.append("</tracklog:id>")
            }
            text.append("</extensions>")
        }
        text.append("</trkpt>\n")
    }

    mutating func segmentBreak(_ text: inout TextBuffer) {
        if segmentIsOpen { text.append("</trkseg>\n") }
        segmentIsOpen = false
    }

    mutating func end(_ text: inout TextBuffer) {
        segmentBreak(&text)
        text.append("</trk>\n</gpx>\n")
    }

    /// What the words of `fixType` do not tell from others; an autonomous solution is what a fix is that says nothing.
    private func status(of fix: Fix) -> FixStatus? {
        switch fix.status {
        case .rtkFixed, .rtkFloat, .deadReckoning, .gnssDeadReckoning, .surveyed, .simulated:
            fix.status
        case .gps, .dgps, .py, nil: nil
        }
    }

    /// The word of `fixType`; a differential solution is named before its dimensions.
    private func kind(of fix: Fix) -> StaticString {
        switch (fix.status, fix.mode) {
        case (.dgps, .twoD), (.dgps, .threeD), (.rtkFixed, _), (.rtkFloat, _): "dgps"
        case (.py, _): "pps"
        case (_, .none): "none"
        case (_, .twoD): "2d"
        case (_, .threeD): "3d"
        }
    }
}
