// swift-tools-version: 6.2
import PackageDescription

/// The rules every target is built by; warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    // The debug build, in which the tests run, checks exclusive access; what ships does not pay for it
    // on each fix (a tenth of a replay's instructions).
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
    // Each function can be laid where it is used: see `shipping`.
    .unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release)),
]

/// How what ships is linked: quick to start, small in memory.
///
/// lld packs half a megabyte of relocations into some kilobytes. The rest of the C and C++ runtimes, which only
/// Swift's own calls, comes from archives (see the Makefile): half of the symbols that a start looks up were theirs.
///
/// What is used together lies together, as `Benchmarks/Layout/layout.py` has seen it: the daemon keeps a fifth of its code
/// in memory, and the tool is read in a few pieces.
func shipping(_ program: String, _ more: [String] = []) -> [LinkerSetting] {
    let order = "\(Context.packageDirectory)/Benchmarks/Layout/\(program).order"
    let flags =
        ["-use-ld=lld", "-Xlinker", "--no-export-dynamic"]
        + ["-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"]
        + ["-Xclang-linker", "-static-libgcc"]
        + ["-Xlinker", "--symbol-ordering-file=\(order)", "-Xlinker", "--no-warn-symbol-ordering"]
    return [.unsafeFlags(flags + more, .when(configuration: .release))]
}

/// What the modules of C declare and no target links by itself, for the daemon, tests and benchmarks.
let shared: [LinkerSetting] = ["sqlite3", "jansson", "z", "expat"].map { .linkedLibrary($0) }

/// The same out of archives, for the tool.
///
/// A command that is over in two milliseconds has no time to load libraries and look up their symbols. Debug builds
/// load them.
let embedded: [LinkerSetting] =
    ["sqlite3", "jansson", "z", "expat"].flatMap { name in
        [
            .linkedLibrary(name, .when(configuration: .debug)),
            .unsafeFlags(["-Xlinker", "-l:lib\(name).a"], .when(configuration: .release)),
        ]
    }

/// Tests may use Foundation and need no `unsafe` marks.
let testing: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

/// A library target of the product.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// A suite of tests.
func tests(
    _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
    .testTarget(
        name: name, dependencies: dependencies, exclude: exclude, swiftSettings: testing,
        linkerSettings: shared)
}

