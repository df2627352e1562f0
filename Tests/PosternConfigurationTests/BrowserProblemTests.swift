import Foundation
import PosternConfiguration
import Testing

@Suite("Browsers that cannot be run")
struct BrowserProblemTests {
    @Test("a name is looked for in the given PATH alone, and only a file that may be run is a program")
    func programs() throws {
        let directory = PrivateDirectory()
        let place = directory.path
        for name in ["first", "second"] { try FileManager.default.createDirectory(atPath: "\(place)/\(name)", withIntermediateDirectories: true) }
        // A directory of that name comes before the program.
        try FileManager.default.createDirectory(atPath: "\(place)/first/fox", withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: "\(place)/second/fox"))
        try Data().write(to: URL(fileURLWithPath: "\(place)/second/plain"))
        #expect(chmod("\(place)/second/fox", 0o755) == 0)
        func problems(_ browser: String, _ path: String = "\(place)/first:\(place)/second") throws -> [BrowserProblem] {
            try Reading.read("[sign-in]\nbrowser = \(browser)\n").browserProblems(environment: ["PATH": path])
        }
        #expect(try problems(#"["fox", "-P"]"#).isEmpty && problems("\"none\"").isEmpty && problems("\"portal\"").isEmpty)
        #expect(try problems("[\"\(place)/second/fox\"]", "/nonexistent").isEmpty)
        let missing = try problems(#"["fox"]"#, "\(place)/first")
        #expect(missing.map(\.description) == ["browser in [sign-in]: there is no program fox in PATH; pages cannot be opened with it"])
        #expect(missing.map(\.dependsOnPath) == [true])
        for (file, words) in [("first", "is a directory, not a program"), ("second/plain", "is not executable for this user")] {
            let found = try problems("[\"\(place)/\(file)\"]")
            #expect(found.map(\.description) == ["browser in [sign-in]: \(place)/\(file) \(words); pages cannot be opened with it"])
            #expect(found.map(\.dependsOnPath) == [false])
        }
        #expect(try problems(#"["/no/such/program"]"#)[0].description.hasPrefix("browser in [sign-in]: there is no program /no/such/program"))
    }
}
