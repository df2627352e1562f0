import PosternClient
import PosternValues

/// What one `--data…` adds to a body, or with `--get` to the query.
struct CurlData: Equatable {
    var kind: CurlOption.DataKind
    var text: String

    /// As sent; nil if it is read from a file.
    private var encoded: String? {
        switch kind {
        case .raw: return text
        case .plain: return text.begins(with: "@") ? nil : text
        case .urlencoded:
            // All but the unreserved characters are encoded, as curl_easy_escape(3) says. curl's manual: CONTENT, =CONTENT, NAME=CONTENT, @FILE, NAME@FILE.
            guard let mark = text.unicodeScalars.firstIndex(where: { $0 == "=" || $0 == "@" }) else { return PercentEncoding.encode(text) }
            guard text.unicodeScalars[mark] == "=" else { return nil }
            let content = PercentEncoding.encode(String(text.after(mark)))
            return mark == text.startIndex ? content : "\(text[..<mark])=\(content)"
        }
    }

    /// The parts between ampersands, names and values decoded; nil if a part is read from a file.
    static func parameters(_ data: [CurlData]) -> [FormParameter]? {
        guard let body = joined(data) else { return nil }
        return body.parts(separator: "&").map { pair in
            let name = pair.before { $0 == "=" }
            return FormParameter(name: WebAddress.decode(name), value: WebAddress.decode(pair[name.endIndex...].rest(after: "=") ?? ""))
        }
    }

    /// Nil if it is read from a file, or contains characters that are not allowed in a URL.
    static func query(_ data: [CurlData]) -> String? {
        joined(data).flatMap { $0.utf8.allSatisfy(CurlURL.isPlain) ? $0 : nil }
    }

    private static func joined(_ data: [CurlData]) -> String? {
        let parts = data.map(\.encoded)
        return parts.contains(nil) ? nil : parts.compactMap { $0 }.joined(separator: "&")
    }
}
