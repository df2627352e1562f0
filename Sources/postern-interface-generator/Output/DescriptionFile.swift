enum DescriptionFile {
    static func text(of model: InterfaceModel) -> String {
        var swift = SwiftText()
        swift.block("extension Interface") { swift in
            swift.line("public static let name = \"\(model.name)\"")
            swift.line()
            swift.documentation([
                "`\(model.name).varlink`, byte for byte: what `org.varlink.service.GetInterfaceDescription` answers.", "",
                "A literal and not a resource: a program that speaks the interface needs no file beside it.",
            ])
            swift.line("public static let description = #\"\"\"")
            // The literal has a line feed after each line but the last; the file has one after its last line, too.
            for line in model.description.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map(Substring.init) {
                swift.verbatim(line.isEmpty ? "" : "        \(line)")
            }
            swift.line("    \"\"\"#")
        }
        return swift.text
    }
}