let package = Package(
    name: "tracklog",
    products: [
        .executable(name: "tracklogd", targets: ["tracklogd"]),
        .executable(name: "tracklog", targets: ["tracklog"]),
    ],
    targets: [
        // C: headers and macros only, one importer each.
        // Most are linked by the programs, see `shared`; CGPS also loaded by whom it serves, see CGPS_load.
        .systemLibrary(name: "CGPS", providers: [.apt(["libgps-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CJansson", providers: [.apt(["libjansson-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CExpat", providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(name: "CLinux"),

        // 0: words and time.
        // Rounding compiles to calls into libm, which only a Glibc import would link by itself.
        .target(name: "GNSS", swiftSettings: strict, linkerSettings: [.linkedLibrary("m")]),
        library("Scheduling"),
        library("JSON", ["CJansson"]),
        library("Compression", ["CZlib"]),

        // 1: codecs and geometry.
        library("Geodesy", ["GNSS"]),
        library("NMEA", ["GNSS"]),
        library("StatusProtocol", ["GNSS", "JSON"]),
        library("Export", ["GNSS"]),
        library("Import", ["GNSS", "JSON", "CExpat"]),

        // 2: decisions, pure values.
        library("Quality", ["GNSS", "Scheduling", "Geodesy"]),
        library("Correction", ["GNSS", "Geodesy"]),
        library("Tracking", ["GNSS", "Scheduling", "Geodesy"]),
        library("DutyCycle", ["GNSS", "Scheduling", "Geodesy"]),

        // 3: the outside world.
        library("Platform", ["GNSS", "Scheduling", "CSystemd"]),
        library("Storage", ["GNSS", "Geodesy", "CSQLite"]),
        library(
            "Receiver",
            [
                "GNSS", "Scheduling", "JSON", "NMEA", "Compression", "DutyCycle", "CGPS", "CLinux",
            ]),
        library("StatusServer", ["GNSS", "Scheduling", "JSON", "StatusProtocol"]),
        library(
            "Configuration",
            ["GNSS", "Scheduling", "Geodesy", "Correction", "Quality", "DutyCycle"]),

        library("Simulation", ["GNSS", "Scheduling", "Geodesy", "DutyCycle"]),

        // 4: wiring.
        library(
            "Daemon",
            [
                "GNSS", "Scheduling", "JSON", "Geodesy", "NMEA", "Quality", "Correction",
                "Tracking",
                "DutyCycle", "Platform", "Storage", "Receiver", "StatusProtocol", "StatusServer",
                "Configuration",
            ]),

        // 5: parse arguments and run.
        .executableTarget(
            name: "tracklogd", dependencies: ["Daemon", "Configuration"], swiftSettings: strict,
            linkerSettings: shipping("tracklogd") + shared.dropLast() + [.linkedLibrary("gps")]),
        .executableTarget(
            name: "tracklog",
            dependencies: [
                "GNSS", "Scheduling", "JSON", "Geodesy", "NMEA", "StatusProtocol", "Export",
                "Import", "Compression", "Quality",
                "Correction", "Tracking", "Storage", "Receiver", "Configuration", "DutyCycle",
                "Simulation",
            ],
            swiftSettings: strict,
            // At a fixed place: a command's answer takes a sixth less time, and nobody's port reaches it.
            linkerSettings: shipping("tracklog", ["-Xclang-linker", "-no-pie"]) + embedded),

        // Logs of any length for demo, tests and benchmarks.
        .executableTarget(
            name: "make-drive", dependencies: ["GNSS"], path: "Benchmarks/MakeDrive",
            swiftSettings: strict),
        .executableTarget(
            name: "bench-store", dependencies: ["GNSS", "Storage"], path: "Benchmarks/Store",
            swiftSettings: strict, linkerSettings: shared),
        .executableTarget(
            name: "bench-parse", dependencies: ["GNSS", "NMEA"], path: "Benchmarks/Parse",
            swiftSettings: strict),
        .executableTarget(
            name: "bench-correction", dependencies: ["GNSS", "Geodesy", "Correction"],
            path: "Benchmarks/Correction", exclude: ["compare.py"], swiftSettings: strict),

        .executableTarget(
            name: "bench-duty",
            dependencies: ["GNSS", "Scheduling", "DutyCycle", "Simulation"],
            path: "Benchmarks/Duty", swiftSettings: strict),

        tests("GNSSTests", ["GNSS"]),
        tests("SchedulingTests", ["Scheduling"]),
        tests("ArchitectureTests", []),
        tests("SystemTests", ["GNSS", "Storage", "make-drive", "tracklogd", "tracklog"]),
        tests(
            "DaemonTests",
            [
                "GNSS", "Scheduling", "Quality", "Correction", "Tracking", "DutyCycle", "Storage",
                "Daemon",
            ]),
        tests("PowerTests", ["GNSS", "Storage", "tracklogd"]),
        tests("ReplayTests", ["GNSS", "NMEA"], exclude: ["Fixtures"]),
        tests("ConfigurationTests", ["GNSS", "Scheduling", "DutyCycle", "Configuration"]),
        tests(
            "StatusServerTests",
            ["GNSS", "Scheduling", "JSON", "Platform", "StatusProtocol", "StatusServer"]),
        tests(
            "ReceiverTests",
            ["GNSS", "Scheduling", "JSON", "NMEA", "DutyCycle", "Platform", "Receiver"]),
        tests("StorageTests", ["GNSS", "Geodesy", "Storage", "bench-store"]),
        tests("PlatformTests", ["GNSS", "Scheduling", "CSystemd", "Platform"]),
        tests("DutyCycleTests", ["GNSS", "Scheduling", "DutyCycle", "Simulation"]),
        tests("TrackingTests", ["GNSS", "Scheduling", "Geodesy", "Tracking"]),
        tests("CorrectionTests", ["GNSS", "Geodesy", "Correction"]),
        tests("QualityTests", ["GNSS", "Scheduling", "NMEA", "Quality", "Tracking"]),
        tests("ExportTests", ["GNSS", "Export"]),
        tests("ImportTests", ["GNSS", "Export", "Import"]),
        tests("StatusProtocolTests", ["GNSS", "JSON", "StatusProtocol"]),
        tests("NMEATests", ["GNSS", "NMEA"]),
        tests("GeodesyTests", ["GNSS", "Geodesy"], exclude: ["Fixtures"]),
        tests("JSONTests", ["JSON"]),
        tests(
            "FuzzTests",
            ["GNSS", "JSON", "StatusProtocol", "Import", "Correction", "Configuration"]),
    ],
    swiftLanguageModes: [.v6]
)

// `TRACKLOG_TESTS=StorageTests,NMEATests swift test` builds those suites and what they need, nothing else.
if let wanted = Context.environment["TRACKLOG_TESTS"] {
    var needed = Set(wanted.split(separator: ",").map(String.init))
    var pending = Array(needed)
    while let name = pending.popLast() {
        for case .byNameItem(let dependency, _) in package.targets.first(where: { $0.name == name }
        )?.dependencies ?? []
        where needed.insert(dependency).inserted {
            pending.append(dependency)
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}
