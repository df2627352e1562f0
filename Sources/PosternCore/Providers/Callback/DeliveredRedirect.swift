/// A whole redirect URL that did not arrive by HTTP: from a custom scheme's handler, or pasted by a user who copied it from the address bar
/// of a browser on another machine.
public struct DeliveredRedirect: Sendable {
    /// HTTP accepts an authorization response of 8 KiB; the rest is room for what surrounds a paste.
    public static let maximumBytes = 16 * 1024

    /// The URL up to its query or fragment, byte for byte, to be compared with the redirect URI that was sent.
    public let redirectURI: String
    /// The same for the link in it, if there is one (``linkNames``).
    public let linkedURI: String?
    public let callback: LoopbackCallback

    /// Where a sign-in may have expected it, as ``SignInSession/awaits(answerAt:)`` takes it, the likeliest first.
    ///
    /// A link is compared whole: nobody had it in an address bar, so no tunnel changed it.
    public var places: [String] { [Self.place(of: redirectURI)] + [linkedURI].compactMap(\.self) }

    /// Parses `http://127.0.0.1:7678/__/auth/handler?…`, `com.example.app:/path?…`, or the same with the answer in the fragment.
    ///
    /// Surrounding white space is removed, and one pair of quotation marks or angle brackets, which are often copied as well. If there is a
    /// query, the fragment is ignored: Facebook appends `#_=_` to every answer.
    public init(parsing text: String) throws(CallbackParseError) {
        guard text.utf8.count <= Self.maximumBytes else { throw .tooLong(limit: Self.maximumBytes) }
        let url = Self.unwrapped(Array(text.utf8)[...])
        let outer = try Part(url)
        redirectURI = outer.uri
        var answer = outer.parameters
        var linkedURI: String?
        // An http URL is from a browser's address bar, and is the answer itself.
        if !outer.isWeb {
            for name in Self.linkNames {
                // An answer with a state means this answer and no other.
                guard answer.state == nil, let link = answer[name] else { continue }
                let inner = try Part(link.revealBytes()[...])
                guard inner.isWeb else { throw .notARedirectURL }
                (linkedURI, answer) = (inner.uri, inner.parameters)
            }
        }
        self.linkedURI = linkedURI
        callback = LoopbackCallback(path: outer.path, parameters: answer, method: .delivered)
    }

    /// The parameters in which Firebase's redirects contain the answer's own URL, outermost first:
    /// `SCHEME://firebaseauth/link?deep_link_id=https://…/__/auth/callback?link=https://…?state=…&code=…`, each level encoded once more.
    static let linkNames = ["deep_link_id", "link"]

    /// Of a URL that leads to this machine only the path counts, as if the browser had arrived there: behind a tunnel or a forwarded port
    /// it has another name or number. Any other is compared whole.
    private static func place(of uri: String) -> String {
        guard let url = try? EndpointURL(uri), LoopbackHost.contains(url.host) else { return uri }
        return url.path.isEmpty ? "/" : url.path
    }

    /// A URL split into what is compared and what is read.
    private struct Part {
        let uri: String
        let path: String
        let isWeb: Bool
        let parameters: CallbackParameters

        init(_ url: ArraySlice<UInt8>) throws(CallbackParseError) {
            guard url.allSatisfy({ $0 > 0x20 && $0 != 0x7f }) else { throw .spaceInURL }
            let head = url.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            let beforeFragment = url.prefix { $0 != UInt8(ascii: "#") }
            let query = beforeFragment.dropFirst(head.count + 1)
            let fragment = url.dropFirst(beforeFragment.count + 1)
            guard let path = DeliveredRedirect.path(of: head) else { throw .notARedirectURL }
            let answer = query.isEmpty ? fragment : query
            guard !answer.isEmpty else { throw .noParameters }
            uri = String(decoding: head, as: UTF8.self)
            self.path = path
            isWeb = uri.lowercased().begins(with: "http://") || uri.lowercased().begins(with: "https://")
            parameters = try CallbackParameters(parsing: answer)
        }
    }

    /// What follows `scheme:`, without the authority of an http URL. Nil without a scheme, or without a required server.
    private static func path(of head: ArraySlice<UInt8>) -> String? {
        let parts = URIParts(String(decoding: head, as: UTF8.self))
        // RFC 3986 section 3.1.
        guard let scheme = parts.scheme, scheme.utf8.first?.isASCIILetter == true,
            scheme.utf8.allSatisfy({ $0.isASCIILetter || $0.isDecimalDigit || "+-.".utf8.contains($0) })
        else { return nil }
        guard ["http", "https"].contains(scheme.lowercased()) else {
            let rest = head.dropFirst(scheme.utf8.count + 1)
            return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
        }
        guard parts.authority?.isEmpty == false else { return nil }
        return parts.path.isEmpty ? "/" : String(parts.path)
    }

    private static func unwrapped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let text = trimmed(text)
        for (opening, closing) in [("<", ">"), ("\"", "\""), ("'", "'")] {
            if text.count >= 2, text.starts(with: opening.utf8), text.last == closing.utf8.first {
                return trimmed(text.dropFirst().dropLast())
            }
        }
        return text
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
        guard let last = text.lastIndex(where: { !isBlank($0) }) else { return [] }
        return text[...last].drop(while: isBlank)
    }
}
