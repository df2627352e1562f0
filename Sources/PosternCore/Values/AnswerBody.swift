import StrictJSON

/// The body of a provider's answer, read as JSON.
enum AnswerBody {
    static func json(in body: [UInt8]) throws(AnswerBodyFlaw) -> JSON {
        do throws(JSONParseError) { return try JSON(parsing: body) } catch { throw isWebPage(body) ? .webPage : .notJSON(error) }
    }

    /// Whether it is HTML, whatever its media type says: many servers get that wrong.
    static func isWebPage(_ body: [UInt8]) -> Bool {
        // Far more than stands before the first tag that tells.
        let start = String(decoding: body.prefix(1024), as: UTF8.self).lowercased()
            .skipping { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        return ["<!doctype html", "<head", "<title", "<body", "<h1", "<!--"].contains { start.begins(with: $0) }
            || start.begins(with: "<") && start.holds("<html")
    }
}

/// Why a provider's answer is not JSON. The sentence continues after "is" or "are".
public enum AnswerBodyFlaw: Error, Sendable, Hashable, CustomStringConvertible {
    /// The page of a captive portal or a proxy, or of the provider itself for people.
    case webPage
    case notJSON(JSONParseError)

    public var description: String {
        switch self {
        case .webPage: "a web page (HTML), not JSON; is the URL right?"
        case .notJSON(let error): "\(error)"
        }
    }
}
