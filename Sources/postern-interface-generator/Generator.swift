import Glibc

/// Writes the Swift that stands for an interface: `swift run postern-interface-generator`, in the root of the package.
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

    /// Every file that is generated, by its path in the package.
    static func files(from text: String) throws(GeneratorError) -> [(path: String, text: String)] {
        let model = try InterfaceModel(text)
        let (interface, client) = ("Sources/PosternInterface/Generated", "Sources/PosternClient/Generated")
        return [
            ("\(interface)/Interface+Description.swift", DescriptionFile.text(of: model)),
            ("\(interface)/Interface+Types.swift", TypesFile.text(of: model)),
            ("\(interface)/Interface+Methods.swift", MethodsFile.text(of: model)),
            ("\(interface)/InterfaceError.swift", ErrorsFile.text(of: model)),
            ("\(interface)/InterfaceMethods.swift", ServiceFile.text(of: model)),
            ("\(client)/InterfaceTypes.swift", ClientFile.aliases(of: model)),
            ("\(client)/PosternClient+Methods.swift", ClientFile.methods(of: model)),
            ("Tests/PosternInterfaceTests/Generated/SwiftTypes.swift", TestsFile.text(of: model)),
        ]
    }
}

/// Why there is no Swift for a description.
struct GeneratorError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
