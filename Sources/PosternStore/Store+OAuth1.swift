import PosternCore

extension Store {
    /// A further page of a sign-in is about to be handed out, under another request token: kept, sealed, with the session's other secrets.
    ///
    /// - Parameters:
    ///   - session: with the new token.
    ///   - key: what its callback will be known by.
    /// - Throws: ``StoreError/Kind/sessionOver`` where the session does not wait for a callback any more.
    public func addRequestToken(to session: SignInSession, key: [UInt8]) throws(StoreError) {
        let tables = try tables
        try tables.connection.transaction { () throws(StoreError) in
            guard try tables.sessions.replaceFlowSecrets(of: session), try tables.sessions.addState(ifPending: key, to: session.id) else {
                throw StoreError(.sessionOver, file: tables.file, reason: "session \(session.id) does not wait for a callback")
            }
        }
    }
}
