import Testing

/// A key of the configuration is one file and its use: the value, the key's name and its reading stand together.
@Suite("The sections of the configuration")
struct SectionTests {
    @Test("each section's type is declared beside its keys")
    func besideKeys() throws {
        var sections = 0
        for file in ArrowTests.swiftFiles(below: "\(ArrowTests.sources)/PosternConfiguration") {
            let text = try #require(ArrowTests.text(of: file))
            let lines = text.split(separator: "\n")
            for (line, next) in zip(lines, lines.dropFirst()) where next.hasPrefix("    static let keys = ") {
                // `extension Configuration.Callback {`
                guard line.hasPrefix("extension Configuration."), let name = line.split(whereSeparator: { ". {".contains($0) }).last else { continue }
                sections += 1
                let isBeside = lines.contains { $0.hasPrefix("    public struct \(name):") || $0.hasPrefix("    public enum \(name):") }
                #expect(isBeside, "\(file) has the keys of Configuration.\(name), which is declared elsewhere")
            }
        }
        #expect(sections >= 9)
    }
}
