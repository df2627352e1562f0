/// Lines of Swift, formatted as by `swift format`.
struct SwiftText {
    private static let width = 140
    private var lines: [String] = []
    private var depth = 0

    /// - Parameter imports: the modules that the file needs.
    init(imports: [String] = []) {
        line("// Generated from io.postern.varlink: change that, then run `swift run postern-interface-generator`.")
        line()
        guard !imports.isEmpty else { return }
        for module in imports { line("import \(module)") }
        line()
    }

    var text: String { lines.joined(separator: "\n") + "\n" }

    mutating func line(_ text: String = "") { lines.append(text.isEmpty ? "" : pad + text) }

    /// A line of the output, unchanged and without indentation.
    mutating func verbatim(_ text: String) { lines.append(text) }

    mutating func documentation(_ comment: [String]) {
        for text in comment { line(text.isEmpty ? "///" : "/// \(text)") }
    }

    mutating func block(_ head: String, _ body: (inout SwiftText) -> Void) {
        line("\(head) {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    /// Lines indented one step further, without braces.
    mutating func indented(_ body: (inout SwiftText) -> Void) {
        depth += 1
        body(&self)
        depth -= 1
    }

    func fits(_ text: String) -> Bool { pad.utf8.count + text.utf8.count <= Self.width }

    /// A list in brackets: on one line if it fits, otherwise filled into several.
    ///
    /// - Parameter trailingComma: whether the last item has a comma if the list has several lines, as array literals do.
    mutating func list(_ head: String, _ items: [String], _ tail: String, trailingComma: Bool = false) {
        let whole = head + items.joined(separator: ", ") + tail
        guard !fits(whole) else { return line(whole) }
        line(head)
        depth += 1
        var filled = ""
        for (index, item) in items.enumerated() {
            let isLast = index == items.count - 1
            let piece = item + (isLast && !trailingComma ? "" : ",")
            if !filled.isEmpty, !fits(filled + " " + piece) {
                line(filled)
                filled = ""
            }
            filled += filled.isEmpty ? piece : " " + piece
        }
        line(filled)
        depth -= 1
        line(tail)
    }

    /// A case of a switch with its value: on one line if they fit.
    mutating func row(_ pattern: String, _ opening: String, _ items: [String], _ closing: String) {
        let whole = "\(pattern) \(opening)\(items.joined(separator: ", "))\(closing)"
        guard !fits(whole) else { return line(whole) }
        line(pattern)
        indented { $0.list(opening, items, closing) }
    }

    /// As ``row(_:_:_:_:)`` for a tuple whose last item is an array literal, which has lines of its own if it does not fit into one.
    mutating func row(_ pattern: String, tuple items: [String], array: [String]) {
        let last = "[\(array.joined(separator: ", "))]"
        var inside = self
        inside.depth += 2
        guard !inside.fits(last) else { return row(pattern, "(", items + [last], ")") }
        line(pattern)
        indented { swift in
            swift.line("(")
            swift.indented { swift in
                swift.line(items.joined(separator: ", ") + ",")
                swift.list("[", array, "]", trailingComma: true)
            }
            swift.line(")")
        }
    }

    /// Cases of a switch that have one value: on one line if they fit.
    mutating func cases(_ patterns: [String], _ value: String) {
        let whole = "case \(patterns.joined(separator: ", ")): \(value)"
        guard !fits(whole) else { return line(whole) }
        var filled = "case"
        for (index, pattern) in patterns.enumerated() {
            let piece = " \(pattern)" + (index == patterns.count - 1 ? ":" : ",")
            if !fits(filled + piece) {
                line(filled)
                filled = "   "
            }
            filled += piece
        }
        line(filled)
        indented { $0.line(value) }
    }

    /// A function or property with one expression: on one line if it fits, else with its items filled into several.
    mutating func expression(_ head: String, _ opening: String, _ items: [String], _ closing: String, trailingComma: Bool = false) {
        let whole = "\(head) { \(opening)\(items.joined(separator: ", "))\(closing) }"
        // swift format takes a line of the greatest width as too long if it ends with a brace and began with none.
        guard !fits(whole + " ") else { return line(whole) }
        block(head) { $0.list(opening, items, closing, trailingComma: trailingComma) }
    }

    /// A function with a body.
    mutating func function(_ head: String, _ parameters: [String], _ tail: String = "", _ body: (inout SwiftText) -> Void) {
        list("\(head)(", parameters, ")\(tail) {")
        depth += 1
        body(&self)
        depth -= 1
        line("}")
    }

    private var pad: String { String(repeating: " ", count: depth * 4) }
}
