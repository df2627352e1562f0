/// The restricted tokens of one credential, and what is remembered about requests for them.
struct RestrictedTokens: Sendable {
    /// More services than a user's programs talk to; beyond it, the one requested longest ago is no longer handed out.
    static let limit = 32
    /// Tokens that are no longer handed out, and may still be valid. They are kept to be revoked; with so many, no others are requested.
    static let outlivedLimit = 256

    private struct Entry {
        /// The credential with this token in its grant.
        var token: StoredCredential?
        var memory = RenewalMemory()
        var turn: Int64
    }

    private var entries: [TokenRestriction: Entry] = [:]
    private var outlived: [Grant] = []
    private var turns: Int64 = 0

    subscript(restriction: TokenRestriction) -> StoredCredential? { entries[restriction]?.token }

    /// Those that may still be valid.
    func grants(now: Timestamp) -> [Grant] {
        (entries.values.compactMap(\.token?.grant) + outlived).filter { $0.mayBeValid(at: now) }
    }

    /// Why no further token may be requested now; nil if one may.
    mutating func wait(now: Timestamp) -> TooManyTokens? {
        outlived.removeAll { !$0.mayBeValid(at: now) }
        guard outlived.count >= Self.outlivedLimit else { return nil }
        return .validTokens(seconds: outlived.compactMap(\.expiresAt).min().map { max($0.seconds(since: now), 1) })
    }

    mutating func fetched(
        _ grant: Grant, for restriction: TokenRestriction, of credential: StoredCredential, demands: [TokenDemand], now: Timestamp
    ) -> StoredCredential {
        var token = credential
        token.grant = grant
        if let previous = entries[restriction]?.token?.grant, previous.accessToken != grant.accessToken { outlive(previous) }
        change(restriction) { entry, turn in
            // To distinguish it from the one before: the credential itself may be the same.
            token.generation = turn
            entry.token = token
            entry.memory.fetched(token, hasNewIDToken: true, for: demands, now: now)
        }
        return token
    }

    mutating func failed(_ failure: ProviderFailure, for restriction: TokenRestriction, now: Timestamp) -> ProviderFailure {
        change(restriction) { entry, _ in entry.memory.failed(failure, now: now) }
    }

    /// The token, if that is true of it, by what is remembered of requests for it.
    func token(_ restriction: TokenRestriction, if isGood: (RenewalMemory, StoredCredential) -> Bool) -> StoredCredential? {
        entries[restriction].flatMap { entry in entry.token.flatMap { isGood(entry.memory, $0) ? $0 : nil } }
    }

    func pause(_ restriction: TokenRestriction, now: Timestamp) -> ProviderFailure? { entries[restriction]?.memory.pause(now: now) }

    mutating func configurationRead() {
        for restriction in entries.keys { entries[restriction]?.memory.configurationRead() }
    }

    /// The store was locked. How long the provider must not be asked is still remembered.
    mutating func forgetTokens() {
        outlived = []
        for restriction in entries.keys {
            entries[restriction]?.token = nil
            entries[restriction]?.memory.forgotten()
        }
    }

    private mutating func change<Value>(_ restriction: TokenRestriction, _ body: (inout Entry, Int64) -> Value) -> Value {
        turns &+= 1
        if entries[restriction] == nil, entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.turn < $1.value.turn }) {
            entries[oldest.key] = nil
            if let token = oldest.value.token { outlive(token.grant) }
        }
        var entry = entries[restriction] ?? Entry(turn: turns)
        entry.turn = turns
        defer { entries[restriction] = entry }
        return body(&entry, turns)
    }

    /// A server refused this token, if it is one of these: the next program gets another one.
    mutating func refused(_ token: Secret) {
        for (restriction, entry) in entries where entry.token?.grant.accessToken == token {
            if let grant = entry.token?.grant { outlive(grant) }
            entries[restriction]?.token = nil
        }
    }

    /// The token is no longer handed out, and is only kept to be revoked.
    private mutating func outlive(_ grant: Grant) {
        // A provider may give the same one for several restrictions.
        guard !outlived.contains(where: { $0.accessToken == grant.accessToken }) else { return }
        var grant = grant
        grant.idToken = nil
        outlived.append(grant)
    }
}

extension TokenRestriction {
    /// Nil if the stored token is enough.
    public init?(of demand: TokenDemand, for credential: borrowing StoredCredential, at provider: borrowing Provider) {
        guard demand.mayRestrict else { return nil }
        // As it was requested, whatever the configuration says now.
        let resource = demand.resource.flatMap { credential.isFor($0) ? nil : $0 }
        // A proper subset: the whole is what the stored token has.
        let (dialect, granted) = (provider.dialect, credential.grant.scopes)
        let isNarrower =
            dialect.narrowsScopes(of: provider) && !demand.scopes.isEmpty
            && dialect.missingScopes(asked: demand.scopes, granted: granted).isEmpty
            && !dialect.missingScopes(asked: granted, granted: demand.scopes).isEmpty
        guard resource != nil || isNarrower else { return nil }
        self.init(resource: resource, scopes: isNarrower ? demand.scopes : [])
    }
}
