extension Parser {
    /// - Parameter depth: the depth of the value itself, if it is a container.
    mutating func value(depth: Int) throws(TOMLParseError) -> TOMLValue {
        let position = scanner.position()
        let content: TOMLValue.Content
        switch scanner.peek() {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): content = .string(try string())
        case UInt8(ascii: "["): content = .array(try array(depth: depth))
        case UInt8(ascii: "{"): content = .table(try inlineTable(at: position, depth: depth))
        default: content = try scalar()
        }
        return TOMLValue(content: content, position: position)
    }

    /// `[ 1, 2 ]`; newlines, comments and a trailing comma are allowed.
    private mutating func array(depth: Int) throws(TOMLParseError) -> [TOMLValue] {
        guard depth <= depthLimit else { throw scanner.failure(.tooDeep(limit: depthLimit)) }
        let start = scanner.offset
        scanner.offset += 1
        var elements: [TOMLValue] = []
        while true {
            try skipToElement(from: start)
            if scanner.take("]") { return elements }
            elements.append(try value(depth: depth + 1))
            try skipToElement(from: start)
            guard scanner.take(",") || scanner.sees("]") else { throw scanner.failure(.expectedComma(in: "array")) }
        }
    }

    private mutating func skipToElement(from start: Int) throws(TOMLParseError) {
        repeat {
            scanner.skipBlanks()
            scanner.skipComment()
        } while scanner.takeNewline()
        if scanner.isAtEnd { throw scanner.failure(.unterminatedArray, at: start) }
    }

    /// `{ a = 1, b.c = 2 }`, on one line and without a trailing comma; nothing can be added to it later.
    private mutating func inlineTable(at position: TOMLPosition, depth: Int) throws(TOMLParseError) -> TOMLTable {
        guard depth <= depthLimit else { throw scanner.failure(.tooDeep(limit: depthLimit)) }
        let start = scanner.offset
        scanner.offset += 1
        let table = TableNode(origin: .header, position: position, depth: depth)
        try skipToMember(from: start)
        if scanner.take("}") { return table.finished() }
        while true {
            // Its dotted keys meet no others, so any section number will do.
            try keyAndValue(into: table, section: 0)
            try skipToMember(from: start)
            if scanner.take("}") { return table.finished() }
            guard scanner.take(",") else { throw scanner.failure(.expectedComma(in: "inline table")) }
            try skipToMember(from: start)
            if scanner.sees("}") { throw scanner.failure(.trailingCommaInInlineTable) }
        }
    }

    private mutating func skipToMember(from start: Int) throws(TOMLParseError) {
        scanner.skipBlanks()
        switch scanner.peek() {
        case nil: throw scanner.failure(.unterminatedInlineTable, at: start)
        case 0x0A, 0x0D, UInt8(ascii: "#"): throw scanner.failure(.newlineInInlineTable)
        default: return
        }
    }

    /// A value without quotes or brackets: a boolean, a number, a date or a time.
    private mutating func scalar() throws(TOMLParseError) -> TOMLValue.Content {
        let start = scanner.offset
        let word = takeWord()
        func failure(_ reason: TOMLParseError.Reason, _ scanner: inout Scanner) -> TOMLParseError { scanner.failure(reason, at: start) }
        guard let first = word.first else {
            let isMissing = scanner.peek().map { "\n\r#,]}=".utf8.contains($0) } ?? true
            throw failure(isMissing ? .expectedValue : .unknownWord, &scanner)
        }
        switch String(decoding: word, as: UTF8.self) {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        default: break
        }
        if DateTimeText.resembles(word) {
            guard let kind = DateTimeText.kind(of: word) else { throw failure(.invalidDateTime, &scanner) }
            return .dateTime(TOMLDateTime(kind: kind, text: String(decoding: word, as: UTF8.self)))
        }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            guard word.count <= NumberText.longest else { throw failure(.numberTooLong(limit: NumberText.longest), &scanner) }
            do throws(TOMLParseError.Reason) { return try NumberText.read(word) } catch { throw failure(error, &scanner) }
        default:
            if let special = NumberText.special(word) { return .float(special) }
            throw failure(.unknownWord, &scanner)
        }
    }

    /// All characters that can belong to such a value; a date and a time may have one space between them.
    private mutating func takeWord() -> ArraySlice<UInt8> {
        let start = scanner.offset
        func takeRun(_ scanner: inout Scanner) {
            while let byte = scanner.peek(), TOMLKey.isBareCharacter(byte) || [0x2B, 0x2E, 0x3A].contains(byte) { scanner.offset += 1 }
        }
        takeRun(&scanner)
        let isDate = DateTimeText.kind(of: scanner.bytes[start..<scanner.offset]) == .localDate
        if isDate, scanner.peek() == 0x20, let next = scanner.peek(1), UInt8(ascii: "0")...UInt8(ascii: "9") ~= next {
            scanner.offset += 1
            takeRun(&scanner)
        }
        return scanner.bytes[start..<scanner.offset]
    }
}
