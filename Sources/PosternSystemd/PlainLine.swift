import Glibc

/// An entry as one line of text: for a terminal, or a file.
struct PlainLine {
    /// The entry's fields that the line shows after the message: those that one would search for.
    private static let shownFields = ["POSTERN_PROVIDER", "POSTERN_SESSION"]

    /// In bytes, including the line feed. This much is written to a pipe in one piece, or not at all (pipe(7)).
    static let limit = Int(PIPE_BUF)

    let bytes: [UInt8]

    init(_ entry: LogEntry, program: String) {
        let word =
            switch entry.priority {
            case ...3: "error: "
            case 4: "warning: "
            case 5...6: ""
            default: "debug: "
            }
        let shown = Self.shownFields.compactMap { name in entry.fields.first { $0.name == name }?.value }
        let end = Self.obedient(shown.isEmpty ? "" : " [\(shown.joined(separator: " "))]", limit: Self.limit / 4) + [0x0A]
        let start = "\(program): \(word)"
        bytes = Array(start.utf8) + Self.obedient(entry.message, limit: Self.limit - start.utf8.count - end.count) + end
    }

    /// One line without control sequences for a terminal. If the text is too long, it ends with an ellipsis.
    static func obedient(_ text: String, limit: Int) -> [UInt8] {
        let ellipsis = Array("…".utf8)
        var bytes: [UInt8] = []
        // The length at which the ellipsis still fits.
        var fitting = 0
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .control {
                bytes += Array("\\u{\(String(scalar.value, radix: 16))}".utf8)
            } else {
                bytes += Array(String(scalar).utf8)
            }
            guard bytes.count <= limit else { return bytes.prefix(fitting) + ellipsis }
            if bytes.count + ellipsis.count <= limit { fitting = bytes.count }
        }
        return bytes
    }
}
