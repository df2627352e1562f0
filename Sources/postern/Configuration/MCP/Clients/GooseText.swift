import StrictJSON

/// goose's `config.yaml`, to which extensions are added as lines; nothing in it is changed.
///
/// There is no reader of YAML for that, and none is needed: what begins in the first column of a block mapping is a key of the whole, since
/// the parts of every value are indented. Everything else than that is refused.
enum GooseText {
    /// To paste.
    static func block(_ entries: [MCPClient.Entry]) -> String {
        (["extensions:"] + entries.flatMap { lines($0, indent: 2) }).map { $0 + "\n" }.joined()
    }

    private static func lines(_ entry: MCPClient.Entry, indent: Int) -> [String] {
        let (key, member) = (String(repeating: " ", count: indent), String(repeating: " ", count: indent + 2))
        return [key + scalar(entry.key) + ":"]
            + [
                "name: " + scalar(entry.key), "type: stdio", "enabled: true", "cmd: " + scalar(entry.program),
                "args: [" + entry.bridge.map(scalar).joined(separator: ", ") + "]", "timeout: 300",
            ].map { member + $0 }
    }

    /// As it is where nothing else can be meant; else quoted as in JSON.
    private static func scalar(_ text: String) -> String {
        let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]
        let first = text.utf8.first.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || $0 == UInt8(ascii: "/") } ?? false
        let isPlain = text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || "-_./".utf8.contains(byte)
        }
        return first && isPlain && !words.contains(text.lowercased()) ? text : JSON.string(text).text
    }

    // MARK: The file

    /// - Throws: why it cannot be done, as the end of a sentence that begins with the file.
    static func adding(_ entries: [MCPClient.Entry], to bytes: [UInt8]) throws(JSONText.Obstacle) -> [UInt8] {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw JSONText.Obstacle("is not UTF-8") }
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        let endsWithLine = lines.last == ""
        if endsWithLine { lines.removeLast() }
        try check(lines)
        let keys = lines.indices.filter { key(of: lines[$0], indent: 0) == "extensions" }
        guard keys.count < 2 else { throw JSONText.Obstacle("has extensions twice") }
        guard let start = keys.first else {
            if entries.isEmpty { return bytes }
            let before = bytes.isEmpty || endsWithLine ? bytes : bytes + [0x0A]
            return before + Array(block(entries).utf8)
        }
        switch value(of: lines[start]) {
        case "": break
        case "{}": lines[start] = "extensions:"
        default: throw JSONText.Obstacle("has extensions in a form that is not understood")
        }
        let end = lines[(start + 1)...].firstIndex { isKey($0) && indent(of: $0) == 0 } ?? lines.endIndex
        let inner = lines[(start + 1)..<end].filter(isKey)
        let column = inner.first.map(indent) ?? 2
        guard inner.allSatisfy({ indent(of: $0) > column || key(of: $0, indent: column) != nil }) else {
            throw JSONText.Obstacle("has extensions in a form that is not understood")
        }
        var added: [String] = []
        for entry in entries {
            guard let place = lines[(start + 1)..<end].firstIndex(where: { key(of: $0, indent: column) == entry.key }) else {
                added += Self.lines(entry, indent: column)
                continue
            }
            let rest = lines[(place + 1)..<end]
            let mine = rest[..<(rest.firstIndex { isKey($0) && indent(of: $0) <= column } ?? end)]
            guard isOurs(mine, entry) else { throw MCPClient.taken(entry.key) }
        }
        if added.isEmpty { return bytes }
        lines.insert(contentsOf: added, at: start + 1)
        return Array((lines.joined(separator: "\n") + (endsWithLine ? "\n" : "")).utf8)
    }

    static func difference(_ before: [UInt8], _ after: [UInt8]) -> [String] {
        func lines(_ bytes: [UInt8]) -> [String] {
            String(decoding: bytes, as: UTF8.self).unicodeScalars.split(separator: "\n").map { String($0) }
        }
        var rest = lines(before)[...]
        return lines(after).filter { line in
            guard line == rest.first else { return true }
            rest.removeFirst()
            return false
        }.map { "+ \($0)" }
    }

    /// The file is one block mapping, and has no line that a reader of lines could take for another.
    private static func check(_ lines: [String]) throws(JSONText.Obstacle) {
        for (number, line) in lines.enumerated() where isKey(line) && indent(of: line) == 0 {
            if line == "---", !lines[..<number].contains(where: isKey) { continue }
            guard key(of: line, indent: 0) != nil else {
                throw JSONText.Obstacle("is in a form of YAML that is not understood (line \(number + 1))")
            }
        }
        guard !lines.contains(where: { $0.utf8.contains(0x0D) || $0.utf8.first == 0x09 }) else {
            throw JSONText.Obstacle("has tabs or line ends of another system")
        }
    }

    /// Neither blank nor a comment.
    private static func isKey(_ line: String) -> Bool {
        guard let first = line.utf8.first(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { return false }
        return first != UInt8(ascii: "#")
    }

    private static func indent(of line: String) -> Int { line.utf8.prefix { $0 == 0x20 }.count }

    /// `key` of `key:` and `"key": value`, if it begins in that column.
    private static func key(of line: String, indent: Int) -> String? {
        guard isKey(line), Self.indent(of: line) == indent, let colon = colon(in: line) else { return nil }
        let text = String(line.utf8.dropFirst(indent).prefix(colon - indent)) ?? ""
        return unquoted(text)
    }

    private static func value(of line: String) -> String {
        guard let colon = colon(in: line) else { return "" }
        let rest = String(line.utf8.dropFirst(colon + 1)) ?? ""
        return rest.utf8.allSatisfy { $0 == 0x20 } ? "" : trimmed(rest)
    }

    /// Of a plain or quoted key. A sequence, an anchor, a tag and a flow collection begin with what no key here does.
    private static func colon(in line: String) -> Int? {
        let bytes = Array(line.utf8)
        var index = indent(of: line)
        guard index < bytes.count,
            !"-[]{},&*!|>%@`?:".utf8.contains(bytes[index]) || bytes[index] == UInt8(ascii: "-") && isWord(bytes, index + 1)
        else { return nil }
        if bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") {
            guard let end = bytes[(index + 1)...].firstIndex(of: bytes[index]) else { return nil }
            index = end + 1
        }
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: ":"), index + 1 == bytes.count || bytes[index + 1] == 0x20 { return index }
            if bytes[index] == UInt8(ascii: "#"), bytes[index - 1] == 0x20 { return nil }
            index += 1
        }
        return nil
    }

    private static func isWord(_ bytes: [UInt8], _ index: Int) -> Bool {
        index < bytes.count && bytes[index] != 0x20 && bytes[index] != 0x2D
    }

    private static func unquoted(_ text: String) -> String {
        let text = trimmed(text)
        if text.begins(with: "\"") { return (try? JSON(parsing: Array(text.utf8)))?.stringValue ?? text }
        if text.begins(with: "'"), text.ends(with: "'"), text.utf8.count > 1 { return String(text.utf8.dropFirst().dropLast()) ?? text }
        return text
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8.drop { $0 == 0x20 }
        return String(decoding: bytes.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
    }

    /// Whether an extension starts the bridge for this server, as it is written here or as goose itself writes it.
    private static func isOurs(_ lines: ArraySlice<String>, _ entry: MCPClient.Entry) -> Bool {
        let keys = lines.filter(isKey)
        let values = keys.map { line in key(of: line, indent: indent(of: line)).map { ($0, unquoted(value(of: line))) } }
        guard values.contains(where: { $0?.0 == "cmd" && $0?.1 == entry.program }) else { return false }
        let list = "[" + entry.bridge.map(scalar).joined(separator: ", ") + "]"
        if values.contains(where: { $0?.0 == "args" && $0?.1 == list }) { return true }
        guard let start = values.firstIndex(where: { $0?.0 == "args" && $0?.1 == "" }) else { return false }
        let items = keys[(start + 1)...].map(trimmed).prefix { $0.begins(with: "- ") }.map { unquoted(String($0.utf8.dropFirst(2)) ?? "") }
        return items == entry.bridge
    }
}
