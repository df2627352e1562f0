import PosternValues

/// A request that is passed on, and the rules for its answer.
public struct ProxyPassage: Sendable {
    public let account: String
    /// Without its body.
    public internal(set) var request: BridgeRequest
    let route: ProxyRoute
    /// How the client calls this server: `http://127.0.0.1:4711`.
    let address: String

    /// Of the server.
    var origin: String { (try? EndpointURL(request.url, longest: URLPrefix.longestURL))?.origin ?? "" }

    /// What the client gets of the head of an answer.
    public func answer(_ answer: BridgeAnswer) -> BridgeAnswer {
        var passed = answer
        passed.headers = ProxyFields.keptOfAnswer(answer.headers).map { field in
            switch field.name.lowercased() {
            case "location", "content-location": (field.name, rewritten(field.value))
            case "link": (field.name, rewrittenLinks(field.value))
            default: field
            }
        }
        return passed
    }

    /// A URL of the account leads back to this proxy, so that the client follows it with an authorization. Others stay, but whole: from this
    /// proxy's address on, the rest of one would lead elsewhere.
    private func rewritten(_ reference: String) -> String {
        guard let base = try? EndpointURL(request.url, longest: URLPrefix.longestURL) else { return reference }
        let meant = URLReference(reference, from: base)
        if let path = route.path(of: meant.url) { return address + path + meant.fragment }
        return meant.isRelative ? meant.url + meant.fragment : reference
    }

    /// RFC 8288 section 3: `<URL>; rel="next", <URL>; rel="last"`. A quoted text may have any of these signs.
    private func rewrittenLinks(_ value: String) -> String {
        var result: [UInt8] = []
        var rest = value.utf8[...]
        var isQuoted = false
        while let byte = rest.popFirst() {
            result.append(byte)
            switch byte {
            case UInt8(ascii: "\\") where isQuoted: if let next = rest.popFirst() { result.append(next) }
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "<") where !isQuoted:
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else {
                    // None follows for a later one either.
                    result += rest
                    rest = rest[rest.endIndex...]
                    break
                }
                result += rewritten(String(Substring(rest[..<end]))).utf8
                rest = rest[end...]
            default: break
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
