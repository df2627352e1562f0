import PosternCore

extension Store {
    /// Reads what is needed before anything is answered: the same amount with a million users as with one.
    ///
    /// - Parameter limit: the most credentials to read.
    public func remains(now: Timestamp, credentials limit: Int) throws(StoreError) -> StoreRemains {
        StoreRemains(
            readAt: now, sessions: try loadSessions(now: now), clients: try registeredClients(), attention: try attention(),
            credentials: try credentials(after: CredentialPage.start, limit: limit))
    }

    /// Work that can wait until after the first answer: checks the whole file, unless that was done, and deletes what has expired.
    ///
    /// - Throws: ``StoreError/Kind/damaged`` if the file is damaged. Then every later call throws it too, and nothing is changed.
    public func tidy(now: Timestamp) throws(StoreError) {
        try transaction { tables throws(StoreError) in
            try tables.sessions.deleteExpired(before: now.adding(seconds: -Self.sessionRetentionSeconds))
            try tables.handles.deleteExpired(now: now)
            try tables.deleteExpiredChallenges(now: now)
        }
    }
}
