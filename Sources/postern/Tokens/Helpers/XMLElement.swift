/// A small subset of XML 1.0: elements, attributes and text, as in responses of web services.
///
/// No document type, so only the five predefined entities; no comments, CDATA sections or processing instructions. A document with any of
/// these is refused.
struct XMLElement: Equatable {
    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
    /// All text of the element itself.
    var text = ""

    /// The only child of that name; nil if there is none, or more than one.
    func child(_ name: String) -> XMLElement? {
        let found = children.filter { $0.name == name }
        return found.count == 1 ? found[0] : nil
    }

    /// The text of the only child of that name, if it contains only text.
    func childText(_ name: String) -> String? {
        guard let child = child(name), child.children.isEmpty, !child.text.isEmpty else { return nil }
        return child.text
    }

    /// Parses a document. Nil if any part of it is not understood.
    init?(document: [UInt8]) {
        guard document.count <= XMLParser.sizeLimit, let text = String(validating: document, as: UTF8.self) else { return nil }
        var parser = XMLParser(Array(text.unicodeScalars))
        guard let root = parser.document() else { return nil }
        self = root
    }

    fileprivate init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }
}

private struct XMLParser {
    static let sizeLimit = 64 * 1024
    private static let depthLimit = 16

    private let scalars: [Unicode.Scalar]
    private var next = 0

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func document() -> XMLElement? {
        skipSpace()
        if take("<?xml ") {
            while next < scalars.count, scalars[next] != "?" { next += 1 }
            guard take("?>") else { return nil }
        }
        skipSpace()
        guard let root = element(depth: 1) else { return nil }
        skipSpace()
        return next == scalars.count ? root : nil
    }

    private mutating func element(depth: Int) -> XMLElement? {
        guard depth <= Self.depthLimit, take("<"), let name = name(), let attributes = attributes() else { return nil }
        var element = XMLElement(name: name, attributes: attributes)
        if take("/>") { return element }
        guard take(">") else { return nil }
        while true {
            guard let text = text(until: "<") else { return nil }
            element.text += text
            if take("</") {
                guard self.name() == name else { return nil }
                skipSpace()
                return take(">") ? element : nil
            }
            guard let child = self.element(depth: depth + 1) else { return nil }
            element.children.append(child)
        }
    }

    private mutating func attributes() -> [String: String]? {
        var attributes: [String: String] = [:]
        while true {
            let hasSpace = skipSpace()
            guard next < scalars.count else { return nil }
            if scalars[next] == ">" || scalars[next] == "/" { return attributes }
            guard hasSpace, let name = name(), attributes[name] == nil, take("="), let quote = scalars[safe: next],
                quote == "\"" || quote == "'"
            else { return nil }
            next += 1
            guard let value = text(until: quote) else { return nil }
            next += 1
            attributes[name] = value
        }
    }

    /// ASCII letters, digits and the punctuation of names; prefixes are part of the name.
    private mutating func name() -> String? {
        var name = String.UnicodeScalarView()
        while let scalar = scalars[safe: next], scalar.isASCII,
            scalar.properties.isAlphabetic || "0123456789-_.:".unicodeScalars.contains(scalar)
        {
            name.append(scalar)
            next += 1
        }
        return name.isEmpty || "0123456789-.".unicodeScalars.contains(name[name.startIndex]) ? nil : String(name)
    }

    /// Text up to the given character, which is not consumed; a bare `<` is refused.
    private mutating func text(until end: Unicode.Scalar) -> String? {
        var text = String.UnicodeScalarView()
        while let scalar = scalars[safe: next] {
            if scalar == end { return String(text) }
            if scalar == "<" { return nil }
            next += 1
            if scalar == "&" {
                guard let meant = reference() else { return nil }
                text.append(meant)
            } else {
                text.append(scalar)
            }
        }
        return nil
    }

    /// The text after `&`.
    private mutating func reference() -> Unicode.Scalar? {
        for (name, scalar) in [("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'")] as [(String, Unicode.Scalar)]
        where take(name) { return scalar }
        guard take("#") else { return nil }
        let radix = take("x") ? 16 : 10
        var digits = ""
        while let scalar = scalars[safe: next], scalar.isASCII, scalar.properties.isASCIIHexDigit, digits.count < 7 {
            digits.unicodeScalars.append(scalar)
            next += 1
        }
        guard take(";"), let value = UInt32(digits, radix: radix), value > 0 else { return nil }
        return Unicode.Scalar(value)
    }

    @discardableResult private mutating func skipSpace() -> Bool {
        let start = next
        while let scalar = scalars[safe: next], scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" { next += 1 }
        return next > start
    }

    private mutating func take(_ text: String) -> Bool {
        var end = next
        for scalar in text.unicodeScalars {
            guard scalars[safe: end] == scalar else { return false }
            end += 1
        }
        next = end
        return true
    }
}

extension Array {
    fileprivate subscript(safe index: Int) -> Element? { index < count ? self[index] : nil }
}
