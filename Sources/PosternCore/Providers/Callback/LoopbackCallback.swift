/// An authorization response as it arrived: parsed, but not yet matched with a sign-in.
public struct LoopbackCallback: Sendable {
    /// How it arrived.
    public enum Method: Sendable, Hashable {
        /// `GET` with a query.
        case get
        /// `POST` with a form: `response_mode=form_post`, or the fragment page's script.
        case post
        /// Handed over on the socket, by a custom scheme's handler or a user's paste.
        case delivered
    }

    /// The path of the request, still percent-encoded: `/__/auth/handler` or `/__/auth/handler/PROVIDER`.
    public var path: String
    public var parameters: CallbackParameters
    public var method: Method

    public init(path: String, parameters: CallbackParameters, method: Method) {
        self.path = path
        self.parameters = parameters
        self.method = method
    }
}

/// Identifies the sign-in that waits for a callback: the SHA-256 that is stored instead of the state.
public enum CallbackKey {
    /// If there is a state, it alone decides. Only a callback without one, from OAuth 1.0a providers that compare callback URLs exactly, is
    /// identified by its request token.
    public static func hash(of parameters: CallbackParameters, cryptography: any Cryptography) -> [UInt8]? {
        if let state = parameters.state { return cryptography.sha256(state.revealBytes()) }
        return parameters.requestToken.map { hash(ofRequestToken: $0, cryptography: cryptography) }
    }

    /// The NUL distinguishes tokens from states: a callback that contains one has been refused before, so no state can be made up that
    /// would be taken for a token.
    public static func hash(ofRequestToken token: Secret, cryptography: any Cryptography) -> [UInt8] {
        cryptography.sha256(Array("oauth_token\0".utf8) + token.revealBytes())
    }
}

extension CallbackParameters {
    /// The request token that was authorised or refused; nil if there is none, or both are named.
    public var requestToken: Secret? {
        switch (oauthToken, denied) {
        case (let token?, nil), (nil, let token?): token
        case (nil, nil), (_?, _?): nil
        }
    }
}
