import Foundation
import Platform
import Scheduling
import Testing

@Suite struct HostSensorTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tracklog-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    // Documentation/ABI/testing/sysfs-class-power names the files and their words.
    @Test func `the kernel's supplies tell charger and battery, and a mouse is none of ours`()
        throws
    {
        #expect(HostPower(supplies: folder.path) == HostPower())
        try write("Battery\n", to: "BAT0/type")
        try write("80\n", to: "BAT0/capacity")
        try write("Discharging\n", to: "BAT0/status")
        try write("Battery\n", to: "hid/type")
        try write("Device\n", to: "hid/scope")
        try write("5\n", to: "hid/capacity")
        #expect(HostPower(supplies: folder.path) == HostPower(isExternal: false, battery: 80))
        try write("Battery\n", to: "BAT1/type")
        try write("40\n", to: "BAT1/capacity")
        try write("Mains\n", to: "AC/type")
        try write("0\n", to: "AC/online")
        #expect(HostPower(supplies: folder.path) == HostPower(isExternal: false, battery: 60))
        try write("USB\n", to: "usb/type")
        try write("1\n", to: "usb/online")
        #expect(HostPower(supplies: folder.path) == HostPower(isExternal: true, battery: 60))
        try write("x\n", to: "BAT0/capacity")
        try write("999\n", to: "BAT1/capacity")
        #expect(HostPower(supplies: folder.path) == HostPower(isExternal: true, battery: nil))
    }

    // drivers/iio/accel/bmc150-accel-core.c gives in_accel_x_thresh_rising_en, kxcjk-1013.c the same.
    @Test func `an accelerometer's event tells motion once, and its absence nothing`() throws {
        let loop = try EventLoop()
        #expect(!MotionSensor(on: loop, devices: folder.path).isThere)
        try write("0\n", to: "iio:device0/events/in_illuminance_thresh_rising_en")
        try write("0\n", to: "iio:device1/events/in_accel_x_thresh_rising_en")
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        defer { close(ends[1]) }
        var asked: [String] = []
        let sensor = MotionSensor(on: loop, devices: folder.path) { name in
            asked.append(name)
            return ends[0]
        }
        #expect(sensor.isThere)
        #expect(asked == ["iio:device1"])
        let file = folder.appending(path: "iio:device1/events/in_accel_x_thresh_rising_en")
        #expect(try String(contentsOf: file, encoding: .utf8).first == "1")
        var told: [Bool] = []
        sensor.onMotion = { told.append($0) }
        for _ in 0..<3 {
            #expect(Foundation.write(ends[1], [UInt8](repeating: 0, count: 16), 16) == 16)
            try loop.step(atMost: .milliseconds(50))
        }
        #expect(told == [true])
    }
}
