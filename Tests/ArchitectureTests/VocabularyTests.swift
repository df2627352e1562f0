import Testing

/// One word for one thing: docs/inside/glossary.md has the words, and in its last table those that no type may have in its name.
@Suite("The words of the glossary")
struct VocabularyTests {
    /// Where another project's word stays: git, docker and others call such a program a credential helper.
    static let elsewhere = ["*Helper": "postern/"]
    /// What a provider's own page says, in its words.
    static let quotations = ["Authorized redirect URIs"]

    @Test("a type has none of the names that are not used")
    func names() throws {
        let banned = try Self.banned()
        #expect(banned.count >= 10)
        let types = try Self.types()
        for pattern in banned {
            for (name, file) in types where Self.matches(name, pattern) {
                if let folder = Self.elsewhere[pattern], file.hasPrefix(folder) { continue }
                Issue.record("\(file) declares \(name): \(pattern) is a name that docs/inside/glossary.md replaces")
            }
        }
    }

    @Test("a type that the glossary names is there")
    func declared() throws {
        let types = Set(try Self.types().map(\.name))
        var named = 0
        for row in try Self.rows() where row.count == 4 {
            for type in Self.quoted(row[3]) where type.first?.isUppercase == true {
                named += 1
                #expect(types.contains(type), "docs/inside/glossary.md names \(type)")
            }
        }
        #expect(named >= 30)
    }

    @Test("a word is explained once")
    func once() throws {
        let words = try Self.rows().filter { $0.count == 4 && $0[0] != "word" && !$0[0].hasPrefix("-") }.map { $0[0] }
        #expect(words.count >= 30 && Set(words).count == words.count)
    }

    @Test("a message has none of the words that messages do not use")
    func messages() throws {
        let unused = try Self.unused()
        #expect(unused.count >= 10)
        for file in ArrowTests.swiftFiles(below: ArrowTests.sources) where !file.hasSuffix("/Interface+Description.swift") {
            for literal in Self.literals(in: try #require(ArrowTests.text(of: file))) {
                for word in unused where literal.contains(word) && !Self.quotations.contains(where: literal.contains) {
                    Issue.record("\(file) says \"\(word)\", which docs/inside/glossary.md replaces: \(literal)")
                }
            }
        }
    }

    @Test("the text of literals is found, and nothing else")
    func literals() {
        let text = "let a = \"b \\\"c\\\" d\"  // \"e\"\n    /// \"f\"\nlet g = \"\"\"\n  h \"i\"\n  \"\"\"\nlet j = [\"k\": \"l\"]\n"
        #expect(Self.literals(in: text) == ["b \\\"c\\\" d", "  h \"i\"", "k", "l"])
    }

    @Test(
        "a pattern matches a whole name",
        arguments: [
            ("StoreKeeper", "*Keeper", true), ("Keeper", "*Keeper", true), ("Keepers", "*Keeper", false), ("Place", "Place", true), ("CallPlaces", "Place", false),
            ("LadderKey", "Ladder*", true), ("StepLadder", "Ladder*", false),
        ])
    func patterns(_ name: String, _ pattern: String, _ isMatch: Bool) {
        #expect(Self.matches(name, pattern) == isMatch)
    }

    @Test("declarations are found wherever they stand")
    func declarations() {
        let text = "public final class A: B {\n    enum C<D> {\n/// struct E {}\n    package typealias F = G\nlet structure = 1\nindirect enum H\n"
        #expect(Self.declarations(in: text) == ["A", "C", "F", "H"])
    }

    private static func matches(_ name: String, _ pattern: String) -> Bool {
        if pattern.hasPrefix("*") { return name.hasSuffix(pattern.dropFirst()) }
        if pattern.hasSuffix("*") { return name.hasPrefix(pattern.dropLast()) }
        return name == pattern
    }

    /// What the first column of the table of messages has in quotes.
    private static func unused() throws -> [String] {
        let text = try #require(ArrowTests.text(of: "\(ArrowTests.root)/docs/inside/glossary.md"))
        let start = try #require(text.firstRange(of: "\n## Words that messages do not use\n"))
        let end = try #require(text.firstRange(of: "\n## Words that are not used\n"))
        return cells(in: text[start.upperBound..<end.lowerBound]).flatMap { quoted($0[0]) }
    }

    /// The text between the quotation marks of each line, and the lines of multi-line literals.
    private static func literals(in text: String) -> [String] {
        var isBlock = false
        var found: [String] = []
        for line in text.split(separator: "\n") {
            if line.ranges(of: "\"\"\"").count % 2 == 1 {
                isBlock.toggle()
            } else if isBlock {
                found.append(String(line))
            } else {
                found += lineLiterals(in: line)
            }
        }
        return found
    }

    private static func lineLiterals(in line: Substring) -> [String] {
        var found: [String] = []
        var literal: String?
        var isEscaped = false
        var previous: Character = " "
        for character in line {
            if let text = literal, character == "\"", !isEscaped {
                found.append(text)
                literal = nil
            } else if let text = literal {
                literal = text + String(character)
                isEscaped = character == "\\" && !isEscaped
            } else if character == "\"" {
                (literal, isEscaped) = ("", false)
            } else if character == "/", previous == "/" {
                break
            }
            previous = character
        }
        return found
    }

    /// The rows with two cells below the heading of the last table.
    private static func banned() throws -> [String] {
        let text = try #require(ArrowTests.text(of: "\(ArrowTests.root)/docs/inside/glossary.md"))
        let start = try #require(text.firstRange(of: "\n## Words that are not used\n"))
        return cells(in: text[start.upperBound...]).filter { $0.count == 2 }.flatMap { quoted($0[0]) }
    }

    private static func rows() throws -> [[String]] {
        cells(in: try #require(ArrowTests.text(of: "\(ArrowTests.root)/docs/inside/glossary.md"))[...])
    }

    private static func cells(in text: Substring) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.hasSuffix("|") }.map { line in
            line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    private static func quoted(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    private static func types() throws -> [(name: String, file: String)] {
        let files = ArrowTests.swiftFiles(below: ArrowTests.sources)
        #expect(files.count > 500)
        return try files.flatMap { file in
            declarations(in: try #require(ArrowTests.text(of: file))).map { ($0, String(file.dropFirst(ArrowTests.sources.count + 1))) }
        }
    }

    private static func declarations(in text: String) -> [String] {
        let kinds: Set<Substring> = ["struct", "enum", "class", "protocol", "actor", "typealias"]
        let modifiers: Set<Substring> = ["public", "package", "internal", "fileprivate", "private", "final", "indirect", "nonisolated"]
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").drop { modifiers.contains($0) || $0.hasPrefix("@") }
            guard words.count > 1, let kind = words.first, kinds.contains(kind) else { return nil }
            let name = words.dropFirst().first.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) } ?? ""
            return name.first?.isUppercase == true ? name : nil
        }
    }
}
