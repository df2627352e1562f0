/// The head of a response as curl writes it with `--dump-header`.
struct CurlHead {
    /// A longer one is not read to its end, in bytes: the response is then just passed on.
    static let longest = 64 * 1024

    private let lines: [Substring]
    /// A blank line has followed the status of a final response (RFC 9110 section 15.2: 1xx are not).
    let isComplete: Bool

    /// - Parameter bytes: those of all responses. The first one counts: it is that of the server that got the token, and a redirect may have
    ///   led elsewhere since.
    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        var last: [Substring] = []
        var isComplete = false
        // The text after the last line feed is not a line yet.
        for line in text.parts(separator: "\n", omittingEmptySubsequences: false).dropLast().map({
            $0.ends(with: "\r") ? Substring($0.utf8.dropLast()) : $0
        }) {
            if line.begins(with: "HTTP/") {
                last = [line]
            } else if !line.isEmpty {
                last.append(line)
            } else if let status = last.first, Self.status(status) >= 200 {
                isComplete = true
                break
            }
        }
        lines = last
        self.isComplete = isComplete
    }

    /// The server refused the token, the proof beside it, or what the token is good for. What it demands is for the daemon to read.
    var isRefusal: Bool { isUnauthorized || isComplete && status == 403 && !challenges.isEmpty }

    /// Another token, or a proof with a nonce, may be accepted.
    var isUnauthorized: Bool { isComplete && status == 401 }

    /// The values of `WWW-Authenticate`.
    var challenges: [String] { fields("www-authenticate") }

    /// The nonce for the next proof (RFC 9449 section 9).
    var nonce: String? { fields("dpop-nonce").last.flatMap { $0.isEmpty ? nil : $0 } }

    private var status: Int { lines.first.map(Self.status) ?? 0 }

    private func fields(_ name: String) -> [String] {
        lines.dropFirst().compactMap { line in
            guard let colon = line.unicodeScalars.firstIndex(of: ":"), line[..<colon].lowercased() == name else { return nil }
            let value = line.after(colon).skipping { $0 == " " || $0 == "\t" }.unicodeScalars
            return value.lastIndex { $0 != " " && $0 != "\t" }.map { String(value[...$0]) } ?? ""
        }
    }

    private static func status(_ line: Substring) -> Int {
        let words = line.parts(separator: " ", maxSplits: 2)
        return words.count > 1 ? Int(words[1]) ?? 0 : 0
    }
}
