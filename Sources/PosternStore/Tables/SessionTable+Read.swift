import PosternCore

extension SessionTable {
    private struct StoredRow {
        let id: String
        let phase: String
        let expiresAt: Int64
        let isDelivered: Bool
        let request: [UInt8]
        let flowSecrets: [UInt8]?
        let outcome: [UInt8]?

        init(_ row: borrowing Row) throws(StoreError) {
            id = try row.text(0)
            phase = try row.text(1)
            expiresAt = try row.integer(2)
            isDelivered = try row.integer(3) != 0
            request = try row.blob(4)
            flowSecrets = try row.blob(orNull: 5)
            outcome = try row.blob(orNull: 6)
        }
    }

    /// - Parameter moment: those that expired before are left out.
    func all(since moment: Timestamp) throws(StoreError) -> Listing<StoredSignIn> {
        let states = try states()
        return try connection.listing(
            """
            SELECT id, phase, expires_at, is_delivered, request, flow_secrets, outcome FROM sessions WHERE expires_at >= ? ORDER BY rowid
            """, [.integer(moment.milliseconds)]
        ) { (row: borrowing Row) throws(StoreError) in
            let row = try StoredRow(row)
            return try open(row, states: states[row.id] ?? [])
        }
    }

    private func open(_ row: StoredRow, states: [[UInt8]]) throws(StoreError) -> StoredSignIn {
        let request: SessionRequest = try sealer.open(row.request, at: Place(.sessionRequest, row.id))
        return StoredSignIn(
            session: request.session(id: row.id), stateHashes: states, expiresAt: Timestamp(milliseconds: row.expiresAt),
            standing: try standing(of: row))
    }

    private func standing(of row: StoredRow) throws(StoreError) -> StoredSignIn.Standing {
        guard let phase = SignInSession.Phase(rawValue: row.phase) else {
            throw StoreError(.damagedRow, file: sealer.file, reason: "session \(row.id) is in a phase that is not known here")
        }
        let secrets: SessionFlowSecrets? = try row.flowSecrets.map { sealed throws(StoreError) in
            try sealer.open(sealed, at: Place(.sessionFlowSecrets, row.id))
        }
        let outcome: SignInOutcome? = try row.outcome.map { sealed throws(StoreError) in
            try sealer.open(sealed, at: Place(.sessionOutcome, row.id))
        }
        switch (phase, secrets, outcome) {
        case (.authorizationPending, let secrets?, nil): return .pending(secrets.flow, secrets.device)
        case (.exchanging, _, nil): return .exchanging
        case (.completed, _, let outcome?) where outcome.phase == phase, (.failed, _, let outcome?) where outcome.phase == phase:
            return .ended(outcome, isDelivered: row.isDelivered)
        default:
            throw StoreError(.damagedRow, file: sealer.file, reason: "session \(row.id) has not what belongs to its phase, \(row.phase)")
        }
    }

    /// In the order in which they were handed out.
    private func states() throws(StoreError) -> [String: [[UInt8]]] {
        let rows = try connection.query("SELECT session_id, hash FROM session_states ORDER BY rowid") {
            (row: borrowing Row) throws(StoreError) in (id: try row.text(0), hash: try row.blob(1))
        }
        return Dictionary(grouping: rows, by: \.id).mapValues { $0.map(\.hash) }
    }
}
