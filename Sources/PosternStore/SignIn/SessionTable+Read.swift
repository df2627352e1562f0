import PosternCore
import StrictJSON

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
            isDelivered = try row.flag(3)
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
            return try open(row, states: states[row.id]?.get() ?? [])
        }
    }

    private func open(_ row: StoredRow, states: [[UInt8]]) throws(StoreError) -> StoredSignIn {
        var session: SignInSession = try sealer.open(row.request, at: SealedColumn(.sessionRequest, row.id))
        session.id = row.id
        return StoredSignIn(
            session: session, stateHashes: states, expiresAt: Timestamp(milliseconds: row.expiresAt), status: try status(of: row))
    }

    private func status(of row: StoredRow) throws(StoreError) -> StoredSignIn.Status {
        let phase = try phase(row.phase, of: row.id, hasSecrets: row.flowSecrets != nil, hasOutcome: row.outcome != nil)
        let secrets: SessionFlowSecrets? = try row.flowSecrets.map { sealed throws(StoreError) in
            try sealer.open(sealed, at: SealedColumn(.sessionFlowSecrets, row.id))
        }
        let outcome: SignInOutcome? = try row.outcome.map { sealed throws(StoreError) in
            try sealer.open(sealed, at: .outcome(of: row.id, isDelivered: row.isDelivered))
        }
        switch (phase, secrets, outcome) {
        case (.authorizationPending, let secrets?, nil) where !row.isDelivered: return .pending(secrets.flow, secrets.device)
        case (.exchanging, nil, nil) where !row.isDelivered: return .exchanging
        case (_, nil, let outcome?) where outcome.phase == phase: return .ended(outcome, isDelivered: row.isDelivered)
        default:
            throw StoreError(.damagedRow, file: sealer.file, reason: "session \(row.id) has not what belongs to its phase, \(row.phase)")
        }
    }

    /// In the order in which they were handed out; the error if one of the session's was changed.
    private func states() throws(StoreError) -> [String: Result<[[UInt8]], StoreError>] {
        var states: [String: Result<[[UInt8]], StoreError>] = [:]
        _ = try connection.listing("SELECT session_id, hash, sealed FROM session_states ORDER BY rowid") {
            (row: borrowing Row) throws(StoreError) in
            let id = try row.text(0)
            do throws(StoreError) {
                let (earlier, hash) = (try states[id]?.get() ?? [], try row.blob(1))
                _ = try sealer.open(try row.blob(2), at: .state(hash, of: id)) as JSONObject
                states[id] = .success(earlier + [hash])
            } catch { states[id] = .failure(error) }
        }
        return states
    }
}
