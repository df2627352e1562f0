import Glibc

/// Writes the Swift code for an interface: `swift run postern-interface-generator`, in the root of the package.
@main
enum Generator {
    static let description = "Sources/PosternInterface/io.postern.varlink"

    static func main() {
        do {
            for file in try files(from: try Files.text(of: description)) {
                try Files.write(file.text, to: file.path)
                print(file.path)
            }
        } catch {
            let line = Array("postern-interface-generator: \(error)\n".utf8)
            _ = write(STDERR_FILENO, line, line.count)
            exit(1)
        }
    }

    /// All generated files, by their paths in the package.
    static func files(from text: String) throws(GeneratorError) -> [(path: String, text: String)] {
        let model = try InterfaceModel(text)
        let (interface, client) = ("Sources/PosternInterface/Generated", "Sources/PosternClient/Generated")
        let application = "Sources/PosternApplication"
        return [
            ("\(interface)/Interface+Description.swift", DescriptionFile.text(of: model)),
            ("\(interface)/Interface+Types.swift", TypesFile.text(of: model)),
            ("\(interface)/Interface+Methods.swift", MethodsFile.text(of: model)),
            ("\(interface)/InterfaceError.swift", ErrorsFile.text(of: model)),
            ("\(application)/Ground/Generated/InterfaceMethods.swift", ServiceFile.protocols(of: model)),
            ("\(application)/Service/Generated/InterfaceService+Methods.swift", ServiceFile.dispatch(of: model)),
            ("\(client)/InterfaceTypes.swift", ClientFile.aliases(of: model)),
            ("\(client)/PosternClient+Methods.swift", ClientFile.methods(of: model)),
            ("Tests/PosternInterfaceTests/Generated/SwiftTypes.swift", TestsFile.text(of: model)),
        ]
    }
}

/// Why no Swift can be generated for a description.
struct GeneratorError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

enum Files {
    static func text(of path: String) throws(GeneratorError) -> String {
        guard let file = fopen(path, "r") else { throw failure(path, "cannot be read") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw GeneratorError("\(path) is not UTF-8") }
        return text
    }

    static func write(_ text: String, to path: String) throws(GeneratorError) {
        guard let file = fopen(path, "w") else { throw failure(path, "cannot be written") }
        let bytes = Array(text.utf8)
        let isWhole = fwrite(bytes, 1, bytes.count, file) == bytes.count
        guard fclose(file) == 0, isWhole else { throw failure(path, "cannot be written") }
    }

    private static func failure(_ path: String, _ words: String) -> GeneratorError {
        GeneratorError("\(path) \(words): \(String(cString: strerror(errno))); run it in the root of the package")
    }
}
