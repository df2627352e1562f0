/// A dotted key: where it leads, and the name it ends in.
struct KeyPath {
    var parents: [ParsedKey]
    var last: ParsedKey
}

extension Parser {
    /// `a."b c".d`, with blanks around it and around its full stops.
    mutating func keyPath() throws(TOMLParseError) -> KeyPath {
        var path = KeyPath(parents: [], last: try key())
        while scanner.take(".") {
            // Checked before reading on: a key of half a million parts is refused at the first that is too many.
            guard path.parents.count < depthLimit else { throw scanner.failure(.tooDeep(limit: depthLimit)) }
            path.parents.append(path.last)
            path.last = try key()
        }
        return path
    }

    private mutating func key() throws(TOMLParseError) -> ParsedKey {
        scanner.skipBlanks()
        let position = scanner.position()
        let bytes: [UInt8]
        switch scanner.peek() {
        case UInt8(ascii: "\""): bytes = try basicString()
        case UInt8(ascii: "'"): bytes = try literalString()
        default:
            let start = scanner.offset
            while let byte = scanner.peek(), TOMLKey.isBareCharacter(byte) { scanner.offset += 1 }
            guard scanner.offset > start else { throw scanner.failure(.expectedKey) }
            bytes = Array(scanner.bytes[start..<scanner.offset])
        }
        scanner.skipBlanks()
        return ParsedKey(bytes: bytes, position: position)
    }
}
