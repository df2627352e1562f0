import LoopbackHTTP
import PosternValues
import StrictJSON

extension ServerRequest {
    /// Browsers accept HTML explicitly; curl accepts anything.
    var wantsPage: Bool { header("Accept")?.lowercased().holds("text/html") == true }
}

extension ServerResponse {
    static func json(_ object: JSONObject, status: Int = 200, headers: [(name: String, value: String)] = []) -> ServerResponse {
        ServerResponse(status: status, headers: [("Content-Type", "application/json")] + headers, body: object.serialized)
    }

    static func error(_ error: OAuthError) -> ServerResponse {
        json(error.json, status: error.status, headers: error.challenge.map { [("WWW-Authenticate", $0)] } ?? [])
    }

    static func page(_ page: Page) -> ServerResponse {
        ServerResponse(
            status: page.status,
            headers: [("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", page.contentSecurityPolicy)],
            body: Array(page.html.utf8))
    }

    static func text(_ text: String, status: Int = 200) -> ServerResponse {
        ServerResponse(status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }

    /// 303: the browser continues with GET, whatever the method was (RFC 9700 section 4.12).
    static func redirect(to uri: String) -> ServerResponse {
        ServerResponse(status: 303, headers: [("Location", uri)])
    }

    static func asset(_ text: String, type: String) -> ServerResponse {
        ServerResponse(
            status: 200,
            headers: [("Content-Type", type), ("Cache-Control", "max-age=3600"), ("Content-Security-Policy", "default-src 'none'")],
            body: Array(text.utf8))
    }

    static func wrongMethod(allowed: String) -> ServerResponse {
        ServerResponse(
            status: 405, headers: [("Allow", allowed), ("Content-Type", "text/plain; charset=utf-8")], body: Array("use \(allowed)\n".utf8))
    }
}
