import Testing

/// A provider is one file and one line in the catalogue: what carries a sign-in along asks the dialect, and never who the provider is.
@Suite("The machinery knows no provider by name")
struct ProviderNameTests {
    /// The types that are one provider's, each with the files below `Sources/PosternCore` that may name it beside the catalogue.
    static let types: [String: Set<String>] = [
        "GitHub": ["Providers/BuiltIn/GitHub.swift"],
        "GitLab": ["Providers/BuiltIn/GitLab.swift"],
        "Google": ["Providers/BuiltIn/Google.swift"],
        "Microsoft": ["Providers/BuiltIn/Microsoft.swift"],
        "MicrosoftError": ["Providers/BuiltIn/Microsoft.swift"],
        "MicrosoftTenant": ["Providers/BuiltIn/Microsoft.swift"],
        "Facebook": facebook,
        "FacebookLimited": facebook,
        "GraphError": facebook,
        "Apple": ["Providers/BuiltIn/Apple.swift"],
        "AppleClientSecret": ["Providers/BuiltIn/Apple.swift"],
        "Twitter": ["Providers/BuiltIn/Twitter.swift"],
        "XPlatform": ["Providers/BuiltIn/XPlatform.swift"],
        // Two providers are one company.
        "XError": x,
        "XProfile": x,
        "XRegistration": x,
    ]

    private static let x: Set = ["Providers/BuiltIn/Twitter.swift", "Providers/BuiltIn/XPlatform.swift"]

    private static let facebook: Set = [
        "Providers/BuiltIn/Facebook.swift", "Providers/BuiltIn/FacebookLimited.swift", "Providers/BuiltIn/GraphError.swift", "Providers/BuiltIn/FacebookDevice.swift",
    ]

    private static let catalogue = "PosternCore/Providers/BuiltIn/Catalogue.swift"

    /// The hosts by whose names the built-in providers go, and those of their endpoints.
    static let hosts = [
        "github.com", "gitlab.com", "google.com", "googleapis.com", "microsoft.com", "microsoftonline.com", "facebook.com", "apple.com",
        "twitter.com", "x.com",
    ]

    /// Where the project itself lives, which the service tells the caller.
    private static let home = "https://github.com/postern/postern"

    /// Its own protocol, in which the IDs of providers are words, and whose servers are at one of the hosts.
    private static let firebase = "PosternCore/Accounts/Firebase/"

    /// Modules that carry a sign-in along. The others that name a provider speak to a user, in help texts, or to other programs.
    static let machinery = [
        "PosternCore", "PosternConfiguration", "PosternInterface", "PosternCrypto", "PosternStore", "PosternApplication", "PosternDaemon", "CallbackServer",
        "HTTPSClient", "LoopbackHTTP", "TLSTransport", "VarlinkServer", "Varlink", "PosternClient", "posternd",
    ]

    @Test("a provider's types are named in its own files and the catalogue alone", arguments: machinery)
    func types(in module: String) throws {
        var found: Set<String> = []
        for file in try Self.files(of: module) {
            for word in file.words {
                guard let owners = Self.types[word] else { continue }
                found.insert(word)
                #expect(
                    file.path == Self.catalogue || owners.contains { file.path == "PosternCore/\($0)" },
                    "\(file.path) names \(word)")
            }
        }
        // What none of the files has is a table that checks nothing.
        #expect(module != "PosternCore" || found == Set(Self.types.keys))
    }

    @Test("a provider's ID and hosts stand in its own files alone", arguments: machinery)
    func hosts(in module: String) throws {
        let owners = Set(Self.types.values.joined().map { "PosternCore/\($0)" })
        for file in try Self.files(of: module) where !owners.contains(file.path) && !file.path.hasPrefix(Self.firebase) {
            for literal in file.literals {
                for host in Self.hosts where literal != Self.home { #expect(!Self.names(host, in: literal), "\(file.path) has the string \(literal)") }
            }
        }
    }

    /// How an app is registered, for instance, is in the provider's file.
    @Test("the command compares a provider's ID only where another program's files or protocol name it")
    func command() throws {
        let folders: Set<Substring> = ["Import", "Helpers"]
        var found = 0
        for file in try Self.files(of: "postern") {
            for literal in file.literals where Self.hosts.contains(literal) {
                found += 1
                #expect(!folders.isDisjoint(with: file.path.split(separator: "/")), "\(file.path) has the string \(literal)")
            }
        }
        #expect(found > 0)
    }

    @Test("every provider of the catalogue is in the table")
    func complete() throws {
        let text = try #require(ArrowTests.text(of: "\(ArrowTests.sources)/\(Self.catalogue)"))
        let listed = text.split(separator: "\n").compactMap { line -> String? in
            let words = line.split { " .,".contains($0) }
            return words.count == 2 && words[1] == "self" ? String(words[0]) : nil
        }
        #expect(listed.count >= 8)
        for name in listed { #expect(Self.types[name] != nil, "\(name)") }
    }

    @Test(
        "the search finds what it is for, and nothing else",
        arguments: [
            (#"if id == "twitter.com" { lang() }"#, true), (#"url = "https://api.x.com/1.1""#, true), (#"/// as "github.com" does"#, false),
            (#"let host = "box.com""#, false), (#"case "example.com": break // "x.com""#, false), (#"let a = "\(twitter.com)""#, true),
        ])
    func search(_ line: String, _ isFound: Bool) {
        let file = SourceFile(path: "", text: line)
        #expect(file.literals.contains { literal in Self.hosts.contains { Self.names($0, in: literal) } } == isFound)
    }

    /// As a whole name or the end of one: `api.x.com`, and not `box.com`.
    static func names(_ host: String, in literal: String) -> Bool {
        var rest = Substring(literal.lowercased())
        while let start = rest.firstRange(of: host) {
            let before = rest[..<start.lowerBound].last
            let after = rest[start.upperBound...].first
            if !(before?.isLetter ?? false) && !(before?.isNumber ?? false) && before != "-" && !(after?.isLetter ?? false) { return true }
            rest = rest[start.upperBound...]
        }
        return false
    }

    private static func files(of module: String) throws -> [SourceFile] {
        let paths = ArrowTests.swiftFiles(below: "\(ArrowTests.sources)/\(module)")
        #expect(!paths.isEmpty)
        return try paths.map { path in
            let text = try #require(ArrowTests.text(of: path))
            return SourceFile(path: String(path.dropFirst(ArrowTests.sources.count + 1)), text: text)
        }
    }
}

/// A source file without its comments.
private struct SourceFile {
    var path: String
    /// Identifiers outside of string literals.
    var words: [String] = []
    /// The string literals of one line; in one of several lines, each line.
    var literals: [String] = []

    init(path: String, text: String) {
        self.path = path
        var isInLongLiteral = false
        for line in text.split(separator: "\n") {
            if line.drop(while: { $0 == " " }).hasPrefix("\"\"\"") || line.hasSuffix("\"\"\"") {
                isInLongLiteral.toggle()
            } else if isInLongLiteral {
                literals.append(String(line))
            } else {
                read(line)
            }
        }
    }

    private mutating func read(_ line: Substring) {
        var rest = line
        var code = ""
        while let first = rest.first {
            if rest.hasPrefix("//") { break }
            rest = rest.dropFirst()
            guard first == "\"" else {
                code.append(first)
                continue
            }
            var literal = ""
            while let next = rest.popFirst(), next != "\"" {
                literal.append(next)
                if next == "\\", let escaped = rest.popFirst() { literal.append(escaped) }
            }
            literals.append(literal)
            code.append(" ")
        }
        words += code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
    }
}
