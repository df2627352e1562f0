import Foundation
import PosternInterface
import Testing

@testable import postern_interface_generator

@Suite("The description of the interface, and what is generated from it")
struct InterfaceDescriptionTests {
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func file(_ path: String) throws -> Data { try Data(contentsOf: package.appendingPathComponent(path)) }

    static let files: [String] =
        (try? Generator.files(from: String(decoding: file(Generator.description), as: UTF8.self)).map(\.path)) ?? []

    @Test("the text in the program is the file, byte for byte")
    func textIsFile() throws {
        #expect(Array(Interface.description.utf8) == Array(try Self.file(Generator.description)))
    }

    @Test("what is generated is what is in the tree; else: swift run postern-interface-generator", arguments: files)
    func generated(path: String) throws {
        let description = String(decoding: try Self.file(Generator.description), as: UTF8.self)
        let text = try #require(try Generator.files(from: description).first { $0.path == path }?.text)
        #expect(Array(text.utf8) == Array(try Self.file(path)), "\(path) is not what the description makes of it")
    }

    @Test("every file in a folder of generated ones is generated")
    func noOthers() throws {
        #expect(!Self.files.isEmpty)
        for folder in Set(Self.files.map { ($0 as NSString).deletingLastPathComponent }) {
            for name in try FileManager.default.contentsOfDirectory(atPath: Self.package.appendingPathComponent(folder).path) {
                #expect(Self.files.contains("\(folder)/\(name)"))
            }
        }
    }
}
