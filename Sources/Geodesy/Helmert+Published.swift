extension Helmert {
    // EPSG operation 8049, ITRF2014 to GDA2020 (Intergovernmental Committee on Surveying and Mapping).
    static let itrf2014ToGDA2020 = Helmert(
        .coordinateFrame, .init(), rates: .init(rx: 0.00150379, ry: 0.00118346, rz: 0.00120716),
        epoch: 2020)

    // EPSG operation 8048, GDA94 to GDA2020.
    static let gda94ToGDA2020 = Helmert(
        .coordinateFrame,
        .init(
            x: 0.06155, y: -0.01087, z: -0.04019, rx: -0.0394924, ry: -0.0327221, rz: -0.0328979,
            scale: -0.009994))

    // EPSG operation 8366, ITRF2014 to ETRF2014 (EUREF).
    static let itrf2014ToETRF2014 = Helmert(
        .positionVector, .init(), rates: .init(rx: 0.000085, ry: 0.000531, rz: -0.00077),
        epoch: 1989)

    // EPSG operation 8405, ITRF2014 to ETRF2000 (EUREF).
    static let itrf2014ToETRF2000 = Helmert(
        .positionVector,
        .init(
            x: 0.0547, y: 0.0522, z: -0.0741, rx: 0.001701, ry: 0.01029, rz: -0.016632,
            scale: 0.00212),
        rates: .init(
            x: 0.0001, y: 0.0001, z: -0.0019, rx: 0.000081, ry: 0.00049, rz: -0.000792,
            scale: 0.00011),
        epoch: 2010)

    // EPSG operation 7790, ITRF2014 to ITRF2008 (IERS).
    static let itrf2014ToITRF2008 = Helmert(
        .positionVector, .init(x: -0.0016, y: -0.0019, z: -0.0024, scale: 0.00002),
        rates: .init(z: 0.0001, scale: -0.00003), epoch: 2010)

    // EPSG operation 8970, ITRF2014 to NAD83(2011) (National Geodetic Survey).
    static let itrf2014ToNAD83 = Helmert(
        .coordinateFrame,
        .init(
            x: 1.0053, y: -1.9092, z: -0.5416, rx: 0.0267814, ry: -0.0004203, rz: 0.0109321,
            scale: 0.00037),
        rates: .init(
            x: 0.0008, y: -0.0006, z: -0.0014, rx: 0.0000667, ry: -0.0007574, rz: -0.0000513,
            scale: -0.00007),
        epoch: 2010)

    // EPSG operation 1314, OSGB36 to WGS 84 (Ordnance Survey).
    static let osgb36ToWGS84 = Helmert(
        .positionVector,
        .init(
            x: 446.448, y: -125.157, z: 542.06, rx: 0.15, ry: 0.247, rz: 0.842, scale: -20.489))

    // EPSG operation 1230, Tokyo to WGS 84.
    static let tokyoToWGS84 = Helmert(.positionVector, .init(x: -148, y: 507, z: 685))
}
