import NIOCore
import NIOHTTP1
import PosternCore

/// A request that is safe to write: every part was checked, so that none can end its line and begin another.
struct RequestMessage {
    let url: EndpointURL
    private(set) var head: HTTPRequestHead
    let body: StreamedRequest.Body

    /// Without what is known late: see ``completed(for:userAgent:)``.
    static func of(_ request: StreamedRequest) -> Result<RequestMessage, ExchangeFailure> {
        do throws(ExchangeFailure) { return .success(try RequestMessage(request)) } catch { return .failure(error) }
    }

    private init(_ request: StreamedRequest) throws(ExchangeFailure) {
        url = try Self.url(request.url)
        // What follows the answer to a CONNECT is not HTTP.
        guard !request.method.isEmpty, request.method.utf8.allSatisfy(\.isTokenCharacter), request.method != "CONNECT" else {
            throw ExchangeFailure(.invalidRequest, "the method of a request to '\(url.host)' is not an HTTP method")
        }
        var headers = HTTPHeaders()
        headers.add(name: "Host", value: url.hostHeader)
        for (name, value) in request.headers { try Self.check(name: name, value: value, host: url.host) }
        for (name, value) in request.headers { headers.add(name: name, value: value) }
        head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: request.method), uri: url.requestTarget, headers: headers)
        body = request.body
    }

    func completed(for request: StreamedRequest, userAgent: String) -> Result<RequestMessage, ExchangeFailure> {
        var headers = head.headers
        for (name, value) in request.lateHeaders {
            do throws(ExchangeFailure) { try Self.check(name: name, value: value, host: url.host) } catch { return .failure(error) }
            headers.remove(name: name)
        }
        for (name, value) in request.lateHeaders { headers.add(name: name, value: value) }
        if !request.keepsConnection { headers.add(name: "Connection", value: "close") }
        if !headers.contains(name: "User-Agent") { headers.add(name: "User-Agent", value: userAgent) }
        switch body {
        case .streamed(nil): headers.add(name: "Transfer-Encoding", value: "chunked")
        case .streamed(let length?): headers.add(name: "Content-Length", value: String(max(0, length)))
        case .bytes(let bytes) where !bytes.isEmpty: headers.add(name: "Content-Length", value: String(bytes.count))
        // A server may wait for the body of a method that usually has one, so 0 is sent too.
        case .none, .bytes: if ["POST", "PUT", "PATCH"].contains(request.method) { headers.add(name: "Content-Length", value: "0") }
        }
        var message = self
        message.head.headers = headers
        return .success(message)
    }

    private static func url(_ text: String) throws(ExchangeFailure) -> EndpointURL {
        do throws(EndpointURLError) {
            return try EndpointURL(text, longest: URLPrefix.longestURL)
        } catch {
            if case .plainHTTP = error { throw ExchangeFailure(.plainHTTPRefused, "the URL of the request \(error)") }
            throw ExchangeFailure(.invalidURL, "the URL of the request \(error)")
        }
    }

    /// The headers that frame the message are set only here: two that disagree are used for request smuggling (RFC 9112 section 11.2).
    private static let framing = [
        "host", "connection", "content-length", "transfer-encoding", "expect", "upgrade", "te", "trailer",
    ]

    private static func check(name: String, value: String, host: String) throws(ExchangeFailure) {
        guard !name.isEmpty, name.bytesSatisfy(\.isTokenCharacter) else {
            throw ExchangeFailure(.invalidRequest, "a header of the request to '\(host)' has no valid name")
        }
        guard !framing.contains(where: name.isEqualIgnoringCase) else {
            throw ExchangeFailure(.invalidRequest, "the header '\(name)' of the request to '\(host)' cannot be set by the caller")
        }
        // Visible characters, spaces and tabs (RFC 9110 section 5.5). The value may be secret and is not shown.
        guard value.bytesSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }) else {
            throw ExchangeFailure(.invalidRequest, "the header '\(name)' of the request to '\(host)' holds a control character")
        }
    }
}

extension EndpointURL {
    /// An IPv6 address in brackets.
    var bracketedHost: String { host.unicodeScalars.contains(":") ? "[\(host)]" : host }

    /// RFC 9110 section 7.2: the port only if it is not the scheme's default.
    var hostHeader: String { explicitPort == nil || port == (scheme == .https ? 443 : 80) ? bracketedHost : "\(bracketedHost):\(port)" }

    /// RFC 9112 section 3.2.1: at least a slash.
    var requestTarget: String { (path.isEmpty ? "/" : path) + (query.map { "?\($0)" } ?? "") }
}
