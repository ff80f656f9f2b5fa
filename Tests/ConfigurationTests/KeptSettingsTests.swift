import Foundation
import Testing

@testable import Configuration

@Suite struct KeptSettingsTests {
    @Test func `what is kept reads back, list and all, and the rest stays`() throws {
        var kept = KeptSettings(Array("[Log]\nLevel=debug\n[Store]\nCommitEvery=1s\n".utf8))
        kept.set(try #require(SettingCatalog.setting("Source.Replay")), ["a b", "c"])
        kept.set(try #require(SettingCatalog.setting("CommitEvery")), nil)
        let file = Array("[Source]\nReplay=x\n".utf8)
        let loaded = try SettingsLoader.read(file + Array(kept.text.utf8), path: "t")
        #expect(loaded.settings.source.replay == ["a b", "c"])
        #expect(loaded.settings.log.level == .debug)
        #expect(loaded.origins["Store.CommitEvery"] == nil)
    }

    @Test func `a folder that cannot be written to is named`() throws {
        let setting = try #require(SettingCatalog.setting("CommitEvery"))
        let path = KeptSettings.path(besides: "/proc/tracklog.conf")
        #expect(throws: SettingProblem.self) { try KeptSettings.keep(setting, ["1s"], in: path) }
    }

    @Test func `each profile names settings that change under way, with values they take`() {
        for profile in Preset.all {
            for (name, value) in profile.values {
                let setting = SettingCatalog.all.first { $0.name == name }
                #expect(setting?.isLive == true && setting?.accepts(value) == true, "\(name)")
            }
        }
        #expect(Set(Preset.all.map(\.name)).count == Preset.all.count)
        #expect(Preset.named("none") == nil)
    }

    @Test func `what holds from a start on stays as it is when the files change`() throws {
        let before = try SettingsLoader.read(
            Array("[Store]\nDatabase=a.db\nCommitEvery=1s\n".utf8), path: "t")
        let next = try SettingsLoader.read(
            Array("[Store]\nDatabase=b.db\nCommitEvery=2s\n".utf8), path: "t")
        let update = before.updated(to: next)
        #expect(update.inForce.settings.store.database == "a.db")
        #expect(update.inForce.settings.store.commitEvery == .seconds(2))
        #expect(update.changed == ["Store.CommitEvery"])
        #expect(update.needRestart == ["Store.Database"])
    }
}
