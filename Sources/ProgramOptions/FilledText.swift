/// Text whose words are put into lines of a given width.
///
/// It is made of bytes: a string for each word, and counting its characters, took longer than all else that a request for help does.
struct FilledText {
    private var bytes: [UInt8] = []
    /// The number of characters in the last line.
    private(set) var column = 0

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ text: String) { append(Array(text.utf8)[...]) }

    mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        column = 0
    }

    /// Appends a whole line.
    mutating func line(_ text: String = "") {
        append(text)
        endLine()
    }

    /// Appends spaces up to a column.
    mutating func indent(to place: Int) {
        while column < place { space() }
    }

    /// Appends paragraphs. Indented lines are kept, others are filled.
    mutating func paragraphs(_ text: String, width: Int) {
        for line in Array(text.utf8).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty || line.first == UInt8(ascii: " ") {
                append(line)
                endLine()
            } else {
                fill(Self.words(of: line), width, indent: 0)
            }
        }
    }

    /// Appends words from the present column on.
    ///
    /// - Parameter indent: of the further lines.
    mutating func fill(_ text: String, width: Int, indent: Int) { fill(Self.words(of: Array(text.utf8)[...]), width, indent: indent) }

    /// Appends parts, each of which stays on one line.
    mutating func fill(parts: [String], width: Int, indent: Int) { fill(parts.map { Array($0.utf8)[...] }, width, indent: indent) }

    private mutating func fill(_ parts: [ArraySlice<UInt8>], _ width: Int, indent: Int) {
        for (index, part) in parts.enumerated() {
            if index > 0, column + 1 + Self.count(part) <= width {
                space()
            } else if index > 0 {
                endLine()
                self.indent(to: indent)
            }
            append(part)
        }
        endLine()
    }

    private mutating func space() {
        bytes.append(UInt8(ascii: " "))
        column += 1
    }

    private mutating func append(_ text: ArraySlice<UInt8>) {
        bytes += text
        column += Self.count(text)
    }

    private static func words(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] { text.split(separator: UInt8(ascii: " ")) }

    /// The number of characters: each has one byte that continues no other.
    private static func count(_ text: ArraySlice<UInt8>) -> Int { text.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 } }
}
