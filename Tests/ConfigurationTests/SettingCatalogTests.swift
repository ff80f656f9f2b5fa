import Configuration
import Foundation
import Testing

@Suite struct SettingCatalogTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `every setting says what it does and stands in a section that is described`() {
        let sections = SettingCatalog.sections.map(\.name)
        for setting in SettingCatalog.all {
            #expect(setting.meaning.hasSuffix("."), "\(setting.name)")
            #expect(setting.advice.isEmpty || setting.advice.hasSuffix("."), "\(setting.name)")
            #expect(
                !setting.expects.isEmpty && sections.contains(setting.section), "\(setting.name)")
        }
        #expect(Set(SettingCatalog.all.map(\.name)).count == SettingCatalog.all.count)
        #expect(Set(SettingCatalog.all.map(\.section)) == Set(sections))
    }

    @Test func `every default is a value that the setting takes`() throws {
        var text = ""
        for section in SettingCatalog.sections {
            text += "[\(section.name)]\n"
            for setting in SettingCatalog.all where setting.section == section.name {
                text += "\(setting.key)=\(setting.defaultText)\n"
            }
        }
        let loaded = try SettingsLoader.read(Array(text.utf8), path: "defaults")
        #expect(loaded.settings == Settings())
    }

    @Test func `the example file is the one the catalogue gives`() throws {
        let file = Self.root.appendingPathComponent("Config/tracklogd.conf")
        #expect(try String(contentsOf: file, encoding: .utf8) == SettingCatalog.exampleFile)
    }

    @Test func `the example file sets nothing`() throws {
        let loaded = try SettingsLoader.read(
            Array(SettingCatalog.exampleFile.utf8), path: "example")
        #expect(loaded.settings == Settings())
        #expect(loaded.origins.isEmpty)
    }

    @Test func `the manual describes every setting with its default and range`() throws {
        let file = Self.root.appendingPathComponent("Documentation/tracklogd.conf.5")
        let manual = try String(contentsOf: file, encoding: .utf8)
        for setting in SettingCatalog.all {
            #expect(manual.contains(SettingCatalog.manualEntry(setting)), "\(setting.name)")
        }
        let items = manual.split(separator: "\n").filter { $0.hasPrefix(".It Cm ") }
        #expect(items.count == SettingCatalog.all.count)
    }

    @Test(arguments: [
        ("Store.Database", "Store.Database"), ("commitevery", "Store.CommitEvery"),
        ("store.database", "Store.Database"),
    ])
    func `a setting is found by its name or its key`(name: String, found: String) {
        #expect(SettingCatalog.setting(name)?.name == found)
    }

    @Test func `a name that is wrong leads to the nearest`() {
        #expect(SettingCatalog.setting("Intervall") == nil)
        #expect(SettingCatalog.nearest(to: "Intervall")?.name == "DutyCycle.Interval")
        #expect(SettingCatalog.nearest(to: "Zebra") == nil)
    }
}
