import Correction
import Foundation
import GNSS
import Testing

@Suite struct ProjPipelineTests {
    private static let isInstalled = ["libproj.so.25", "libproj.so.26", "libproj.so"].contains {
        (name: String) in dlopen(name, RTLD_NOW) != nil
    }

    private func settings(_ pipeline: String) -> CorrectionSettings {
        var settings = CorrectionSettings()
        settings.geoid = .table
        settings.pipeline = pipeline
        return settings
    }

    @Test(.enabled(if: isInstalled))
    func `pipelines of PROJ correct as its own vectors say`() throws {
        let pipelines = try pipelineDefinitions()
        var tried = 0
        for row in try coordinateRows("datum_vectors") {
            let definition = try #require(pipelines[row["pipeline"] ?? ""])
            var chain = try CorrectionChain(settings(definition))
            var fix = Fix.at(try row.number("lat_in"), try row.number("lon_in"))
            fix.altitudeHAE = try row.number("h_in")
            if let year = row["epoch"].flatMap({ Double($0) }) {
                let start = UTCTime(year: Int(year), month: 1, day: 1)
                let end = UTCTime(year: Int(year) + 1, month: 1, day: 1)
                let part = Double(end - start) * (year - year.rounded(.down))
                fix.time = UTCTime(milliseconds: start.milliseconds + Int64(part))
            }
            let result = chain.correct(fix, flags: [])
            let corrected = try #require(result)
            #expect(abs(corrected.latitude - (try row.number("lat_out"))) <= 1e-9)
            #expect(abs(corrected.longitude - (try row.number("lon_out"))) <= 1e-9)
            #expect(abs((corrected.altitudeHAE ?? 0) - (try row.number("h_out"))) <= 1e-4)
            #expect(chain.notes == [])
            tried += 1
        }
        #expect(tried == 30)
    }

    @Test(.enabled(if: isInstalled))
    func `what is no pipeline is named`() {
        #expect(throws: CorrectionError.self) {
            _ = try CorrectionChain(settings("+proj=nonsense"))
        }
    }

    @Test(.disabled(if: isInstalled))
    func `without PROJ the error says what to install`() {
        #expect(
            throws: CorrectionError.pipeline(
                "Pipeline= needs PROJ, which is not installed (Debian: libproj25)")
        ) { _ = try CorrectionChain(settings("+proj=noop")) }
    }

    /// The last column is quoted nowhere, and the description sometimes is.
    private func pipelineDefinitions() throws -> [String: String] {
        var found: [String: String] = [:]
        for row in try coordinateLines("datum_pipelines") {
            let name = row.prefix { $0 != "," }
            guard let begin = row.range(of: "+proj=pipeline")?.lowerBound else { continue }
            found[String(name)] = String(row[begin...])
        }
        return found
    }
}
