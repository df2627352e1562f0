import Testing

/// What test files share lies beside them, so that a test file can be read, moved and removed alone.
@Suite("The tests in Python")
struct TestModuleTests {
    static let folders = ["EndToEnd", "Systemd"].map { "\(ArrowTests.root)/Tests/\($0)" }
    static let modules = folders.flatMap { ArrowTests.files(below: $0, suffix: ".py") }

    @Test("a folder with tests has some", arguments: folders)
    func some(folder: String) {
        #expect(Self.modules.contains { $0.hasPrefix("\(folder)/test_") })
    }

    @Test("no module imports a module of tests", arguments: modules)
    func imports(of module: String) throws {
        for line in try #require(ArrowTests.text(of: module)).split(separator: "\n") {
            let words = line.split(whereSeparator: { " ,\t".contains($0) })
            guard let first = words.first, first == "import" || first == "from" else { continue }
            let imported = first == "from" ? words[1...].prefix(1) : words[1...]
            #expect(!imported.contains { $0.hasPrefix("test_") }, "\(module): \(line)")
        }
    }
}

@Suite("The tests in Swift")
struct SwiftTestModuleTests {
    @Test("start other programs with TestProcess: Foundation's own way reads behind a buffer, and crashes at times")
    func processes() throws {
        let files = ArrowTests.files(below: "\(ArrowTests.root)/Tests", suffix: ".swift")
        #expect(files.count > 300)
        for file in files where !file.hasSuffix("TestModuleTests.swift") {
            #expect(!(try #require(ArrowTests.text(of: file))).contains("= Process()"), "\(file)")
        }
    }
}
