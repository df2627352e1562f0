/// What an answer over HTTP means for a person, where it has no message of MCP.
enum AnswerSentence {
    /// To a request.
    static func of(_ answer: BridgeAnswer, isBeginning: Bool, era: Era) -> String {
        switch answer.status {
        case 200..<300 where answer.status != 202 && answer.status != 204:
            return switch answer.mediaType {
            case "application/json": "the server's answer is not a message of MCP that answers the request\(maybe)"
            case "text/event-stream": "the server's stream ended without the answer\(maybe)"
            default:
                "the server answered with \(type(of: answer)) instead of JSON or an event stream; the URL may not be that of its MCP endpoint\(maybe)"
            }
        case 202, 204: return "the server accepted the request (\(answer.status)) without answering it\(maybe)"
        case 300..<400:
            return
                "the server redirects (\(answer.status))\(target(of: answer)); only a redirect to below the configured URL is followed: configure the new URL"
        case 404 where isBeginning, 405 where isBeginning:
            return
                "the server does not offer Streamable HTTP at this URL (\(answer.status)); it may speak the old HTTP+SSE transport, which is not "
                + "supported: look for another URL of the server, often one that ends in /mcp"
        case 400 where era.isStateless, 404 where era.isStateless, 405 where era.isStateless:
            return "the server refuses the request (\(answer.status)); \(olderServer)"
        case 401:
            return "the server refuses even a new token (401); run `postern mcp check` for details"
        case 403: return "the server does not allow this account to make the request (403)"
        case 404: return "the server has nothing at this URL (404)"
        case 405: return "the server does not accept requests at this URL (405)"
        case 406, 415: return "the server accepts neither JSON nor an event stream (\(answer.status))"
        case 429: return "the server got too many requests (429); \(later(answer))"
        case 503: return "the server is not available (503); \(later(answer))"
        case 500..<600: return "the server failed (\(answer.status))\(maybe)"
        default: return "the server refuses the request (\(answer.status))"
        }
    }

    static let olderServer =
        "it seems to speak only revisions of MCP up to 2025-11-25; this client uses 2026-07-28, and the bridge does not "
        + "translate between them: set the client to the older revision"
    static let lost = "the server ended the session (404)"
    static let lostAgain = "the server ended the session (404), and the new one for this request as well"
    static let maybe = "; the request may have been carried out"

    private static func later(_ answer: BridgeAnswer) -> String {
        guard let seconds = answer.retryAfter else { return "try again later" }
        return "try again in \(seconds) second\(seconds == 1 ? "" : "s")"
    }

    private static func type(of answer: BridgeAnswer) -> String {
        let type = answer.mediaType
        guard !type.isEmpty, type.utf8.count <= 64, type.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return "something" }
        return type
    }

    /// Without the query, which may have a secret.
    private static func target(of answer: BridgeAnswer) -> String {
        guard let value = answer.values(of: "Location").first else { return "" }
        let url = value.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard url.count <= 512, url.allSatisfy({ 0x21...0x7E ~= $0 }), !url.contains(UInt8(ascii: "@")) else { return "" }
        return " to \(String(decoding: url, as: UTF8.self))"
    }
}

extension BridgeFailure {
    /// The message, and whether the request may have been carried out.
    public var sentence: String { kind == .interrupted && mayHaveReachedServer ? message + AnswerSentence.maybe : message }
}
