import Testing

/// Each module begins with a page for who opens it first: what it knows, what it does not, where to start. It is the top of `Sources/M/M.swift`.
@Suite("The modules' headers")
struct ModuleHeaderTests {
    @Test("a module's file of its own name says what it knows, what it imports, and where to start", arguments: ArrowTests.arrows.keys.sorted())
    func header(of module: String) throws {
        let folder = "\(ArrowTests.sources)/\(module)"
        let text = try #require(ArrowTests.text(of: "\(folder)/\(module).swift"), "there is no Sources/\(module)/\(module).swift")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("//") && !$0.hasPrefix("///") }
        #expect(lines.first?.hasPrefix("// \(module): ") == true && (6...20).contains(lines.count))
        let header = lines.map { $0.dropFirst(3) }.joined(separator: " ")
        #expect(header.contains("Does not ") || header.contains("Does nothing else"))

        let arrows = try #require(ArrowTests.arrows[module])
        let imports = try #require(Self.part(of: header, from: "Imports: ", to: ". "))
        #expect(Set(imports == "nothing" ? [] : imports.split(separator: ", ").map(String.init)) == arrows, "what ArrowTests says: \(arrows.sorted())")

        let names = Set(ArrowTests.swiftFiles(below: folder).compactMap { $0.split(separator: "/").last.map(String.init) })
        let start = try #require(Self.part(of: header + " ", from: "Start: ", to: ". ")).split(separator: ", ").map(String.init)
        #expect(!start.isEmpty)
        for name in start { #expect(names.contains(name), "Sources/\(module) has no \(name)") }
    }

    @Test("a C module's header begins with what it is for")
    func cModules() throws {
        let modules = ArrowTests.entries(of: ArrowTests.sources).filter { ArrowTests.arrows[$0] == nil }
        #expect(modules.count == 6)
        for module in modules {
            let files = ArrowTests.files(below: "\(ArrowTests.sources)/\(module)", suffix: ".h")
            #expect(!files.isEmpty)
            for file in files { #expect(try #require(ArrowTests.text(of: file)).hasPrefix("/* \(module): "), "\(file)") }
        }
    }

    private static func part(of text: String, from: String, to: String) -> String? {
        guard let start = text.firstRange(of: from)?.upperBound, let end = text[start...].firstRange(of: to)?.lowerBound else { return nil }
        return String(text[start..<end])
    }
}
