import Glibc

/// How the machine is supplied.
public struct HostPower: Equatable, Sendable {
    /// Whether it runs on something else than its battery; `nil` when nothing tells.
    public var isExternal: Bool?
    /// What is left in its battery, percent; `nil` when it has none or nothing tells.
    public var battery: Double?

    /// A supply.
    public init(isExternal: Bool? = nil, battery: Double? = nil) {
        self.isExternal = isExternal
        self.battery = battery
    }

    /// What the kernel says of its power supplies (Documentation/ABI/testing/sysfs-class-power).
    ///
    /// - Parameter folder: `/sys/class/power_supply`.
    public init(supplies folder: String) {
        var levels: [Double] = []
        var isCharging: Bool?
        for name in Self.names(in: folder) {
            let path = "\(folder)/\(name)"
            // A battery of a mouse says nothing of the machine.
            guard Self.word("\(path)/scope") != "Device", let type = Self.word("\(path)/type")
            else { continue }
            if type == "Battery" {
                if let level = Self.word("\(path)/capacity").flatMap({ Double($0) }),
                    (0...100).contains(level)
                {
                    levels.append(level)
                }
                switch Self.word("\(path)/status") {
                case "Charging"?, "Full"?, "Not charging"?: isCharging = isCharging ?? true
                case "Discharging"?: isCharging = false
                default: break
                }
            } else if let online = Self.word("\(path)/online") {
                isExternal = isExternal == true || online != "0"
            }
        }
        isExternal = isExternal ?? isCharging
        battery = levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
    }

    static func names(in folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    static func word(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = unsafe read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return String(decoding: bytes[..<count].prefix { $0 > 0x20 || $0 == 0x20 }, as: UTF8.self)
    }
}
