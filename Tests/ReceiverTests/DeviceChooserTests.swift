import Receiver
import Scheduling
import Testing

@Suite struct DeviceChooserTests {
    @Test func `only one of two receivers makes the track`() {
        var chooser = DeviceChooser()
        for second in 0..<60 {
            let first = chooser.admits(device: 0, path: "a", at: at(second))
            let second = chooser.admits(device: 1, path: "b", at: at(second))
            #expect(first && !second)
        }
    }

    @Test func `the other one takes over ten seconds after the last fix of the chosen one`() {
        var chooser = DeviceChooser()
        _ = chooser.admits(device: 0, path: "a", at: at(0))
        let admitted = (1..<20).filter { chooser.admits(device: 1, path: "b", at: at($0)) }
        #expect(admitted == Array(11..<20))
    }

    @Test func `the better one takes back after thirty seconds of fixes`() {
        var settings = DeviceChooser.Settings()
        settings.preferred = ["b"]
        var chooser = DeviceChooser(settings: settings)
        var taken: [UInt8] = []
        for second in 0..<60 {
            for (device, path) in [(0, "a"), (1, "b")] as [(UInt8, String)]
            where device == 0 || second >= 10 {
                if chooser.admits(device: device, path: path, at: at(second)) {
                    taken.append(device)
                }
            }
        }
        #expect(taken == Array(repeating: 0, count: 41) + Array(repeating: 1, count: 20))
    }

    @Test func `a receiver that was unplugged is replaced at once`() {
        var chooser = DeviceChooser()
        _ = chooser.admits(device: 0, path: "a", at: at(0))
        chooser.lost(device: 0)
        let isAdmitted = chooser.admits(device: 1, path: "b", at: at(1))
        #expect(isAdmitted)
    }

    private func at(_ second: Int) -> BootTime { BootTime(milliseconds: Int64(second) * 1000) }
}
