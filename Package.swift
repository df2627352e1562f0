// swift-tools-version: 6.1
import PackageDescription

/// In CI a warning fails the build; locally it is only shown.
let strict: [SwiftSetting] =
    Context.environment["POSTERN_WARNINGS_ARE_ERRORS"] == nil ? [] : [.unsafeFlags(["-warnings-as-errors"])]

/// Code that calls to a running daemon do not use is optimised for size. Other packages cannot depend on a target with these flags, so the
/// targets of the library products do without.
let forSize: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// What Postern itself is built from, to the version. Packages that use PosternClient choose their own, so only our scripts ask for these
/// (POSTERN_EXACT_VERSIONS). swift-nio brings the others, which no target of ours names: a condition that never holds uses them all the
/// same, so that SwiftPM does not warn of them.
let versions = ["swift-atomics": "1.3.0", "swift-collections": "1.6.0", "swift-nio": "2.101.2", "swift-system": "1.8.1"]
let isExact = Context.environment["POSTERN_EXACT_VERSIONS"] != nil
let packages: [Package.Dependency] =
    isExact
    ? versions.map { .package(url: "https://github.com/apple/\($0.key)", exact: Version($0.value)!) }
    : [.package(url: "https://github.com/apple/swift-nio", from: Version(versions["swift-nio"]!)!)]
let pinned: [Target.Dependency] =
    isExact
    ? [("Atomics", "swift-atomics"), ("DequeModule", "swift-collections"), ("SystemPackage", "swift-system")].map {
        .product(name: $0, package: $1, condition: .when(platforms: [.windows]))
    } : []

extension Target {
    static func library(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
        .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
    }

    static func small(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
        .target(name: name, dependencies: dependencies, swiftSettings: strict + forSize)
    }

    static func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
        .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict + forSize)
    }

    static func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
        .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
    }
}

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioConcurrencyHelpers = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")

