import PosternCore

extension Store {
    /// A code for another device waits for its person, or none does any more: kept, sealed, with the session's other secrets.
    ///
    /// - Throws: ``StoreError/Kind/sessionOver`` where the session does not wait any more.
    public func keepDevice(of session: SignInSession) throws(StoreError) {
        let tables = try tables
        guard try tables.sessions.replaceFlowSecrets(of: session) else {
            throw StoreError(.sessionOver, file: tables.file, reason: "session \(session.id) does not wait for its person")
        }
    }
}

extension SessionTable {
    /// False where the session does not wait any more: its secrets are gone, and do not come back.
    func replaceFlowSecrets(of session: SignInSession) throws(StoreError) -> Bool {
        let secrets = try sealer.seal(SessionFlowSecrets(session), at: Place(.sessionFlowSecrets, session.id))
        return try connection.run(
            "UPDATE sessions SET flow_secrets = ? WHERE id = ? AND phase = ?",
            [.blob(secrets), .text(session.id), .text(SignInSession.Phase.authorizationPending.rawValue)]) == 1
    }
}
