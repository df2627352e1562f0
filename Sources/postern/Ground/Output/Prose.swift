/// Sentences on a terminal, wrapped between words, which the terminal itself does not do.
enum Prose {
    /// - Parameter width: nil, or a width too small for any word, leaves the text unchanged.
    static func lines(of text: String, width: Int?) -> [String] {
        guard let width, text.columns > width else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.parts(separator: " ", omittingEmptySubsequences: false) {
            if lines.isEmpty, line.isEmpty {
                line = String(word)
            } else if line.columns + 1 + String(word).columns <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return lines + [line]
    }

    /// Text that is printed on its own line. An indented line is an address, a command or a picture, and is kept unchanged.
    static func wrapped(_ line: String, width: Int?) -> [String] {
        line.begins(with: " ") || line.utf8.contains(0x1B) ? [line] : lines(of: line, width: width)
    }
}
