// swift-tools-version: 6.1
import PackageDescription

/// In CI a warning fails the build; locally it is only shown.
let strict: [SwiftSetting] =
    Context.environment["POSTERN_WARNINGS_ARE_ERRORS"] == nil ? [] : [.unsafeFlags(["-warnings-as-errors"])]

/// Code that calls to a running daemon do not use is optimised for size. Other packages cannot depend on a target with these flags, so the
/// targets of the library products do without.
let forSize: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

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
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0")
    ],
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
        .small("ChannelAdmission", ["ConnectionAdmission", nioCore]),
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
        .tests("PosternCoreTests", ["PosternCore", "PosternCrypto", "StrictJSON", "TestAuthority"], exclude: ["Hostile"]),
        .tests("PosternConfigurationTests", ["PosternConfiguration", "PosternCore"]),
        .tests("PosternInterfaceTests", ["PosternInterface", "Varlink", "StrictJSON", "postern-interface-generator"]),
        // Certificates and keys made by the openssl command.
        .target(
            name: "TestAuthority", dependencies: ["PosternCrypto", "PosternValues", "Secrets"], path: "Tests/TestAuthority",
            swiftSettings: strict),
        .tests("PosternCryptoTests", ["PosternCrypto", "PosternCore", "TestAuthority"]),
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
        .tests("PosternStoreTests", ["PosternStore", "PosternCrypto", "PosternCore", "StrictJSON", "store-crash-writer"]),
        .tests(
            "VarlinkTests", ["ConnectionAdmission", "HostileFiles", "Reactor", "Varlink", "VarlinkServer", "StrictJSON"],
            exclude: ["Hostile"]),
        .tests("ReactorTests", ["Reactor"]),
        .tests(
            "CallbackServerTests",
            [
                "CallbackServer", "LoopbackHTTP", "PosternCore", "PosternCrypto", nioCore, nioPosix, nioHTTP1, nioEmbedded,
                nioConcurrencyHelpers,
            ],
            exclude: ["Hostile"]),
        .tests(
            "HTTPSClientTests",
            ["HTTPSClient", "TLSTransport", "PosternCore", "PosternCrypto", "TestAuthority", nioCore, nioPosix, nioConcurrencyHelpers]),
        .tests(
            "PosternClientTests", ["PosternClient", "PosternInterface", "Secrets", "Varlink", "StrictJSON", "ProgramOptions", "postern"]),
        .tests(
            "PosternDaemonTests",
            ["PosternDaemon", "PosternApplication", "PosternConfiguration", "PosternStore", "PosternCrypto", "PosternCore"]),
        .tests(
            "PosternApplicationTests",
            [
                "PosternApplication", "PosternDaemon", "PosternConfiguration", "PosternInterface", "PosternStore", "PosternCrypto",
                "PosternCore", "StrictJSON", "Varlink",
            ],
            exclude: ["Accounts", "Firebase"]),
        .tests("BridgeCoreTests", ["BridgeCore", "HostileFiles", "PosternValues", "StrictJSON"]),
        .tests(
            "BridgeTests",
            [
                "Bridge", "BridgeCore", "HTTPSClient", "LoopbackHTTP", "PosternCore", "PosternCrypto", "PosternInterface", "StrictJSON",
                "TestAuthority", "Varlink", nioCore, nioPosix, nioHTTP1, nioEmbedded,
            ]),
        .tests("DemoProviderTests", ["DemoProvider", "PosternCore", "PosternCrypto", "StrictJSON", nioCore, nioPosix]),
        .tests("ArchitectureTests", []),
    ]
)
