import PosternCore

extension Store {
    /// How long an expired session is kept: its page may be opened again.
    public static let sessionRetentionSeconds: Int64 = 3600

    /// Every session on disk except those that expired long ago, in the order in which they began.
    ///
    /// A session that was `exchanging` no longer has its verifier and nonce: its code was, or may have been, sent.
    public func loadSessions(now: Timestamp) throws(StoreError) -> Listing<StoredSignIn> {
        try tables.sessions.all(since: now.adding(seconds: -Self.sessionRetentionSeconds))
    }

    /// Also deletes the handles that have expired: nobody will use them.
    public func begin(_ signIn: StoredSignIn) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            try tables.handles.deleteExpired(now: signIn.session.startedAt)
            try tables.sessions.insert(signIn)
        }
    }

    /// - Parameter hash: SHA-256 of a state that is about to be used.
    /// - Throws: ``StoreError/Kind/sessionOver`` if the session no longer waits for a callback.
    public func addState(hash: [UInt8], to sessionID: String) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            guard try tables.sessions.addState(ifPending: hash, to: sessionID) else {
                throw tables.sessionOver("session \(sessionID) does not wait for a callback")
            }
        }
    }

    /// Stores, sealed with the session's other secrets, the request token of another page of a sign-in that is about to be handed out.
    ///
    /// - Parameters:
    ///   - secrets: including the new token.
    ///   - key: identifies its callback.
    /// - Throws: ``StoreError/Kind/sessionOver`` if the session no longer waits for a callback.
    public func addRequestToken(
        _ secrets: FlowSecrets, device: DeviceAuthorization?, key: [UInt8], to sessionID: String
    ) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            guard try tables.sessions.replaceFlowSecrets(SessionFlowSecrets(flow: secrets, device: device), of: sessionID),
                try tables.sessions.addState(ifPending: key, to: sessionID)
            else { throw tables.sessionOver("session \(sessionID) does not wait for a callback") }
        }
    }

    /// Stores, sealed with the session's other secrets, the code for another device that waits for the user, or that there is none any
    /// more.
    ///
    /// - Throws: ``StoreError/Kind/sessionOver`` if the session no longer waits.
    public func keep(_ secrets: FlowSecrets, device: DeviceAuthorization?, of sessionID: String) throws(StoreError) {
        let tables = try tables
        guard try tables.sessions.replaceFlowSecrets(SessionFlowSecrets(flow: secrets, device: device), of: sessionID) else {
            throw tables.sessionOver("session \(sessionID) does not wait for the user")
        }
    }

    /// A program with a longer timeout joined: a waiting session now waits at least until then.
    public func extend(sessionID: String, until moment: Timestamp) throws(StoreError) {
        try tables.sessions.extend(sessionID, until: moment)
    }

    /// Uses up the session's states: from pending to exchanging, once. The verifier and the nonce are removed.
    ///
    /// This survives a crash of the process, so that no later process sends the code again. A power cut may undo it: then nobody waits for
    /// the result any more, and the provider refuses a code that it has seen (RFC 6749 section 4.1.2).
    ///
    /// - Returns: true to one caller; false if the session was not pending.
    public func markExchanging(sessionID: String) throws(StoreError) -> Bool {
        try transaction(.survivesProcess) { tables throws(StoreError) in
            try tables.sessions.markExchanging(sessionID)
        }
    }

    /// Ends a session, and changes the accounts in the same transaction.
    ///
    /// - Parameter expiresAt: until when the result can be fetched; nil keeps the session's own time.
    /// - Throws: ``StoreError/Kind/sessionOver``, with nothing changed, if the session ended before, or completes without having been
    ///   `exchanging`: a late result stores nothing.
    public func finish(
        sessionID: String, outcome: SignInOutcome, changes: AccountChanges? = nil, expiresAt: Timestamp? = nil
    ) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            _ = try tables.end(sessionID, outcome: outcome, changes: changes, expiresAt: expiresAt)
        }
    }

    /// As ``finish(sessionID:outcome:changes:expiresAt:)``, with the decision made inside the transaction, so that two sign-ins of one
    /// identity cannot both find that it has no user.
    ///
    /// - Parameter deciding: called once, on the store's thread; if it throws, its error is rethrown, with nothing changed.
    /// - Returns: the outcome that was decided, and the credential that was written with it, as it is on disk.
    @discardableResult
    public func finish(
        sessionID: String, expiresAt: Timestamp? = nil,
        deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> (SignInOutcome, AccountChanges)
    ) throws(AccountFailure) -> (outcome: SignInOutcome, credential: StoredCredential?) {
        try decision { tables throws(AccountFailure) in
            try AccountFailure.wrapping(store: tables.checkLive(sessionID))
            let (outcome, changes) = try deciding(StoredAccounts(tables: tables))
            let credential = try AccountFailure.wrapping(
                store: tables.end(sessionID, outcome: outcome, changes: changes, expiresAt: expiresAt))
            return (outcome, credential)
        }
    }

    /// The result was handed over: its secrets are wiped, and what its page shows is kept. A power cut may undo this.
    ///
    /// - Returns: false if there is no result or it was handed over before.
    public func markDelivered(sessionID: String) throws(StoreError) -> Bool {
        // The program has the result, and nobody was promised its deletion: the next change writes this to the disk.
        return try transaction(.survivesProcess) { tables throws(StoreError) in try tables.sessions.markDelivered(sessionID) }
    }

    /// Stores handles that are about to be handed over with the result: a program that knows one can use it, whatever happens next.
    ///
    /// - Returns: false, with nothing stored, if there is no result or it was handed over before.
    public func addHandles(_ handles: [HandleRecord], of sessionID: String) throws(StoreError) -> Bool {
        try transaction { tables throws(StoreError) in
            guard try tables.sessions.hasResultToDeliver(sessionID) else { return false }
            for handle in handles { try tables.insert(handle) }
            return true
        }
    }

    /// Deletes handles that nobody received.
    public func deleteHandles(_ handles: [Secret]) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            for handle in handles { try tables.handles.delete(handle.reveal()) }
        }
    }

    /// Unknown ids are ignored.
    public func deleteSessions(ids: [String]) throws(StoreError) {
        guard !ids.isEmpty else { return }
        try transaction { tables throws(StoreError) in
            for id in ids { try tables.sessions.delete(id) }
        }
    }
}

extension OpenedStore {
    fileprivate func checkLive(_ sessionID: String) throws(StoreError) {
        switch try sessions.phase(of: sessionID) {
        case .authorizationPending, .exchanging: return
        case .completed, .failed: throw sessionOver("session \(sessionID) has already ended")
        case nil: throw sessionOver("there is no session \(sessionID)")
        }
    }

    /// To be called inside a transaction.
    fileprivate func end(
        _ sessionID: String, outcome: SignInOutcome, changes: AccountChanges?, expiresAt: Timestamp?
    ) throws(StoreError) -> StoredCredential? {
        try checkLive(sessionID)
        if outcome.hasCredential, try sessions.phase(of: sessionID) != .exchanging {
            throw sessionOver("session \(sessionID) cannot complete before its code is sent")
        }
        try sessions.end(sessionID, outcome: outcome, expiresAt: expiresAt)
        return try changes.flatMap { changes throws(StoreError) in try apply(changes) }
    }

    fileprivate func sessionOver(_ reason: String) -> StoreError { StoreError(.sessionOver, file: file, reason: reason) }
}
