/// Splits an interface description into names, signs and comments.
struct DescriptionLexer {
    enum Token: Hashable {
        /// Letters, digits, `_`, `-` and `.`; what kind of name is allowed depends on the position.
        case name(String)
        /// One of `(`, `)`, `,`, `:`, `?`, `[`, `]`.
        case sign(Unicode.Scalar)
        case arrow
        case end

        var text: String {
            switch self {
            case .name(let name): "'\(name)'"
            case .sign(let sign): "'\(sign)'"
            case .arrow: "'->'"
            case .end: "the end of the text"
            }
        }
    }

    private var rest: Substring.UTF8View
    private(set) var token: Token = .end
    /// The line of `token`, from 1.
    private(set) var line = 1
    /// The comment lines directly above `token`, without an empty line between.
    private(set) var comment: [String] = []

    init(_ text: String) throws(InterfaceDescriptionError) {
        rest = text[...].utf8
        try advance()
    }

    mutating func advance() throws(InterfaceDescriptionError) {
        comment = []
        var newlines = 0
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "\n"):
                line += 1
                newlines += 1
                // An empty line separates a comment from what follows.
                if newlines > 1 { comment = [] }
                rest.removeFirst()
            case 0x20, 0x09, 0x0D:
                rest.removeFirst()
            case UInt8(ascii: "#"):
                let text = rest.prefix { $0 != UInt8(ascii: "\n") }
                rest.removeFirst(text.count)
                comment.append(Self.commentText(text))
                newlines = 0
            default:
                token = try nextToken(byte)
                return
            }
        }
        token = .end
    }

    private static func commentText(_ line: Substring.UTF8View) -> String {
        var text = line.dropFirst()
        if text.first == UInt8(ascii: " ") { text.removeFirst() }
        if text.last == UInt8(ascii: "\r") { text.removeLast() }
        return String(Substring(text))
    }

    private mutating func nextToken(_ byte: UInt8) throws(InterfaceDescriptionError) -> Token {
        if Self.isNameByte(byte), byte != UInt8(ascii: "-") {
            let name = rest.prefix(while: Self.isNameByte)
            // `Name->` has no blank before its arrow.
            let end = rest.dropFirst(name.count).first == UInt8(ascii: ">") && name.last == UInt8(ascii: "-") ? name.dropLast() : name
            rest.removeFirst(end.count)
            return .name(String(Substring(end)))
        }
        let sign = Unicode.Scalar(byte)
        switch byte {
        case UInt8(ascii: "-") where rest.dropFirst().first == UInt8(ascii: ">"):
            rest.removeFirst(2)
            return .arrow
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"),
            UInt8(ascii: "["), UInt8(ascii: "]"):
            rest.removeFirst()
            return .sign(sign)
        default:
            let found = Substring(rest).first.map(String.init) ?? String(sign)
            throw InterfaceDescriptionError(line: line, reason: .unexpectedCharacter(found))
        }
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
