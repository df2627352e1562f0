import Glibc
import Testing

/// SwiftPM lets a target import what its dependencies depend on, C modules too. The arrows hold because this test reads
/// the imports.
@Suite("The arrows between the modules")
struct ArrowTests {
    /// Every target of ours, and the only modules that it may import, `Synchronization` apart.
    static let arrows: [String: Set<String>] = [
        "StrictJSON": [],
        "TOML": [],
        "ProgramOptions": ["StrictJSON", "Glibc"],
        "Secrets": ["Glibc", "StrictJSON"],
        "PosternValues": ["Secrets"],
        "PosternCore": ["PosternValues", "Secrets", "StrictJSON"],
        "PosternConfiguration": ["CProcess", "PosternCore", "TOML", "Glibc"],
        "PosternInterface": ["Secrets", "StrictJSON"],
        "PosternCrypto": ["COpenSSL", "PosternValues", "Glibc"],
        "PosternSystemd": ["CProcess", "CSystemd", "Glibc"],
        "PosternStore": ["CSQLite", "PosternCrypto", "PosternCore", "StrictJSON", "Glibc"],
        "Varlink": ["StrictJSON", "Glibc"],
        "Reactor": ["CEpoll", "Glibc"],
        "ConnectionAdmission": ["Glibc"],
        "VarlinkServer": ["CEpoll", "ConnectionAdmission", "Reactor", "Varlink", "StrictJSON", "Glibc"],
        "ChannelAdmission": ["ConnectionAdmission", "NIOCore", "Glibc"],
        "TLSTransport": ["PosternCrypto", "NIOCore"],
        "LoopbackHTTP": [
            "CSocketDiagnostics", "ChannelAdmission", "ConnectionAdmission", "TLSTransport", "PosternCrypto", "PosternValues", "NIOCore", "NIOPosix", "NIOHTTP1", "Glibc",
        ],
        "CallbackServer": ["LoopbackHTTP", "PosternCore", "PosternCrypto", "NIOCore"],
        "HTTPSClient": ["ChannelAdmission", "PosternCore", "PosternCrypto", "TLSTransport", "NIOCore", "NIOPosix", "NIOHTTP1", "Glibc"],
        "PosternApplication": ["PosternCore", "PosternConfiguration", "PosternInterface", "StrictJSON", "Varlink"],
        "PosternDaemon": [
            "CEpoll", "CProcess", "PosternApplication", "Reactor", "StrictJSON", "PosternCore", "PosternConfiguration", "PosternInterface", "PosternCrypto", "PosternSystemd", "PosternStore",
            "Varlink", "VarlinkServer", "LoopbackHTTP", "CallbackServer", "HTTPSClient", "NIOCore", "NIOPosix", "Glibc",
        ],
        "PosternClient": ["Varlink", "PosternInterface", "StrictJSON", "Glibc"],
        "DemoProvider": ["StrictJSON", "PosternValues", "PosternCrypto", "LoopbackHTTP", "NIOCore", "Glibc"],
        "BridgeCore": ["PosternValues", "StrictJSON"],
        "Bridge": [
            "BridgeCore", "HTTPSClient", "LoopbackHTTP", "PosternClient", "PosternCore", "PosternInterface", "PosternValues", "StrictJSON", "Varlink", "NIOCore", "NIOPosix", "NIOHTTP1", "Glibc",
        ],
        "postern-mcp": ["Bridge", "CProcess", "PosternInterface", "ProgramOptions", "Glibc"],
        "posternd": ["PosternDaemon", "PosternConfiguration", "PosternInterface", "ProgramOptions", "Glibc"],
        "postern": ["CProcess", "PosternClient", "PosternConfiguration", "PosternCore", "PosternInterface", "PosternValues", "ProgramOptions", "TOML", "Varlink", "StrictJSON", "Glibc"],
        "postern-interface-generator": ["Varlink", "Glibc"],
        "postern-demo-provider": ["DemoProvider", "PosternValues", "ProgramOptions", "NIOPosix", "Glibc"],
    ]

    static let sources = "\(root)/Sources"
    static var root: String {
        // Tests/ArchitectureTests/ArrowTests.swift
        #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    }

    @Test("a module imports what its arrows name, and nothing else", arguments: arrows.keys.sorted())
    func imports(of target: String) throws {
        let allowed = try #require(Self.arrows[target])
        let files = Self.swiftFiles(below: "\(Self.sources)/\(target)")
        #expect(!files.isEmpty)
        for file in files {
            for module in Self.imports(in: try #require(Self.text(of: file))) where module != "Synchronization" {
                #expect(allowed.contains(module), "\(file) imports \(module)")
            }
        }
    }

    @Test("every target is in the table")
    func complete() {
        let targets = Self.entries(of: Self.sources).filter { !Self.swiftFiles(below: "\(Self.sources)/\($0)").isEmpty }
        #expect(Set(targets) == Set(Self.arrows.keys))
    }

    /// CProcess and CEpoll are no libraries with objects to own: they are system calls, as Glibc is.
    @Test("each C library is imported by one target alone", arguments: ["COpenSSL", "CSystemd", "CSQLite", "CSocketDiagnostics"])
    func confined(_ library: String) {
        let importers = Self.arrows.filter { $0.value.contains(library) }.keys
        #expect(importers.count == 1)
    }

    /// It has the values of two modules. What else they have is for others: what reads the files and runs the programs that the configuration
    /// names is behind a protocol, and the client is for programs that call the daemon.
    @Test(
        "the application names nothing that reads the configuration or connects to a service",
        arguments: [
            "PosternConfiguration": [
                "ConfigurationLoader", "ConfigurationReader", "ConfigurationFile", "BoundedFile", "FileAccess", "UserDirectories", "SecretResolver",
                "SecretSource", "ConfiguredSecret",
            ],
            "Varlink": ["VarlinkConnection", "VarlinkReplies", "VarlinkClientError", "VarlinkPulse", "ClientSocket", "UnixSocketAddress", "PeerCredentials"],
        ] as [String: Set<Substring>])
    func application(module: String, effects: Set<Substring>) throws {
        for file in Self.swiftFiles(below: "\(Self.sources)/PosternApplication") {
            let lines = try #require(Self.text(of: file)).split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            let words = lines.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") } }
            #expect(effects.isDisjoint(with: words), "\(file)")
        }
        // What is no longer there is checked by nobody.
        let declared = try Self.swiftFiles(below: "\(Self.sources)/\(module)").reduce(into: Set<Substring>()) { words, file in
            words.formUnion(try #require(Self.text(of: file)).split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { Substring(String($0)) })
        }
        #expect(effects.isSubset(of: declared))
    }

    static func imports(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            var words = line.split(separator: " ")[...]
            while let first = words.first, first.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains(first) {
                words.removeFirst()
            }
            guard words.first == "import", words.count > 1, !line.hasPrefix(" ") else { return nil }
            let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
            let name = kinds.contains(words[words.startIndex + 1]) && words.count > 2 ? words[words.startIndex + 2] : words[words.startIndex + 1]
            return name.split(separator: ".").first.map(String.init)
        }
    }

    static func swiftFiles(below folder: String) -> [String] { files(below: folder, suffix: ".swift") }

    static func files(below folder: String, suffix: String) -> [String] {
        entries(of: folder).flatMap { entry -> [String] in
            if entry.hasSuffix(suffix) { return ["\(folder)/\(entry)"] }
            return entry.contains(".") ? [] : files(below: "\(folder)/\(entry)", suffix: suffix)
        }
    }

    static func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    static func text(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
