import Configuration

/// Gives any text to any setting, as `set` does: it is taken or not, and what is taken is written as something that is
/// taken again and means the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let setting = SettingCatalog.all[Int(bytes[0]) % SettingCatalog.all.count]
    let rest = UnsafeBufferPointer(start: bytes + 1, count: count - 1)
    let text = String(decoding: rest, as: UTF8.self)
    guard setting.accepts(text) else { return 0 }
    let override = SettingOverride(name: setting.name, value: text, origin: .request)
    guard let loaded = try? SettingsLoader.apply([override], to: LoadedSettings()) else {
        fatalError("\(setting.name) takes what cannot be set")
    }
    let written = setting.text(in: loaded.settings)
    guard setting.isList || setting.accepts(written) else {
        fatalError("\(setting.name) does not take what it writes: \(written)")
    }
    _ = LoadedSettings().updated(to: loaded)
    return 0
}
