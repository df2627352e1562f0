import Glibc
import Testing

/// The standard library compares characters, and a combining mark makes another character of the one before it. A parser of another program
/// compares bytes: what is a quote, a colon or an `@` to it must be one here. See docs/inside/decisions/text.md.
///
/// The source does not show whether `$0 == "@"` compares characters; the compiled file does, by the function that it calls.
@Suite("Text is compared by Unicode scalars")
struct TextComparisonTests {
    /// What compares or classifies characters, as the compiler names it, and as it is written.
    static let symbols: [String: String] = [
        "$sSS9hasPrefixySbSSF": "String.hasPrefix", "$sSS9hasSuffixySbSSF": "String.hasSuffix",
        "$sSysE9hasPrefixySbqd__SyRd__lF": "Substring.hasPrefix", "$sSysE9hasSuffixySbqd__SyRd__lF": "Substring.hasSuffix",
        "$sSJ2eeoiySbSJ_SJtFZ": "== of characters",
        "$sSJSQsWP": "a search for a character, such as firstIndex(of:), contains, split(separator:) and case",
        "$sSJSHsWP": "a set or a dictionary of characters",
        "$sSJ9isNewlineSbvg": "Character.isNewline", "$sSJ12isWhitespaceSbvg": "Character.isWhitespace", "$sSJ8isLetterSbvg": "Character.isLetter",
        "$sSJ8isNumberSbvg": "Character.isNumber",
        "17_StringProcessing": "contains, replacing and ranges of a string in a string",
    ]

    /// Files that may compare characters, with the reason.
    static let exempt: [String: String] = [
        "PosternStore/KeyChoice+Passphrase.swift": "counts the different characters of a passphrase, as the user typed them"
    ]

    @Test("a module compares no characters", arguments: ArrowTests.arrows.keys.sorted())
    func module(_ name: String) throws {
        let sources = ArrowTests.swiftFiles(below: "\(ArrowTests.sources)/\(name)").map { String($0.split(separator: "/").last ?? "") }
        let found = try Self.found(in: name, sources)
        for (file, symbols) in found where Self.exempt["\(name)/\(file)"] == nil {
            Issue.record("\(name)/\(file) uses \(symbols.sorted().joined(separator: ", ")): see TextSearch.swift of PosternValues")
        }
        for place in Self.exempt.keys.sorted() where place.hasPrefix("\(name)/") {
            #expect(found[String(place.dropFirst(name.count + 1))] != nil, "\(place) needs no exemption")
        }
    }

    @Test("everything in the table is found where it is, and nothing where it is not")
    func samples() throws {
        let found = try Self.found(in: "ArchitectureTests", ["CharacterSamples.swift", "ScalarSamples.swift"])
        #expect(found["CharacterSamples.swift"] == Set(Self.symbols.values))
        #expect(found["ScalarSamples.swift"] == nil)
    }

    /// What the compiled files use, by the name of the source.
    private static func found(in module: String, _ sources: [String]) throws -> [String: Set<String>] {
        let folder = "\(try programs())/\(String(module.map { $0 == "-" ? "_" : $0 })).build"
        var found: [String: Set<String>] = [:]
        let patterns = symbols.keys.sorted().map { "-e '\($0)'" }.joined(separator: " ")
        for source in sources {
            try #require(access("\(folder)/\(source).o", R_OK) == 0, "\(folder) has no \(source).o: this needs a debug build")
        }
        let list = sources.map { "'\(folder)/\($0).o'" }.joined(separator: " ")
        let output = try #require(popen("LC_ALL=C exec grep -oaHF \(patterns) \(list)", "r"))
        var line = [CChar](repeating: 0, count: 4096)
        while fgets(&line, Int32(line.count), output) != nil {
            let parts = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(separator: ":")
            guard parts.count == 2, let name = symbols[String(parts[1])], let file = parts[0].split(separator: "/").last else { continue }
            found[String(file.dropLast(2)), default: []].insert(name)
        }
        // 1: nothing was found.
        #expect([0, 1 << 8].contains(pclose(output)))
        return found
    }

    /// The folder of this program, in which the compiled files are.
    private static func programs() throws -> String {
        let path = try #require(realpath("/proc/self/exe", nil))
        defer { free(path) }
        return String(cString: path).split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
    }
}
