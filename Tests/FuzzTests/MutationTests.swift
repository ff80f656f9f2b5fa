import Configuration
import Correction
import GNSS
import Import
import JSON
import StatusProtocol
import Testing

/// Damaged input never ends a program, whatever else it does: a few thousand of the fuzzers' inputs in each run.
@Suite struct MutationTests {
    private let rounds = 2000

    @Test func `a request that is damaged gets one line of JSON`() throws {
        var mutator = try Mutator("Requests")
        var wrong = 0
        for _ in 0..<rounds {
            let line = mutator.next().filter { $0 != 10 }
            var text = TextBuffer()
            do throws(RequestError) {
                guard let request = try Request.parse(line) else { continue }
                text.append(request: request)
                for method in Method.all {
                    do throws(RPCError) {
                        try method.check(request.params)
                    } catch {
                        var refusal = TextBuffer()
                        refusal.appendError(to: request.id ?? .null, error)
                        #expect((try? JSONValue.parse(refusal.bytes.dropLast())) != nil)
                    }
                }
            } catch {
                wrong += 1
                text.appendError(to: error.id, error.error)
            }
            #expect(text.bytes.last == 10 && !text.bytes.dropLast().contains(10))
            #expect((try? JSONValue.parse(text.bytes.dropLast())) != nil)
        }
        #expect(wrong > rounds / 10 && wrong < rounds)
    }

    @Test func `a file that is damaged gives the same points however it is cut, all on the earth`()
        throws
    {
        var mutator = try Mutator("Import")
        var read = 0
        for round in 0..<rounds {
            let input = Array(mutator.next().dropFirst())
            let formats = ImportFormat.allCases
            let format = ImportFormat.guess(input) ?? formats[round % formats.count]
            let whole = points(input, format, piece: max(1, input.count))
            #expect(whole == points(input, format, piece: 1 + round % 61))
            for point in whole ?? [] {
                read += 1
                #expect(point.fix.latitude.magnitude <= 90 && point.fix.longitude.magnitude <= 180)
            }
        }
        #expect(read > rounds / 40)
    }

    /// The points of a file; `nil` for one that is refused.
    private func points(_ input: [UInt8], _ format: ImportFormat, piece: Int) -> [ImportedPoint]? {
        var importer = TrackImporter(format)
        var points: [ImportedPoint] = []
        do {
            for start in stride(from: 0, to: input.count, by: piece) {
                try importer.feed(Array(input[start..<min(input.count, start + piece)])) {
                    points.append($0)
                }
            }
            try importer.finish { points.append($0) }
            return points
        } catch {
            return nil
        }
    }

    @Test func `a file that is damaged converts to the same however it is cut`() throws {
        var mutator = try Mutator("Convert")
        var converted = 0
        for round in 0..<rounds {
            let input = Array(mutator.next().dropFirst(2))
            let systems = CRS.allCases
            let options = ConvertOptions(
                from: systems[round % systems.count], to: systems[round / 3 % systems.count])
            let format = ConvertFormat.guess(input)
            let whole = convert(input, options, format, piece: max(1, input.count))
            #expect(whole == convert(input, options, format, piece: 1 + round % 61))
            if whole != nil { converted += 1 }
        }
        #expect(converted > rounds / 10)
    }

    private func convert(
        _ input: [UInt8], _ options: ConvertOptions, _ format: ConvertFormat, piece: Int
    ) -> [UInt8]? {
        var filter = ConvertFilter(options, format: format)
        var output: [UInt8] = []
        do {
            for start in stride(from: 0, to: input.count, by: piece) {
                let part = Array(input[start..<min(input.count, start + piece)])
                try filter.feed(part.span, into: &output)
            }
            try filter.finish(into: &output)
            return output
        } catch {
            return nil
        }
    }

    @Test func `a value of a setting that is damaged is refused or means what it is written as`()
        throws
    {
        var mutator = try Mutator("Values")
        var taken = 0
        for round in 0..<rounds {
            let setting = SettingCatalog.all[round % SettingCatalog.all.count]
            let text = String(decoding: mutator.next().dropFirst(), as: UTF8.self)
            guard setting.accepts(text) else { continue }
            taken += 1
            let override = SettingOverride(name: setting.name, value: text, origin: .request)
            let loaded = try SettingsLoader.apply([override], to: LoadedSettings())
            #expect(setting.isList || setting.accepts(setting.text(in: loaded.settings)))
        }
        #expect(taken > 0)
    }
}
