import PosternCore
import StrictJSON

/// Sign-ins under way, or recently ended.
struct SessionTable {
    let connection: Connection
    let sealer: Sealer

    /// To be called inside a transaction.
    func insert(_ signIn: StoredSignIn) throws(StoreError) {
        let id = signIn.session.id
        let request = try sealer.seal(signIn.session, at: SealedColumn(.sessionRequest, id))
        var secrets: [UInt8]?
        var ended: (outcome: [UInt8], isDelivered: Bool)?
        switch signIn.status {
        case .pending(let flow, let device):
            secrets = try sealer.seal(SessionFlowSecrets(flow: flow, device: device), at: SealedColumn(.sessionFlowSecrets, id))
        case .exchanging: break
        case .ended(let outcome, let isDelivered):
            ended = (try sealer.seal(outcome, at: .outcome(of: id, isDelivered: isDelivered)), isDelivered)
        }
        try connection.run(
            """
            INSERT INTO sessions (id, phase, expires_at, is_delivered, request, flow_secrets, outcome)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(id), .text(signIn.status.phase.rawValue), .integer(signIn.expiresAt.milliseconds),
                .integer(ended?.isDelivered == true ? 1 : 0), .blob(request), .blob(orNull: secrets), .blob(orNull: ended?.outcome),
            ])
        for hash in signIn.stateHashes { try addState(hash, to: id) }
    }

    /// False if the session no longer waits.
    func addState(ifPending hash: [UInt8], to id: String) throws(StoreError) -> Bool {
        guard try phase(of: id) == .authorizationPending else { return false }
        try addState(hash, to: id)
        return true
    }

    private func addState(_ hash: [UInt8], to id: String) throws(StoreError) {
        try connection.run(
            "INSERT INTO session_states (hash, session_id, sealed) VALUES (?, ?, ?)",
            [.blob(hash), .text(id), .blob(try sealer.seal(JSONObject(), at: .state(hash, of: id)))])
    }

    /// Nil if there is no such session.
    func phase(of id: String) throws(StoreError) -> SignInSession.Phase? {
        try connection.first("SELECT phase, flow_secrets IS NOT NULL, outcome IS NOT NULL FROM sessions WHERE id = ?", [.text(id)]) {
            (row: borrowing Row) throws(StoreError) in
            try phase(try row.text(0), of: id, hasSecrets: try row.integer(1) != 0, hasOutcome: try row.integer(2) != 0)
        }
    }

    /// The phase that a row is in, which it must agree with: nobody can make a session that was used up wait again by changing the word.
    func phase(_ word: String, of id: String, hasSecrets: Bool, hasOutcome: Bool) throws(StoreError) -> SignInSession.Phase {
        guard let phase = SignInSession.Phase(rawValue: word) else {
            throw StoreError(.damagedRow, file: sealer.file, reason: "session \(id) is in a phase that is not known here")
        }
        let isWhole =
            switch phase {
            case .authorizationPending: hasSecrets && !hasOutcome
            case .exchanging: !hasSecrets && !hasOutcome
            case .completed, .failed: !hasSecrets && hasOutcome
            }
        guard isWhole else {
            throw StoreError(.damagedRow, file: sealer.file, reason: "session \(id) has not what belongs to its phase, \(word)")
        }
        return phase
    }

    /// One statement, so that of two simultaneous callers one gets true. The secrets of the flow are removed with the phase.
    func markExchanging(_ id: String) throws(StoreError) -> Bool {
        try connection.run(
            "UPDATE sessions SET phase = ?, flow_secrets = NULL WHERE id = ? AND phase = ? AND flow_secrets IS NOT NULL",
            [.text(SignInSession.Phase.exchanging.rawValue), .text(id), .text(SignInSession.Phase.authorizationPending.rawValue)]) == 1
    }

    /// False if the session no longer waits: its secrets are gone, and are not restored.
    func replaceFlowSecrets(_ secrets: SessionFlowSecrets, of id: String) throws(StoreError) -> Bool {
        try connection.run(
            "UPDATE sessions SET flow_secrets = ? WHERE id = ? AND phase = ? AND flow_secrets IS NOT NULL",
            [
                .blob(try sealer.seal(secrets, at: SealedColumn(.sessionFlowSecrets, id))), .text(id),
                .text(SignInSession.Phase.authorizationPending.rawValue),
            ]) == 1
    }

    /// A session that has ended, or already waits longer, does not change.
    func extend(_ id: String, until moment: Timestamp) throws(StoreError) {
        try connection.run(
            "UPDATE sessions SET expires_at = MAX(expires_at, ?) WHERE id = ? AND phase = ?",
            [.integer(moment.milliseconds), .text(id), .text(SignInSession.Phase.authorizationPending.rawValue)])
    }

    /// To be called inside the transaction that also read the phase.
    func end(_ id: String, outcome: SignInOutcome, expiresAt: Timestamp?) throws(StoreError) {
        let sealed = try sealer.seal(outcome, at: .outcome(of: id, isDelivered: false))
        try connection.run(
            """
            UPDATE sessions SET phase = ?, outcome = ?, is_delivered = 0, flow_secrets = NULL, expires_at = coalesce(?, expires_at)
            WHERE id = ?
            """,
            [.text(outcome.phase.rawValue), .blob(sealed), expiresAt.map { .integer($0.milliseconds) } ?? .null, .text(id)])
    }

    func hasResultToDeliver(_ id: String) throws(StoreError) -> Bool {
        try connection.first(
            "SELECT 1 FROM sessions WHERE id = ? AND outcome IS NOT NULL AND is_delivered = 0", [.text(id)], read: Row.onlyInteger) != nil
    }

    /// To be called inside a transaction. False if there is nothing to deliver, or it was delivered already.
    func markDelivered(_ id: String) throws(StoreError) -> Bool {
        let sealed = try connection.first(
            "SELECT outcome FROM sessions WHERE id = ? AND is_delivered = 0", [.text(id)], read: Row.onlyBlobOrNull)
        guard let sealed = sealed ?? nil else { return false }
        let outcome: SignInOutcome = try sealer.open(sealed, at: .outcome(of: id, isDelivered: false))
        try connection.run(
            "UPDATE sessions SET is_delivered = 1, outcome = ? WHERE id = ?",
            [.blob(try sealer.seal(outcome.withoutSecrets, at: .outcome(of: id, isDelivered: true))), .text(id)])
        return true
    }

    /// Its states are deleted with it.
    func delete(_ id: String) throws(StoreError) { try connection.run("DELETE FROM sessions WHERE id = ?", [.text(id)]) }

    func deleteExpired(before moment: Timestamp) throws(StoreError) {
        try connection.run("DELETE FROM sessions WHERE expires_at < ?", [.integer(moment.milliseconds)])
    }
}

extension SealedColumn {
    /// With whether it was delivered: a result is not delivered again because somebody changed that in the file.
    static func outcome(of id: String, isDelivered: Bool) -> SealedColumn {
        SealedColumn(.sessionOutcome, Array(id.utf8), SealedColumn.part(isDelivered ? 1 : 0))
    }

    /// A state has nothing to seal; that something opens here shows which session it was given to.
    static func state(_ hash: [UInt8], of id: String) -> SealedColumn { SealedColumn(.sessionState, hash, Array(id.utf8)) }
}

extension SignInOutcome {
    /// The phase that a session with this outcome is in.
    var phase: SignInSession.Phase {
        switch self {
        case .completed, .kept: .completed
        case .refused, .failed: .failed
        }
    }
}

extension StoredSignIn.Status {
    /// The phase that this corresponds to.
    var phase: SignInSession.Phase {
        switch self {
        case .pending: .authorizationPending
        case .exchanging: .exchanging
        case .ended(let outcome, _): outcome.phase
        }
    }
}
