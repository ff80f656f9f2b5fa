public import GNSS
public import JSON

extension SkyView {
    /// Reads the result of a `sky` reply.
    public init(_ value: JSONValue) throws(DecodeError) {
        self = try FieldReader.read(SkyView.self, from: value, at: "sky")
    }
}

extension SkyView: Report {
    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.time("time", &time, "When; absent when the receiver does not say.")
        visitor.list("satellites", &satellites, "Satellites in view.")
        visitor.number("hdop", &dop.hdop, nil, "Horizontal dilution of precision.")
        visitor.number("vdop", &dop.vdop, nil, "Vertical dilution of precision.")
        visitor.number("pdop", &dop.pdop, nil, "Position dilution of precision.")
        visitor.number("tdop", &dop.tdop, nil, "Time dilution of precision.")
        visitor.number("gdop", &dop.gdop, nil, "Geometric dilution of precision.")
        visitor.integer(
            "jamming", &jamming, nil, "From 0, none, to 255, severe; absent when not told.")
        visitor.integer(
            "antenna", &antenna, nil,
            "Antenna: 1 well, 2 open, 3 shorted; absent when not told.")
    }
}

extension Satellite: Report {
    init() {
        self.init(
            constellation: nil, prn: 0, elevation: nil, azimuth: nil, signal: nil, used: false)
    }

    mutating func visit(_ visitor: inout some FieldVisitor) {
        visitor.integer("prn", &prn, nil, "The receiver's number for it.")
        var name = constellation?.name
        visitor.text("constellation", &name, "gps, galileo, …; absent when not told.")
        constellation = Constellation.allCases.first { $0.name == name }
        visitor.number("elevation", &elevation, "deg", "Above the horizon.")
        visitor.number("azimuth", &azimuth, "deg", "From true north.")
        visitor.number("signal", &signal, "dB-Hz", "Carrier to noise density.")
        visitor.flag("used", &used, "Whether the solution uses it.")
    }
}