let package = Package(
    name: "postern",
    products: [
        .executable(name: "posternd", targets: ["posternd"]),
        .executable(name: "postern", targets: ["postern"]),
        .executable(name: "postern-mcp", targets: ["postern-mcp"]),
        .executable(name: "postern-demo-provider", targets: ["postern-demo-provider"]),
        .library(name: "PosternClient", targets: ["PosternClient"]),
        .library(name: "Varlink", targets: ["Varlink", "VarlinkServer", "Reactor"]),
    ],
    dependencies: packages,
    targets: [
        // System libraries: each is imported by exactly one Swift target.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSocketDiagnostics"),

        // System calls that the Glibc module does not have, and what every program needs on systems with an older glibc.
        .target(name: "CProcess"),
        .target(name: "CEpoll"),

        // Values and decisions.
        .library("StrictJSON"),
        .small("TOML"),
        .small("ProgramOptions", ["StrictJSON"]),
        .library("Secrets", ["StrictJSON"]),
        .library("PosternValues", ["Secrets"]),
        .library("PosternCore", ["PosternValues", "Secrets", "StrictJSON"]),
        .small("PosternConfiguration", ["CProcess", "PosternCore", "TOML"]),
        .library("PosternInterface", ["Secrets", "StrictJSON"], exclude: ["io.postern.varlink"]),

        // Bytes and effects.
        .small("PosternCrypto", ["COpenSSL", "PosternValues"]),
        .small("PosternSystemd", ["CProcess", "CSystemd"]),
        .small("PosternStore", ["CSQLite", "PosternCrypto", "PosternCore", "StrictJSON"]),
        .library("Varlink", ["StrictJSON"]),
        .library("Reactor", ["CEpoll"]),
        .library("ConnectionAdmission"),
        .library("VarlinkServer", ["CEpoll", "ConnectionAdmission", "Reactor", "Varlink", "StrictJSON"]),
        .small("ChannelAdmission", ["ConnectionAdmission", nioCore] + pinned),
        .library("TLSTransport", ["PosternCrypto", nioCore]),
        .small(
            "LoopbackHTTP",
            [
                "CSocketDiagnostics", "ChannelAdmission", "ConnectionAdmission", "TLSTransport", "PosternCrypto", "PosternValues", nioCore,
                nioPosix, nioHTTP1,
            ]),
        .small("CallbackServer", ["LoopbackHTTP", "PosternCore", "PosternCrypto", nioCore]),
        .library("HTTPSClient", ["ChannelAdmission", "PosternCore", "PosternCrypto", "TLSTransport", nioCore, nioPosix, nioHTTP1]),

        // The implementation of the interface's methods.
        .library("PosternApplication", ["StrictJSON", "PosternCore", "PosternConfiguration", "PosternInterface", "Varlink"]),

        // Composition.
        .library(
            "PosternDaemon",
            [
                "CEpoll", "CProcess", "PosternApplication", "Reactor", "StrictJSON", "PosternCore", "PosternConfiguration",
                "PosternInterface", "PosternCrypto", "PosternSystemd", "PosternStore", "Varlink", "VarlinkServer", "LoopbackHTTP",
                "CallbackServer", "HTTPSClient", nioCore, nioPosix,
            ]),
        .library("PosternClient", ["Varlink", "PosternInterface", "StrictJSON"]),
        .small("DemoProvider", ["StrictJSON", "PosternValues", "PosternCrypto", "LoopbackHTTP", nioCore]),

        // Writes the files in Generated folders.
        .program("postern-interface-generator", ["Varlink"]),

        // Between programs and servers, with the daemon's authorization.
        .library("BridgeCore", ["PosternValues", "StrictJSON"]),
        .library(
            "Bridge",
            [
                "BridgeCore", "HTTPSClient", "LoopbackHTTP", "PosternClient", "PosternCore", "PosternInterface", "PosternValues",
                "StrictJSON", "Varlink", nioCore, nioPosix, nioHTTP1,
            ]),

        // Commands.
        .program("postern-mcp", ["Bridge", "CProcess", "PosternInterface", "ProgramOptions"]),
        .program("posternd", ["PosternDaemon", "PosternConfiguration", "PosternInterface", "ProgramOptions"]),
        .program(
            "postern",
            [
                "CProcess", "PosternClient", "PosternConfiguration", "PosternCore", "PosternInterface", "PosternValues", "ProgramOptions",
                "StrictJSON", "TOML", "Varlink",
            ]),
        .program("postern-demo-provider", ["CProcess", "DemoProvider", "PosternValues", "ProgramOptions", nioPosix]),

        // Tables of inputs, each a text file with the expected result on its first line.
        .target(name: "HostileFiles", path: "Tests/HostileFiles", swiftSettings: strict),
        .tests("StrictJSONTests", ["HostileFiles", "StrictJSON"], exclude: ["Hostile"]),
        .tests("TOMLTests", ["TOML"], exclude: ["Documents"]),
        .tests("ProgramOptionsTests", ["ProgramOptions", "StrictJSON"]),
        .tests("PosternValuesTests", ["PosternValues", "Secrets", "StrictJSON"]),
        .tests("PosternCoreTests", ["PosternCore", "PosternCrypto", "StrictJSON", "TestAuthority"], exclude: ["Hostile"]),
        .tests("PosternConfigurationTests", ["PosternConfiguration", "PosternCore"]),
        .tests("PosternInterfaceTests", ["PosternInterface", "Varlink", "StrictJSON", "postern-interface-generator"]),
        // Other programs.
        .target(name: "TestProcess", path: "Tests/TestProcess", swiftSettings: strict),
        // Certificates and keys made by the openssl command.
        .target(
            name: "TestAuthority", dependencies: ["PosternCrypto", "PosternValues", "Secrets", "TestProcess"], path: "Tests/TestAuthority",
            swiftSettings: strict),
        .tests("PosternCryptoTests", ["PosternCrypto", "PosternCore", "TestAuthority", "TestProcess"]),
        // Serves org.varlink.certification for the client of the PyPI package.
        .executableTarget(
            name: "varlink-certification-server", dependencies: ["Reactor", "Varlink", "VarlinkServer", "StrictJSON"],
            path: "Tests/Support/varlink-certification-server", swiftSettings: strict),
        // Code that reads its process's environment is tested in a process of its own.
        .executableTarget(
            name: "systemd-test-child", dependencies: ["PosternSystemd"], path: "Tests/SystemdTestChild", swiftSettings: strict),
        .tests("PosternSystemdTests", ["PosternSystemd", "systemd-test-child"]),
        // Fills a store for the benchmarks.
        .executableTarget(
            name: "store-seeder", dependencies: ["PosternStore", "PosternCore"], path: "Benchmarks/StoreSeeder", swiftSettings: strict),
        // A control of the benchmarks.
        .executableTarget(
            name: "bare-nio-server", dependencies: [nioCore, nioPosix], path: "Benchmarks/BareServer", swiftSettings: strict),
        // The child process of the store's kill -9 tests.
        .executableTarget(
            name: "store-crash-writer", dependencies: ["PosternStore", "PosternCore"], path: "Tests/StoreCrashWriter", swiftSettings: strict
        ),
        .tests("PosternStoreTests", ["PosternStore", "PosternCrypto", "PosternCore", "StrictJSON", "TestProcess", "store-crash-writer"]),
        .tests(
            "VarlinkTests", ["ConnectionAdmission", "HostileFiles", "Reactor", "Varlink", "VarlinkServer", "StrictJSON", "TestProcess"],
            exclude: ["Hostile"]),
        .tests("ReactorTests", ["Reactor"]),
        // A client that sends any bytes, and the hostile ones among them.
        .target(
            name: "TestHTTPClient", dependencies: ["PosternCrypto", "TestProcess", nioCore, nioPosix], path: "Tests/TestHTTPClient",
            exclude: ["Hostile"],
            swiftSettings: strict),
        .tests(
            "LoopbackHTTPTests",
            [
                "LoopbackHTTP", "PosternCrypto", "TestHTTPClient", "TestProcess", nioCore, nioPosix, nioHTTP1, nioEmbedded,
                nioConcurrencyHelpers,
            ]),
        .tests(
            "CallbackServerTests",
            ["CallbackServer", "LoopbackHTTP", "PosternCore", "PosternCrypto", "TestHTTPClient", nioCore, nioPosix, nioConcurrencyHelpers]),
        .tests(
            "HTTPSClientTests",
            [
                "HTTPSClient", "TLSTransport", "PosternCore", "PosternCrypto", "TestAuthority", "TestProcess", nioCore, nioPosix,
                nioConcurrencyHelpers,
            ]),
        // A service on a real socket that answers as a test says.
        .target(
            name: "TestDaemon", dependencies: ["PosternClient", "PosternInterface", "Secrets", "StrictJSON", "Varlink"],
            path: "Tests/TestDaemon",
            swiftSettings: strict),
        .tests("PosternClientTests", ["PosternClient", "PosternInterface", "Secrets", "StrictJSON", "TestDaemon", "Varlink"]),
        .tests(
            "PosternCommandTests",
            ["PosternClient", "PosternInterface", "Secrets", "Varlink", "StrictJSON", "ProgramOptions", "TestDaemon", "postern"]),
        .tests(
            "PosternDaemonTests",
            ["PosternDaemon", "PosternApplication", "PosternConfiguration", "PosternStore", "PosternCrypto", "PosternCore"]),
        .tests(
            "PosternApplicationTests",
            [
                "CallbackServer", "PosternApplication", "PosternDaemon", "PosternConfiguration", "PosternInterface", "PosternStore",
                "PosternCrypto", "PosternCore", "StrictJSON", "TestAuthority", "Varlink",
            ],
            exclude: ["Tables/Accounts", "Tables/Exchanges", "Tables/Firebase"]),
        .tests("BridgeCoreTests", ["BridgeCore", "HostileFiles", "PosternValues", "StrictJSON"]),
        .tests(
            "BridgeTests",
            [
                "Bridge", "BridgeCore", "HTTPSClient", "LoopbackHTTP", "PosternCore", "PosternCrypto", "PosternInterface", "StrictJSON",
                "TestAuthority", "Varlink", nioCore, nioPosix, nioHTTP1, nioEmbedded,
            ]),
        .tests("DemoProviderTests", ["DemoProvider", "PosternCore", "PosternCrypto", "StrictJSON", nioCore, nioPosix]),
        .tests("ArchitectureTests", []),
        .testTarget(
            name: "FuzzTests", dependencies: ["BridgeCore", "PosternCore", "PosternValues", "StrictJSON", "TOML", "Varlink"], path: "Fuzz",
            exclude: ["corpus"], swiftSettings: strict),
    ]
)

/// Only these modules of tests, so that working on one does not compile the others.
if let wanted = Context.environment["POSTERN_TESTS"]?.split(separator: " ") {
    package.targets.removeAll { target in target.type == .test && !wanted.contains { $0 == target.name } }
}

/// Only the released programs and what they are made of, so that one build makes all of them.
if Context.environment["POSTERN_PROGRAMS_ONLY"] != nil {
    var kept: Set<String> = []
    func keep(_ name: String) {
        guard kept.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else { return }
        for case .byNameItem(let dependency, _) in target.dependencies { keep(dependency) }
    }
    for case let program as Product.Executable in package.products { program.targets.forEach(keep) }
    package.targets.removeAll { !kept.contains($0.name) }
}
