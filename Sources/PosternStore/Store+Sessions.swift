import PosternCore

extension Store {
    /// How long an expired session is kept: its page may be looked at again.
    public static let sessionRetentionSeconds: Int64 = 3600

    /// Every session on disk but those that expired long ago, in the order of their beginning.
    ///
    /// A session that was `exchanging` has lost its verifier and nonce: its code was, or may have been, sent.
    public func loadSessions(now: Timestamp) throws(StoreError) -> Listing<StoredSignIn> {
        try tables.sessions.all(since: now.adding(seconds: -Self.sessionRetentionSeconds))
    }

    /// Also deletes the handles that are over by then: nobody will ask for them.
    public func begin(_ signIn: StoredSignIn) throws(StoreError) {
        let tables = try tables
        try tables.connection.transaction { () throws(StoreError) in
            try tables.handles.deleteExpired(now: signIn.session.startedAt)
            try tables.sessions.insert(signIn)
        }
    }

    /// - Parameter hash: SHA-256 of a state that is about to be given out.
    /// - Throws: ``StoreError/Kind/sessionOver`` if the session no longer waits for a callback.
    public func addState(hash: [UInt8], to sessionID: String) throws(StoreError) {
        let tables = try tables
        try tables.connection.transaction { () throws(StoreError) in
            guard try tables.sessions.addState(ifPending: hash, to: sessionID) else {
                throw tables.sessionOver("session \(sessionID) does not wait for a callback")
            }
        }
    }

    /// A further page of a sign-in is about to be handed out, under another request token: kept, sealed, with the session's other secrets.
    ///
    /// - Parameters:
    ///   - secrets: with the new token.
    ///   - key: what its callback will be known by.
    /// - Throws: ``StoreError/Kind/sessionOver`` if the session no longer waits for a callback.
    public func addRequestToken(
        _ secrets: FlowSecrets, device: DeviceAuthorization?, key: [UInt8], to sessionID: String
    ) throws(StoreError) {
        let tables = try tables
        try tables.connection.transaction { () throws(StoreError) in
            guard try tables.sessions.replaceFlowSecrets(SessionFlowSecrets(secrets, device), of: sessionID),
                try tables.sessions.addState(ifPending: key, to: sessionID)
            else { throw tables.sessionOver("session \(sessionID) does not wait for a callback") }
        }
    }

    /// A code for another device waits for the user, or none does any more: kept, sealed, with the session's other secrets.
    ///
    /// - Throws: ``StoreError/Kind/sessionOver`` if the session no longer waits.
    public func keep(_ secrets: FlowSecrets, device: DeviceAuthorization?, of sessionID: String) throws(StoreError) {
        let tables = try tables
        guard try tables.sessions.replaceFlowSecrets(SessionFlowSecrets(secrets, device), of: sessionID) else {
            throw tables.sessionOver("session \(sessionID) does not wait for the user")
        }
    }

    /// A more patient program joined: a session that waits does so until then, at least.
    public func extend(sessionID: String, until moment: Timestamp) throws(StoreError) {
        try tables.sessions.extend(sessionID, until: moment)
    }

    /// Uses the session's states up: from pending to exchanging, once. The verifier and the nonce are removed.
    ///
    /// It outlives the process, so that no later one sends the code again. After a power cut it may be undone: then nobody waits for the
    /// result any more, and the provider refuses a code that it has seen (RFC 6749 section 4.1.2).
    ///
    /// - Returns: true to one caller; false if the session was not pending.
    public func markExchanging(sessionID: String) throws(StoreError) -> Bool {
        let tables = try tables
        return try tables.connection.transaction(.survivesProcess) { () throws(StoreError) in
            try tables.sessions.markExchanging(sessionID)
        }
    }

    /// Ends a session, and changes the accounts with it.
    ///
    /// - Parameter expiresAt: until when the result can be fetched; nil leaves what the session had.
    /// - Throws: ``StoreError/Kind/sessionOver``, with nothing changed, if the session ended before, or completes
    ///   without having been `exchanging`: what comes late stores nothing.
    public func finish(
        sessionID: String, outcome: SignInOutcome, changes: AccountChanges? = nil, expiresAt: Timestamp? = nil
    ) throws(StoreError) {
        let tables = try tables
        try tables.connection.transaction { () throws(StoreError) in
            try tables.end(sessionID, outcome: outcome, changes: changes, expiresAt: expiresAt)
        }
    }

    /// As ``finish(sessionID:outcome:changes:expiresAt:)``, with the decision taken inside the transaction, so that two
    /// sign-ins of one identity cannot both find that it has no user.
    ///
    /// - Parameter deciding: called once, on the store's thread; what it throws is thrown on, with nothing changed.
    /// - Returns: the outcome that was decided.
    @discardableResult
    public func finish(
        sessionID: String, expiresAt: Timestamp? = nil,
        deciding: @Sendable (borrowing AccountSnapshot) throws(AccountFailure) -> (SignInOutcome, AccountChanges)
    ) throws(AccountFailure) -> SignInOutcome {
        let tables = try AccountFailure.wrapping(store: tables)
        return try tables.connection.decision { () throws(AccountFailure) in
            try AccountFailure.wrapping(store: tables.checkLive(sessionID))
            let (outcome, changes) = try deciding(tables.snapshot)
            try AccountFailure.wrapping(store: tables.end(sessionID, outcome: outcome, changes: changes, expiresAt: expiresAt))
            return outcome
        }
    }

    /// The result was handed over: its secrets are wiped, what its page shows is kept. After a power cut it may be there again.
    ///
    /// - Returns: false if there is no result or it was handed over before.
    public func markDelivered(sessionID: String) throws(StoreError) -> Bool {
        let tables = try tables
        // The program has the result, and nobody is answered that it was deleted: the next change takes this to the disk.
        return try tables.connection.transaction(.survivesProcess) { () throws(StoreError) in try tables.sessions.markDelivered(sessionID) }
    }

    /// Handles are about to be handed over with the result: a program that knows one can use it, whatever happens next.
    ///
    /// - Returns: false, with nothing stored, if there is no result or it was handed over before.
    public func addHandles(_ handles: [HandleRecord], of sessionID: String) throws(StoreError) -> Bool {
        let tables = try tables
        return try tables.connection.transaction { () throws(StoreError) in
            guard try tables.sessions.hasResultToDeliver(sessionID) else { return false }
            for handle in handles { try tables.handles.insert(handle) }
            return true
        }
    }

    /// Handles that reached nobody.
    public func deleteHandles(_ handles: [Secret]) throws(StoreError) {
        let tables = try tables
        try tables.connection.transaction { () throws(StoreError) in
            for handle in handles { try tables.handles.delete(handle.reveal()) }
        }
    }

    /// Ids that are not known are passed over.
    public func deleteSessions(ids: [String]) throws(StoreError) {
        guard !ids.isEmpty else { return }
        let tables = try tables
        try tables.connection.transaction { () throws(StoreError) in
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

    /// Inside a transaction.
    fileprivate func end(
        _ sessionID: String, outcome: SignInOutcome, changes: AccountChanges?, expiresAt: Timestamp?
    ) throws(StoreError) {
        try checkLive(sessionID)
        if outcome.hasCredential, try sessions.phase(of: sessionID) != .exchanging {
            throw sessionOver("session \(sessionID) cannot complete before its code is sent")
        }
        try sessions.end(sessionID, outcome: outcome, expiresAt: expiresAt)
        if let changes { try apply(changes) }
    }

    fileprivate func sessionOver(_ reason: String) -> StoreError { StoreError(.sessionOver, file: file, reason: reason) }
}
