import Geodesy
import Testing

@Suite struct CoordinateTextTests {
    @Test func `degrees, minutes and seconds carry instead of showing sixty`() {
        func text(_ lat: Double, _ lon: Double, _ format: DegreeFormat, _ decimals: Int?) -> String?
        {
            CoordinateText.degrees(
                latitude: lat, longitude: lon, format: format, decimals: decimals)
        }
        #expect(text(39.9087, 116.3975, .seconds, nil) == "39° 54' 31.32\" N, 116° 23' 51.00\" E")
        #expect(text(39.9087, 116.3975, .minutes, nil) == "39° 54.5220' N, 116° 23.8500' E")
        #expect(text(39.9087, 116.3975, .decimal, nil) == "39.908700° N, 116.397500° E")
        #expect(
            text(59.999_999_99, -179.999_999_99, .seconds, 0) == "60° 00' 00\" N, 180° 00' 00\" W")
        #expect(text(-0.999_999_99, 0, .minutes, 2) == "1° 00.00' S, 0° 00.00' E")
        #expect(text(12.99999, 0, .decimal, 3) == "13.000° N, 0.000° E")
        #expect(
            text(-90, 180, .seconds, 9) == "90° 00' 00.000000000\" S, 180° 00' 00.000000000\" E")
        #expect(text(-1e-9, -0.0, .seconds, 2) == "0° 00' 00.00\" N, 0° 00' 00.00\" E")
    }

    @Test func `no sixty and no minus zero for many angles next to whole minutes`() throws {
        for step in stride(from: 0, to: 5400, by: 13) {
            let degrees = Double(step) / 60
            for nudge in [-1e-9, 0, 1e-9] {
                for format in [DegreeFormat.minutes, .seconds] {
                    for decimals in [0, 1, 3] {
                        let latitude = max(-90, min(90, nudge - degrees))
                        let text = try #require(
                            CoordinateText.degrees(
                                latitude: latitude, longitude: degrees, format: format,
                                decimals: decimals))
                        #expect(!text.contains(" 60.") && !text.contains(" 60'"), "\(text)")
                        #expect(!text.contains(" 60\"") && !text.contains("-"), "\(text)")
                    }
                }
            }
        }
    }

    @Test func `a geo URI follows RFC 5870`() {
        // The RFC's own example, section 1.
        #expect(
            CoordinateText.geoURI(latitude: 48.2010, longitude: 16.3695, altitudeHAE: 183)
                == "geo:48.201,16.3695,183")
        #expect(
            CoordinateText.geoURI(latitude: 66, longitude: 30, uncertainty: 6.5)
                == "geo:66,30;u=6.5")
        #expect(CoordinateText.geoURI(latitude: 90, longitude: 46) == "geo:90,0")
        #expect(CoordinateText.geoURI(latitude: -1e-12, longitude: -1e-12) == "geo:0,0")
    }

    @Test func `Maidenhead locators are those the amateurs publish`() {
        // The ARRL's W1AW and the example of IARU Region 1's VHF handbook.
        #expect(CoordinateText.maidenhead(latitude: 41.714775, longitude: -72.727260) == "FN31pr")
        #expect(CoordinateText.maidenhead(latitude: 48.14666, longitude: 11.60833) == "JN58td")
        #expect(
            CoordinateText.maidenhead(latitude: 41.714775, longitude: -72.727260, pairs: 4)
                == "FN31pr21")
        #expect(CoordinateText.maidenhead(latitude: 90, longitude: 180) == "RR99xx")
        #expect(CoordinateText.maidenhead(latitude: -90, longitude: -180) == "AA00aa")
        #expect(CoordinateText.maidenhead(latitude: 0, longitude: 0, pairs: 1) == "JJ")
    }

    // GeographicLib 2.1.2: GeoConvert -u -p 3 and -m -p 0.
    @Test(arguments: [
        (39.9087, 116.3975, 50, 448502.182, 4417797.609, "50SMK4850217797"),
        (-33.8688, 151.2093, 56, 334368.634, 6250948.345, "56HLH3436850948"),
        (60.39, 5.32, 32, 297230.220, 6700510.175, "32VKN9723000510"),
        (78.2232, 15.6267, 33, 514278.715, 8683355.469, "33XWG1427883355"),
        (0, 0, 31, 166021.443, 0, "31NAA6602100000"),
        (-0.5, -78.5, 17, 778265.778, 9944681.960, "17MQV7826544681"),
        (-80, -179.99, 1, 442061.393, 1116925.020, "01CDM4206116925"),
        (51.5, -0.12, 30, 699889.807, 5709362.293, "30UXC9988909362"),
        (22.2819, 114.1581, 50, 207153.840, 2466785.164, "50QKK0715366785"),
        (1.3521, 103.8198, 48, 368700.272, 149479.866, "48NUG6870049479"),
        (-54.8019, -68.303, 19, 544805.097, 3927029.885, "19FEV4480527029"),
    ])
    func `UTM and MGRS agree with GeoConvert`(
        latitude: Double, longitude: Double, zone: Int, easting: Double, northing: Double,
        mgrs: String
    ) throws {
        let utm = try #require(UTM(latitude: latitude, longitude: longitude))
        #expect(utm.zone == zone)
        #expect(abs(utm.easting - easting) <= 0.0006)
        #expect(abs(utm.northing - northing) <= 0.0006)
        #expect(utm.mgrs() == mgrs)
        #expect(utm.isNorth == (latitude >= 0))
    }

    @Test func `text forms of what is no position are nil`() {
        for (lat, lon) in [(91, 0), (.nan, 0), (0, .infinity), (0, 181)] as [(Double, Double)] {
            #expect(CoordinateText.degrees(latitude: lat, longitude: lon, format: .decimal) == nil)
            #expect(CoordinateText.geoURI(latitude: lat, longitude: lon) == nil)
            #expect(CoordinateText.maidenhead(latitude: lat, longitude: lon) == nil)
            #expect(UTM(latitude: lat, longitude: lon) == nil)
        }
        #expect(UTM(latitude: 84.1, longitude: 0) == nil)
        #expect(UTM(latitude: 84, longitude: 180)?.zone == 1)
        #expect(UTM(latitude: 39.9087, longitude: 116.3975)?.text == "50S 448502E 4417797N")
        #expect(UTM(latitude: 39.9087, longitude: 116.3975)?.mgrs(digits: 2) == "50SMK4817")
    }
}
