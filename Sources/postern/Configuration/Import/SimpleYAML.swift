import PosternClient

/// The part of YAML that programs write for nested settings: mappings by indentation, and scalars on the line of their key. Everything else
/// is refused, so that nothing is read in another way than its author's library does.
enum SimpleYAML {
    typealias Key = (key: String, line: Int)
    typealias Mapping = [(key: Key, value: Value)]

    indirect enum Value {
        case nothing
        case text(String)
        case mapping(Mapping)
    }

    static let deepest = 8

    static func parse(_ text: String) throws(ForeignFileError) -> Mapping {
        var reader = Reader(try lines(of: text))
        let mapping = try reader.mapping(indent: 0, depth: 1)
        guard reader.next == nil else { throw reader.failure("the indentation fits no line above") }
        return mapping
    }

    private struct Line {
        var number: Int
        var indent: Int
        var content: [Unicode.Scalar]
    }

    private static func lines(of text: String) throws(ForeignFileError) -> [Line] {
        var lines: [Line] = []
        for (index, part) in text.parts(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            var scalars = Array(part.unicodeScalars)
            if scalars.last == "\r" { scalars.removeLast() }
            guard scalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw ForeignFileError("line \(index + 1): a tab or a control character")
            }
            let indent = scalars.prefix { $0 == " " }.count
            let content = Array(scalars.dropFirst(indent))
            if content.isEmpty || content.first == "#" { continue }
            if lines.isEmpty, String(String.UnicodeScalarView(content)) == "---" { continue }
            lines.append(Line(number: index + 1, indent: indent, content: content))
        }
        return lines
    }

    private struct Reader {
        private let lines: [Line]
        private var place = 0

        init(_ lines: [Line]) { self.lines = lines }

        var next: Line? { place < lines.count ? lines[place] : nil }

        func failure(_ words: String) -> ForeignFileError { ForeignFileError("line \(next?.number ?? lines.last?.number ?? 1): \(words)") }

        mutating func mapping(indent: Int, depth: Int) throws(ForeignFileError) -> Mapping {
            guard depth <= deepest else { throw failure("nested more than \(deepest) deep") }
            var mapping: Mapping = []
            while let line = next, line.indent == indent {
                var rest = line.content[...]
                let key = try scalar(&rest, isKey: true)
                guard rest.first == ":", rest.count == 1 || rest.dropFirst().first == " " else {
                    throw failure("a key and a colon are missing")
                }
                rest = rest.dropFirst().drop { $0 == " " }
                guard !mapping.contains(where: { $0.key.key == key }) else { throw failure("a key appears twice") }
                let isEmpty = rest.isEmpty || rest.first == "#"
                let value = try isEmpty ? Value.nothing : self.value(rest)
                place += 1
                if let below = next, below.indent > indent {
                    guard isEmpty else { throw failure("the indentation fits no line above") }
                    mapping.append(((key, line.number), .mapping(try self.mapping(indent: below.indent, depth: depth + 1))))
                } else {
                    mapping.append(((key, line.number), value))
                }
            }
            return mapping
        }

        private func value(_ content: ArraySlice<Unicode.Scalar>) throws(ForeignFileError) -> Value {
            var rest = content
            let isQuoted = rest.first == "\"" || rest.first == "'"
            let text: String
            if rest.starts(with: "{}".unicodeScalars) {
                rest = rest.dropFirst(2)
                text = "~"
            } else {
                text = try scalar(&rest, isKey: false)
            }
            rest = rest.drop { $0 == " " }
            guard rest.isEmpty || rest.first == "#" else { throw failure("something follows the value") }
            if !isQuoted, ["~", "null", "Null", "NULL"].contains(text) { return .nothing }
            return .text(text)
        }

        /// Takes a plain or quoted scalar from the beginning.
        private func scalar(_ rest: inout ArraySlice<Unicode.Scalar>, isKey: Bool) throws(ForeignFileError) -> String {
            guard let first = rest.first else { throw failure("a value is missing") }
            if first == "\"" || first == "'" { return try quoted(&rest, by: first) }
            // Lists, blocks, anchors, tags and what else a plain scalar cannot begin with.
            guard !"[]{},&*!|>%@`?-:#".unicodeScalars.contains(first) else { throw failure("this form of YAML is not read") }
            var text = String.UnicodeScalarView()
            while let scalar = rest.first {
                let after = rest.dropFirst().first
                if scalar == ":", after == nil || after == " " {
                    guard isKey else { throw failure("this form of YAML is not read") }
                    break
                }
                if scalar == " ", after == "#" { break }
                text.append(scalar)
                rest = rest.dropFirst()
            }
            while text.last == " " { text.removeLast() }
            return String(text)
        }

        private func quoted(_ rest: inout ArraySlice<Unicode.Scalar>, by mark: Unicode.Scalar) throws(ForeignFileError) -> String {
            var text = String.UnicodeScalarView()
            rest = rest.dropFirst()
            while let scalar = rest.first {
                rest = rest.dropFirst()
                if scalar == mark {
                    guard mark == "'", rest.first == "'" else { return String(text) }
                    rest = rest.dropFirst()
                } else if mark == "\"", scalar == "\\" {
                    guard let escaped = rest.first, escaped == "\"" || escaped == "\\" else { throw failure("this escape is not read") }
                    text.append(escaped)
                    rest = rest.dropFirst()
                    continue
                }
                text.append(scalar)
            }
            throw failure("a string is not closed")
        }
    }
}
