/// The Swift types by their names in the description, for the tests that compare the two.
enum TestsFile {
    static func text(of model: InterfaceModel) -> String {
        var swift = SwiftText(imports: ["PosternInterface", "StrictJSON"])
        swift.block("enum SwiftTypes") { swift in
            let names = model.structures.map(\.name) + model.enumerations.map(\.name)
            swift.list(
                "static let types: [String: any JSONConvertible.Type] = [", names.map { "\"\($0)\": Interface.\($0).self" }, "]",
                trailingComma: true)
            swift.line()
            swift.list(
                "static let parameters: [any MethodParameters.Type] = [", model.methods.map { "Interface.\($0.name).self" }, "]",
                trailingComma: true)
        }
        return swift.text
    }
}
