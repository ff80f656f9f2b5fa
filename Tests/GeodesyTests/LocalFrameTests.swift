import Foundation
import Geodesy
import Testing

@Suite struct LocalFrameTests {
    /// Longitude differences count less towards the poles.
    private func near(_ a: Double, _ b: Double, latitude: Double) -> Bool {
        abs((a - b).remainder(dividingBy: 360)) * cos(latitude * .pi / 180) <= 1e-9
    }

    @Test func `a fixed offset lands where the vectors say`() throws {
        for row in try Table("enu_offset").rows {
            let offset = ENU(
                east: try row["east_m"], north: try row["north_m"], up: try row["up_m"])
            let (lat, lon, h) = (try row["lat"], try row["lon"], try row["h"])
            let moved = offset.moved(fromLatitude: lat, longitude: lon, height: h)
            let id = Comment(rawValue: row.text("id"))
            #expect(abs(moved.latitude - (try row["lat_out"])) <= 1e-9, id)
            #expect(near(moved.longitude, try row["lon_out"], latitude: moved.latitude), id)
            #expect(abs(moved.height - (try row["h_out"])) <= 1e-5, id)
            #expect(moved.longitude > -180 && moved.longitude <= 180, id)
            let back = ENU(
                fromLatitude: lat, longitude: lon, height: h, toLatitude: moved.latitude,
                longitude: moved.longitude, height: moved.height)
            #expect(abs(back.east - offset.east) <= 1e-6, id)
            #expect(abs(back.north - offset.north) <= 1e-6, id)
            #expect(abs(back.up - offset.up) <= 1e-6, id)
        }
    }

    @Test func `a lever arm is turned by heading, pitch and roll as the vectors say`() throws {
        for row in try Table("lever_arm").rows {
            let arm = BodyVector(
                forward: -(try row["arm_forward_m"]), right: -(try row["arm_right_m"]),
                up: try row["arm_down_m"])
            let shift = arm.turned(
                heading: try row["heading_deg"], pitch: try row["pitch_deg"],
                roll: try row["roll_deg"])
            let id = Comment(rawValue: row.text("id"))
            #expect(abs(shift.east - (try row["d_east_m"])) <= 1e-6, id)
            #expect(abs(shift.north - (try row["d_north_m"])) <= 1e-6, id)
            #expect(abs(shift.up - (try row["d_up_m"])) <= 1e-6, id)
            let moved = shift.moved(
                fromLatitude: try row["ant_lat"], longitude: try row["ant_lon"],
                height: try row["ant_h"])
            #expect(abs(moved.latitude - (try row["ref_lat"])) <= 1e-9, id)
            #expect(near(moved.longitude, try row["ref_lon"], latitude: moved.latitude), id)
            #expect(abs(moved.height - (try row["ref_h"])) <= 1e-5, id)
        }
    }

    @Test func `longitudes and bearings are wrapped`() {
        #expect(abs(Angle.wrapLongitude(476.3975) - 116.3975) < 1e-12)
        #expect(Angle.wrapLongitude(-180) == 180)
        #expect(Angle.wrapLongitude(180) == 180)
        #expect(Angle.wrapLongitude(-540) == 180)
        #expect(Angle.wrapLongitude(.infinity).isNaN)
        #expect(Angle.wrapBearing(-90) == 270)
        #expect(Angle.wrapBearing(720) == 0)
        #expect(Angle.wrapBearing(-1e-300) == 0)
        #expect(Angle.wrapBearing(.nan).isNaN)
    }
}
