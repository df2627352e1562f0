/// An authorization response as it arrived: read, but not yet matched with a sign-in.
public struct LoopbackCallback: Sendable {
    /// How it came.
    public enum Method: Sendable, Hashable {
        /// `GET` with a query.
        case get
        /// `POST` with a form: `response_mode=form_post`, or the fragment page's script.
        case post
        /// Handed over on the socket, as a custom scheme's handler or a user's paste does.
        case delivered
    }

    /// The path it arrived at, still percent-encoded: `/__/auth/handler` or `/__/auth/handler/PROVIDER`.
    public var path: String
    public var parameters: CallbackParameters
    public var method: Method

    public init(path: String, parameters: CallbackParameters, method: Method) {
        self.path = path
        self.parameters = parameters
        self.method = method
    }
}

/// By what a callback is matched with the sign-in that waits for it: the SHA-256 that is kept in place of it.
public enum CallbackKey {
    /// The state decides alone if there is one. Only a callback without, as providers of OAuth 1.0a send it that compare callback
    /// URLs exactly, is known by its request token.
    public static func hash(of parameters: CallbackParameters, cryptography: any Cryptography) -> [UInt8]? {
        if let state = parameters.state { return cryptography.sha256(state.revealBytes()) }
        return parameters.requestToken.map { hash(ofRequestToken: $0, cryptography: cryptography) }
    }

    /// The NUL keeps tokens and states apart: a callback with one in it is refused before it comes here, so that no state can be made up
    /// that passes for a token.
    public static func hash(ofRequestToken token: Secret, cryptography: any Cryptography) -> [UInt8] {
        cryptography.sha256(Array("oauth_token\0".utf8) + token.revealBytes())
    }
}

extension CallbackParameters {
    /// The request token that was authorised, or refused; nil if there is none, or both are said.
    public var requestToken: Secret? {
        switch (oauthToken, denied) {
        case (let token?, nil), (nil, let token?): token
        case (nil, nil), (_?, _?): nil
        }
    }
}
