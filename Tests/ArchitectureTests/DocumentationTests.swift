import Glibc
import Testing

/// A page that leads nowhere is noticed by nobody who writes it.
@Suite("The pages")
struct DocumentationTests {
    static let pages = ArrowTests.files(below: ArrowTests.root, suffix: ".md")

    @Test("there are some, the README among them")
    func some() { #expect(Self.pages.count > 10 && Self.pages.contains("\(ArrowTests.root)/README.md")) }

    @Test("a link leads to a file that is there, and to a heading in it", arguments: pages)
    func links(page: String) throws {
        for link in Self.links(in: try #require(ArrowTests.text(of: page))) where !link.contains(":") {
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? page : "\(Self.directory(of: page))/\(parts[0])"
            #expect(access(target, F_OK) == 0, "\(page) links to \(link)")
            guard parts.count == 2, let text = ArrowTests.text(of: target) else { continue }
            #expect(Self.anchors(in: text).contains(String(parts[1])), "\(page) links to \(link)")
        }
    }

    @Test("a file of the sources that is named is there", arguments: pages)
    func names(page: String) throws {
        let tops: Set = ["Benchmarks", "Fuzz", "Sources", "Tests", "docs", "packaging", "scripts", "systemd"]
        for name in Self.code(in: try #require(ArrowTests.text(of: page))) {
            guard let slash = name.firstIndex(of: "/"), tops.contains(String(name[..<slash])), name.allSatisfy(Self.isOfPath) else { continue }
            #expect(access("\(ArrowTests.root)/\(name)", F_OK) == 0, "\(page) names \(name)")
        }
    }

    @Test("the walk of a sign-in names functions of the files that it links to, and counts them")
    func walk() throws {
        let page = "\(ArrowTests.root)/docs/inside/architecture.md"
        let text = try #require(ArrowTests.text(of: page))
        let steps = try #require(text.split(separator: "## One sign-in, function by function\n").last?.split(separator: "\n## ").first)
        var functions: Set<String> = []
        var files: Set<String> = []
        for stop in steps.split(separator: "](").dropFirst() {
            let path = try #require(stop.split(separator: ")").first)
            let source = try #require(ArrowTests.text(of: "\(Self.directory(of: page))/\(path)"), "\(path)")
            let words = Set(source.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == " ") })
            let names = stop.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            #expect(!names.isEmpty, "\(path)")
            files.insert(String(path))
            for name in names {
                let declaration = name == "init" ? " init" : "func \(name)"
                #expect(words.contains { $0.hasSuffix(declaration) }, "\(path) has no \(name)")
                functions.insert("\(path) \(name)")
            }
        }
        #expect(steps.contains("These are \(functions.count) functions in \(files.count) files."), "\(functions.count) in \(files.count)")
    }

    @Test("links, headings and code are found")
    func finding() {
        #expect(Self.links(in: "a [b](c.md#d) and ![e](f.png)\n```\n[g](h)\n```\n  <img src=\"i.svg\">\n") == ["c.md#d", "f.png", "i.svg"])
        #expect(Self.anchors(in: "# One `two`, three\n## A-B c\n") == ["one-two-three", "a-b-c"])
        #expect(Self.code(in: "`a/b` and\n```sh\nscripts/x.sh   # y\n```\n") == ["a/b", "scripts/x.sh", "#", "y"])
    }

    /// Outside fenced blocks; those of pictures in HTML, too.
    private static func links(in text: String) -> [String] {
        prose(of: text).flatMap { line in
            [("](", ")" as Character), (" src=\"", "\""), (" srcset=\"", "\"")].flatMap { opening, closing in
                line.ranges(of: opening).compactMap { start in
                    line[start.upperBound...].firstIndex(of: closing).map { String(line[start.upperBound..<$0]) }
                }
            }
        }
    }

    /// As GitHub and GitLab make them.
    private static func anchors(in text: String) -> [String] {
        prose(of: text).filter { $0.hasPrefix("#") }.map { heading in
            heading.drop { $0 == "#" || $0 == " " }.lowercased().filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                .map { $0 == " " ? "-" : String($0) }.joined()
        }
    }

    private static func code(in text: String) -> [String] {
        let quoted = prose(of: text).flatMap { $0.split(separator: "`", omittingEmptySubsequences: false).enumerated() }
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        return quoted + blocks(of: text).flatMap { $0.split(separator: " ").map(String.init) }
    }

    private static func prose(of text: String) -> [Substring] { lines(of: text).filter { !$0.isBlock }.map(\.line) }
    private static func blocks(of text: String) -> [Substring] { lines(of: text).filter(\.isBlock).map(\.line) }

    private static func lines(of text: String) -> [(line: Substring, isBlock: Bool)] {
        var isBlock = false
        return text.split(separator: "\n").compactMap { line in
            guard !line.drop(while: { $0 == " " }).hasPrefix("```") else {
                isBlock.toggle()
                return nil
            }
            return (line, isBlock)
        }
    }

    private static func isOfPath(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "/._+-".contains(character)
    }

    private static func directory(of page: String) -> Substring { page[..<(page.lastIndex(of: "/") ?? page.startIndex)] }
}
