import Foundation
import Testing

/// A CSV file of `Fixtures`, by column name; its README says where each number comes from.
struct Table {
    let rows: [Row]

    struct Row: CustomTestStringConvertible, Sendable {
        let cells: [String: String]

        subscript(_ name: String) -> Double {
            get throws {
                let cell = try #require(cells[name], "column \(name)")
                return try #require(Double(cell), "\(name)=\(cell)")
            }
        }

        func text(_ name: String) -> String { cells[name] ?? "" }

        func number(_ name: String) -> Double? { Double(text(name)) }

        var testDescription: String { text("id") }
    }

    init(_ name: String) throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/\(name).csv")
        let lines = try String(contentsOf: url, encoding: .utf8)
            .split(whereSeparator: \.isNewline).map(Table.cells)
        let header = try #require(lines.first)
        rows = lines.dropFirst().map { cells in
            Row(cells: Dictionary(uniqueKeysWithValues: zip(header, cells)))
        }
        // A file cut short must not pass for one whose rows are all right.
        try #require(rows.count >= 6 && rows.allSatisfy { $0.cells.count == header.count })
    }

    private static func cells(_ line: Substring) -> [String] {
        var cells = [""]
        var quoted = false
        for character in line {
            switch character {
            case "\"": quoted.toggle()
            case "," where !quoted: cells.append("")
            default: cells[cells.count - 1].append(character)
            }
        }
        return cells
    }
}
