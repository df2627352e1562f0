import Glibc

/// An entry as one line of text: for a terminal, or a file that somebody reads.
struct PlainLine {
    /// What the line says of its entry's fields, behind the message: by these words somebody would look for it.
    private static let shownFields = ["POSTERN_PROVIDER", "POSTERN_SESSION"]

    /// In bytes, the line feed among them. So much goes into a pipe in one piece, or not at all (pipe(7)).
    static let limit = Int(PIPE_BUF)

    let bytes: [UInt8]

    init(_ entry: LogEntry, program: String) {
        let word =
            switch entry.level {
            case .error: "error: "
            case .warning: "warning: "
            case .notice, .info: ""
            case .debug: "debug: "
            }
        let shown = Self.shownFields.compactMap { name in entry.fields.first { $0.name == name }?.value }
        let end = Self.obedient(shown.isEmpty ? "" : " [\(shown.joined(separator: " "))]", limit: Self.limit / 4) + [0x0A]
        let start = "\(program): \(word)"
        bytes = Array(start.utf8) + Self.obedient(entry.message, limit: Self.limit - start.utf8.count - end.count) + end
    }

    /// A line of the log is one line, and no terminal obeys it. What is too long ends with an ellipsis.
    static func obedient(_ text: String, limit: Int) -> [UInt8] {
        let ellipsis = Array("…".utf8)
        var bytes: [UInt8] = []
        // Where the ellipsis still fits.
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
