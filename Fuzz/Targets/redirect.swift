import PosternCore

extension Fuzz {
    /// Redirects that were pasted or came through a custom scheme.
    static func redirect(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let redirect = try? DeliveredRedirect(parsing: text) {
            for uri in [redirect.redirectURI, redirect.linkedURI ?? ""] + redirect.places {
                guard !uri.contains("?"), !uri.contains("#") else { fatalError("the answer is part of the URI") }
            }
            for place in redirect.places where place.hasPrefix("/") {
                guard redirect.redirectURI.contains("//") else { fatalError("a URI without a server is taken for the listener's") }
            }
        }
        if let uri = try? RedirectURI(parsing: text) {
            guard uri.text == text, !text.contains("?"), !text.contains("#") else { fatalError("a redirect URI was changed") }
        }
        _ = try? EndpointURL(text)
    }
}
