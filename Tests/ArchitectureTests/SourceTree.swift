import Foundation
import Testing

/// One Swift file of the product, as text and without what a compiler would not see.
struct SourceFile: CustomTestStringConvertible {
    let target: String
    let url: URL
    let lines: Int
    /// Whether its first line says that a program writes it.
    let isGenerated: Bool
    /// The text without comments and string literals.
    let code: String

    var testDescription: String { "\(target)/\(url.lastPathComponent)" }

    /// The modules this file imports.
    var imports: [String] {
        let pattern =
            #/^[ \t]*(?:@\w+\s+|public |package |internal |fileprivate |private )*import +(?:(?:struct|enum|class|protocol|func|var|let|typealias) +)?(\w+)/#
            .anchorsMatchLineEndings()
        return code.matches(of: pattern).map { String($0.1) }
    }
}

/// The package as it lies on the disk.
enum SourceTree {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file under `folder`; the folder below it is the target.
    static func files(under folder: String) throws -> [SourceFile] {
        let base = root.appending(path: folder)
        let walk = try #require(FileManager.default.enumerator(atPath: base.path))
        return try walk.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted().map
        {
            let url = base.appending(path: $0)
            let text = try String(contentsOf: url, encoding: .utf8)
            return SourceFile(
                target: String($0.prefix { $0 != "/" }), url: url,
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).count - 1,
                isGenerated: text.prefix { $0 != "\n" }.hasSuffix("; do not edit."),
                code: withoutCommentsAndLiterals(text))
        }
    }

    /// Blanks out `//` and `/* */` comments and string literals.
    static func withoutCommentsAndLiterals(_ text: String) -> String {
        text.replacing(#/"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*/#) {
            match in
            match.output.first == "\"" ? "\"\"" : ""
        }
    }
}
