import Foundation
import PosternInterface
import Testing

/// The file of the interface's description, beside the sources that stand for it.
func descriptionFile(_ here: String = #filePath) throws -> [UInt8] {
    let package = URL(fileURLWithPath: here).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return Array(try Data(contentsOf: package.appendingPathComponent("Sources/PosternInterface/io.postern.varlink")))
}

@Suite("The description of the interface")
struct InterfaceDescriptionTests {
    @Test("the text in the program is the file, byte for byte")
    func textIsFile() throws {
        #expect(Array(Interface.description.utf8) == (try descriptionFile()))
    }
}
