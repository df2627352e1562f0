/// Sign-ins of OAuth 1.0a wait for a request token before anybody can be sent anywhere.
extension SignInTable {
    /// The provider gave a request token for a page.
    ///
    /// - Parameter key: what the callback will be known by: the hash of the token, or of a state beside it.
    /// - Returns: the session with the token; nil where it waits no more, or something else is known by that key. A server that gives out
    ///   another's token would else be sent what comes back for that one.
    public mutating func requestTokenReceived(_ token: OAuth1Token, key: [UInt8], for id: String) -> SignInSession? {
        guard let session = entries[id]?.session, session.phase == .authorizationPending else { return nil }
        guard idByStateHash[key] == nil || idByStateHash[key] == id else { return nil }
        // A state that was made when the sign-in began, and that this provider does not get to see.
        if session.requestTokens.isEmpty {
            for hash in session.stateHashes { idByStateHash[hash] = nil }
            entries[id]?.session.stateHashes = []
        }
        idByStateHash[key] = id
        entries[id]?.session.stateHashes.append(key)
        entries[id]?.session.requestTokens.append(token)
        return entries[id]?.session
    }
}

extension SignInSession {
    /// Whether a callback that names this request token can be this session's: where it has such tokens, one of them.
    func knows(_ requestToken: Secret?) -> Bool {
        requestTokens.isEmpty || requestTokens.contains { $0.token == requestToken }
    }
}
