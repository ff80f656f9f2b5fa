import JSON

extension GPSDReport {
    /// Reads a report about the session; `nil` for a class that says nothing about one.
    ///
    /// These do not go through libgps: it refuses `"activated":0`, which is how gpsd says that a device is gone.
    init?(_ report: JSONObject, _ name: String) {
        switch name {
        case "VERSION":
            self = .version(
                release: report["release"]?.string ?? "",
                major: Int(clamping: report["proto_major"]?.integer ?? 0),
                minor: Int(clamping: report["proto_minor"]?.integer ?? 0))
        case "DEVICES":
            let devices = (report["devices"]?.array ?? []).prefix(64)
            self = .devices(devices.compactMap { $0.object.flatMap { GPSDDevice($0) } })
        case "DEVICE":
            guard let device = GPSDDevice(report) else { return nil }
            self = .device(device)
        case "WATCH": self = .watch(enabled: report["enable"]?.bool ?? false)
        case "ERROR": self = .error(report["message"]?.string ?? "")
        default: return nil
        }
    }
}

extension GPSDDevice {
    fileprivate init?(_ report: JSONObject) {
        guard let path = report["path"]?.string, !path.isEmpty else { return nil }
        let activated = report["activated"]
        // A time text, seconds in old releases, 0 or nothing when it is closed.
        let isActive = activated?.string.map { !$0.isEmpty } ?? ((activated?.number ?? 0) > 0)
        self.init(path: path, isActive: isActive)
        driver = report["driver"]?.string
        subtype = report["subtype"]?.string
        speed = report["bps"]?.integer.map { Int(clamping: $0) }
        cycle = report["cycle"]?.number
        isReadOnly = report["readonly"]?.bool ?? false
    }
}
