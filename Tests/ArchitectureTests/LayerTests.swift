import Foundation
import Testing

/// The layers of `Documentation/Architecture.md`: a target uses targets of lower layers only.
enum Layers {
    static let ofTarget: [String: Int] = [
        "GNSS": 0, "Scheduling": 0, "JSON": 0, "Compression": 0,
        "Geodesy": 1, "NMEA": 1, "StatusProtocol": 1, "Export": 1, "Import": 1,
        "Quality": 2, "Correction": 2, "Tracking": 2, "DutyCycle": 2,
        "Platform": 3, "Storage": 3, "Receiver": 3, "StatusServer": 3, "Configuration": 3,
        "Simulation": 3,
        "Daemon": 4,
        "tracklogd": 5, "tracklog": 5,
    ]

    /// The one target that may import each C module.
    static let importerOfModule = [
        "CGPS": "Receiver", "CSQLite": "Storage", "CSystemd": "Platform", "CJansson": "JSON",
        "CZlib": "Compression", "CExpat": "Import", "CLinux": "Receiver",
    ]

    /// Whether `target` may use `module`.
    static func allow(_ target: String, toUse module: String) -> Bool {
        if let importer = importerOfModule[module] { return importer == target }
        if let layer = ofTarget[target], let used = ofTarget[module] { return used < layer }
        return ["Glibc", "Swift"].contains(module)
    }
}

@Suite struct LayerTests {
    @Test func `every folder of Sources is a known target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: SourceTree.root.appending(path: "Sources").path)
        let known = Set(Layers.ofTarget.keys).union(Layers.importerOfModule.keys)
        #expect(Set(folders) == known)
    }

    @Test(arguments: try SourceTree.files(under: "Sources"))
    func `a file imports lower layers and its own C module only`(file: SourceFile) {
        let wrong = file.imports.filter {
            $0 != file.target && !Layers.allow(file.target, toUse: $0)
        }
        #expect(wrong == [])
    }

    @Test func `the manifest declares lower layers and one importer of each C module`() throws {
        let text = try String(
            contentsOf: SourceTree.root.appending(path: "Package.swift"), encoding: .utf8)
        let target =
            #/(?:library\(|executableTarget\(\s*name:)\s*"([\w-]+)"\s*,\s*(?:dependencies:\s*)?\[([^\]]*)\]/#
        let declared = text.matches(of: target)
        #expect(declared.count > 15, "the pattern no longer fits Package.swift")
        for match in declared where Layers.ofTarget[String(match.1)] != nil {
            for module in match.2.matches(of: #/"(\w+)"/#).map({ String($0.1) }) {
                #expect(
                    Layers.allow(String(match.1), toUse: module),
                    "\(match.1) may not depend on \(module)")
            }
        }
    }

    @Test func `an import sideways, upwards or of Foundation is found`() {
        let file = SourceFile(
            target: "NMEA", url: SourceTree.root, lines: 5, isGenerated: false,
            code: """
                public import GNSS
                import struct Geodesy.ENU
                @preconcurrency import Foundation
                import Daemon
                private import CZlib
                """)
        let wrong = file.imports.filter { !Layers.allow("NMEA", toUse: $0) }
        #expect(wrong == ["Geodesy", "Foundation", "Daemon", "CZlib"])
    }
}
