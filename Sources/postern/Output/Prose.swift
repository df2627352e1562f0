/// Sentences on a terminal: they go over to the next line between words, as the terminal itself would not.
enum Prose {
    /// - Parameter width: nil, or one that is too small for any word, leaves the text as it is.
    static func lines(of text: String, width: Int?) -> [String] {
        guard let width, text.columns > width else { return [text] }
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
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

    /// What is reported as its own line. One that is set in is an address, a command or a picture, to be copied or looked at as it is.
    static func told(_ line: String, width: Int?) -> [String] {
        line.hasPrefix(" ") || line.utf8.contains(0x1B) ? [line] : lines(of: line, width: width)
    }
}
