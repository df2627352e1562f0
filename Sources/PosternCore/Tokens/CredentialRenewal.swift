/// The renewal of one credential: who waits for it, what it brought that is not on disk yet, and what is remembered until the next.
///
/// Decisions only: the owner asks the provider, writes, and answers as these methods say. Each method is named after an event. An event
/// that this state does not expect changes nothing; in a debug build it stops the program.
///
/// A waiter is whatever the owner uses to answer it.
public struct CredentialRenewal<Waiter> {
    /// The provider is being asked, or its answer is being checked and written; or, if something is ``held``, that write is being repeated.
    private struct UnderWay {
        var waiting: [Waiting] = []
        /// What is requested; nil: the whole stored grant.
        var restriction: TokenRestriction?
        /// Those who want another token than the requested one. A refresh token may be valid for one use, so theirs are requested
        /// afterwards, one after the other.
        var queued: [Waiting] = []
        var course = Course.usual

        var everybody: [Waiting] { waiting + queued }

        /// The same verdict for all.
        func all(_ verdict: TokenVerdict) -> [(waiter: Waiter, verdict: TokenVerdict)] { everybody.map { ($0.waiter, verdict) } }

        mutating func join(_ waiting: Waiting, for restriction: TokenRestriction?) {
            if restriction == self.restriction { self.waiting.append(waiting) } else { queued.append(waiting) }
        }
    }

    /// What happened to the credential while the provider or the store was at work.
    private enum Course {
        case usual
        /// A new sign-in took place, so the result is about a grant that nobody needs now.
        case displaced
        /// It was revoked, together with what was not on disk.
        case revoked
        /// The store was locked.
        case forgotten
    }

    /// Who waits, and for what.
    public struct Waiting {
        public var waiter: Waiter
        public var demand: TokenDemand
    }

    public enum Action {
        /// Nothing to do before the next event.
        case wait
        /// Answer this waiter with this verdict.
        case tell(Waiter, TokenVerdict)
        /// Answer all of these, and then call ``wanted(_:_:by:of:dialect:now:)`` again for each of the others.
        case tellAll([(waiter: Waiter, verdict: TokenVerdict)], askAgain: [Waiting])
        /// Ask the provider for a grant to replace this one or, if there is a restriction, for an additional token. Next:
        /// ``renewed(_:hasNewIDToken:dialect:now:)`` or ``restricted(_:of:dialect:now:)``, ``superseded(by:dialect:)``, ``gone(_:)``,
        /// ``failed(_:now:)``, ``notSaved(_:_:now:)``.
        case renew(StoredCredential, TokenRestriction?)
        /// The same, but this waiter gets the stored token at once.
        case tellAndRenew(Waiter, TokenVerdict, StoredCredential)
        /// Write this. Next: ``saved()``, ``gone(_:)``, ``notSaved(_:_:now:)``.
        case save(RenewedCredential)
        /// The credential has been replaced: call ``wanted(_:_:by:of:dialect:now:)`` again for each.
        case askAgain([Waiting])
        /// The credential was deleted: answer these, and revoke at the provider what was issued for it; nil if that is done.
        case discard(StoredCredential?, [(waiter: Waiter, verdict: TokenVerdict)])
    }

    /// What a renewal brought and could not be written: the only copy of a refresh token.
    private var held: RenewedCredential?
    private var underWay: UnderWay?
    private var memory = RenewalMemory()
    private var restricted = RestrictedTokens()
    /// How often the token endpoint is asked, whatever is asked for: another service, fewer scopes, an ID token. ``RenewalMemory`` keeps a
    /// program from asking for the same token again and again, but a program can invent as many services as it likes.
    ///
    /// As many at once as there are different tokens to remember, so that no program that starts after a boot has to wait; then six a
    /// minute, which is no burden (``RenewalMemory/longestFreshness``).
    private var pace = TokenBucket(capacity: Int64(RestrictedTokens.limit) + 1, secondsPerToken: 10)

    public init() {}

    /// As new, except for the pace: no event is an occasion for more requests.
    private mutating func startAgain() {
        held = nil
        underWay = nil
        forgetTokens()
    }

    private mutating func forgetTokens() {
        memory = RenewalMemory()
        restricted = RestrictedTokens()
    }

    /// Requests were sent, so that another credential of the same account would not start from nothing.
    public var hasAsked: Bool { !pace.isFull }

    /// The provider or the store is at work.
    public var isUnderWay: Bool { underWay != nil }

    /// Something exists only in memory.
    public var holdsUnsaved: Bool { held != nil }

    // MARK: A program wants a token

    /// - Parameters:
    ///   - restriction: the demand's; nil if the stored token is meant.
    ///   - credential: as it is stored now.
    public mutating func wanted(
        _ demand: TokenDemand, _ restriction: TokenRestriction? = nil, by waiter: Waiter, of credential: StoredCredential,
        dialect: any ProviderDialect, now: Timestamp
    ) -> Action {
        // The unsaved grant may have ended the stored one.
        if let held {
            let isBegun = isUnderWay
            underWay = underWay ?? UnderWay()
            underWay?.waiting.append(Waiting(waiter: waiter, demand: demand))
            return isBegun ? .wait : .save(held)
        }
        let decision: RefreshDecision
        let kept: StoredCredential?
        if let restriction {
            kept = restricted[restriction]
            decision = RefreshDecision(for: credential, restricted: kept, demand, dialect: dialect, now: now)
        } else {
            kept = credential
            decision = RefreshDecision(for: credential, demand, dialect: dialect, now: now)
        }
        switch decision {
        case .useStored: return .tell(waiter, .token(kept ?? credential))
        case .useStoredAndRenew: return renewAhead(credential, waiter, now: now)
        case .refresh: return renew(credential, restriction, Waiting(waiter: waiter, demand: demand), dialect: dialect, now: now)
        case .signInRequired(let requirement): return .tell(waiter, .signInRequired(requirement))
        case .scopeNotGranted(let missing): return .tell(waiter, .scopeNotGranted(missing: missing))
        case .noIDToken: return .tell(waiter, .noIDToken)
        }
    }

    private mutating func renew(
        _ credential: StoredCredential, _ restriction: TokenRestriction?, _ waiting: Waiting, dialect: any ProviderDialect, now: Timestamp
    ) -> Action {
        // A hundred callers cause one renewal.
        if isUnderWay {
            underWay?.join(waiting, for: restriction)
            return .wait
        }
        if let restriction {
            if let best = restricted.token(restriction, if: { $0.isBest($1, for: waiting.demand, now: now) }) {
                return .tell(waiting.waiter, .token(best))
            }
            if let failure = restricted.pause(restriction, now: now) { return .tell(waiting.waiter, .failed(failure)) }
        } else if memory.isBest(credential, for: waiting.demand, now: now) {
            let hasNewIDToken = !memory.missedIDToken
            return .tell(waiting.waiter, verdict(for: waiting.demand, credential, dialect, hasNewIDToken: hasNewIDToken))
        }
        if let failure = memory.pause(now: now) { return .tell(waiting.waiter, .failed(failure)) }
        if restriction != nil, let wait = restricted.wait(now: now) { return .tell(waiting.waiter, .tooMany(wait)) }
        guard pace.take(now: now) else {
            return .tell(waiting.waiter, verdictWithoutRequest(waiting.demand, restriction, of: credential, now: now))
        }
        underWay = UnderWay(waiting: [waiting], restriction: restriction)
        return .renew(credential, restriction)
    }

    /// Too many requests were sent. A token that is valid for less time than requested is better than none, if no other was longer.
    private func verdictWithoutRequest(
        _ demand: TokenDemand, _ restriction: TokenRestriction?, of credential: StoredCredential, now: Timestamp
    ) -> TokenVerdict {
        func isLongest(_ memory: RenewalMemory, _ token: StoredCredential) -> Bool { memory.isLongest(token, for: demand, now: now) }
        let longest =
            if let restriction { restricted.token(restriction, if: isLongest) } else { isLongest(memory, credential) ? credential : nil }
        return longest.map { .token($0) } ?? .tooMany(.requests(seconds: pace.secondsToNext(now: now)))
    }

    /// The restricted token, if it is good enough as it is; nil if ``wanted(_:_:by:of:dialect:now:)`` must be called.
    public func stored(
        _ restriction: TokenRestriction, for demand: TokenDemand, of credential: StoredCredential, dialect: any ProviderDialect,
        now: Timestamp
    ) -> StoredCredential? {
        guard !holdsUnsaved, let token = restricted[restriction],
            RefreshDecision(for: credential, restricted: token, demand, dialect: dialect, now: now) == .useStored
        else { return nil }
        return token
    }

    /// Restricted tokens that may still be valid, to be revoked with their credential.
    public func restrictedGrants(now: Timestamp) -> [Grant] { restricted.grants(now: now) }

    /// A server refused this token. If it is a restricted one, it is no longer handed out.
    public mutating func refused(_ token: Secret) { restricted.refused(token) }

    /// For later callers. Not at each call: a provider that issues nothing better now issues nothing better a moment later.
    private mutating func renewAhead(_ credential: StoredCredential, _ waiter: Waiter, now: Timestamp) -> Action {
        guard !isUnderWay, memory.triesAhead(now: now), pace.take(now: now) else { return .tell(waiter, .token(credential)) }
        underWay = UnderWay()
        return .tellAndRenew(waiter, .token(credential), credential)
    }

    // MARK: A renewal ends

    /// The renewal that the provider is asked for; nil if there is none, or if only a write is under way.
    private var renewing: UnderWay? { held == nil ? underWay : nil }

    /// The new grant is on disk.
    ///
    /// - Parameter hasNewIDToken: an ID token came with it; otherwise the previous one is still there.
    public mutating func renewed(
        _ credential: StoredCredential, hasNewIDToken: Bool, dialect: any ProviderDialect, now: Timestamp
    ) -> Action {
        guard let underWay = renewing, underWay.restriction == nil else { return unexpected() }
        self.underWay = nil
        memory.fetched(credential, hasNewIDToken: hasNewIDToken, for: underWay.waiting.map(\.demand), now: now)
        return tell(underWay, credential, dialect, hasNewIDToken: hasNewIDToken)
    }

    /// The requested restricted token has arrived. It is kept only here.
    ///
    /// - Parameter credential: as it is on disk; with the new refresh token, if there was one.
    public mutating func restricted(_ grant: Grant, of credential: StoredCredential, dialect: any ProviderDialect, now: Timestamp) -> Action
    {
        guard let underWay = renewing, let restriction = underWay.restriction else { return unexpected() }
        self.underWay = nil
        switch underWay.course {
        case .usual:
            memory.answered()
            let token = restricted.fetched(
                grant, for: restriction, of: credential, demands: underWay.waiting.map(\.demand), now: now)
            return tell(underWay, token, dialect, hasNewIDToken: true)
        // It belongs to the previous grant.
        case .displaced: return .askAgain(underWay.everybody)
        case .revoked:
            var brought = credential
            brought.grant = grant
            return .discard(brought, underWay.all(.takenBack))
        case .forgotten:
            return .tellAll(
                underWay.all(.failed(.storeLocked(message: "the store was locked in the meantime; unlock it and ask again"))),
                askAgain: [])
        }
    }

    /// A new sign-in took place while the provider answered, and its grant is what is on disk.
    public mutating func superseded(by credential: StoredCredential, dialect: any ProviderDialect) -> Action {
        guard let underWay = renewing else { return unexpected() }
        startAgain()
        guard underWay.restriction == nil else { return .askAgain(underWay.everybody) }
        return tell(underWay, credential, dialect, hasNewIDToken: true)
    }

    private func tell(
        _ underWay: UnderWay, _ credential: StoredCredential, _ dialect: any ProviderDialect, hasNewIDToken: Bool
    ) -> Action {
        let told = underWay.waiting.map {
            (waiter: $0.waiter, verdict: verdict(for: $0.demand, credential, dialect, hasNewIDToken: hasNewIDToken))
        }
        return .tellAll(told, askAgain: underWay.queued)
    }

    /// What a caller gets from a grant that is as new as possible.
    private func verdict(
        for demand: TokenDemand, _ credential: StoredCredential, _ dialect: any ProviderDialect, hasNewIDToken: Bool
    ) -> TokenVerdict {
        switch demand.kind {
        case .accessToken:
            // A caller that waited for another's renewal may need more than that one brought.
            let missing = dialect.missingScopes(asked: demand.scopes, granted: credential.grant.scopes)
            return missing.isEmpty ? .token(credential) : .scopeNotGranted(missing: missing)
        case .idToken:
            guard let end = credential.idTokenExpiresAt else { return .noIDToken }
            return hasNewIDToken ? .token(credential) : .signInRequired(.idTokenNotRenewed(expiresAt: end))
        }
    }

    /// The renewal brought no token. If it brought a refresh token, that is on disk.
    public mutating func failed(_ failure: ProviderFailure, now: Timestamp) -> Action {
        guard let underWay = renewing else { return unexpected() }
        self.underWay = nil
        if failure.progress == .notSent { pace.putBack() }
        switch underWay.course {
        case .usual:
            // A caller that wants another token may succeed, and learns at once if the provider must not be asked now.
            let told: ProviderFailure
            if let restriction = underWay.restriction, failure.isAboutRestriction {
                told = restricted.failed(failure, for: restriction, now: now)
            } else {
                told = memory.failed(failure, now: now)
            }
            return .tellAll(underWay.waiting.map { ($0.waiter, .failed(told)) }, askAgain: underWay.queued)
        // It says nothing about the grant that is stored now.
        case .displaced: return .askAgain(underWay.everybody)
        case .revoked: return .tellAll(underWay.all(.takenBack), askAgain: [])
        case .forgotten: return .tellAll(underWay.all(.failed(failure)), askAgain: [])
        }
    }

    /// The result of a renewal was to be written, and the credential is no longer there.
    public mutating func gone(_ brought: StoredCredential) -> Action {
        guard let underWay else { return unexpected() }
        let isTaken = wasTaken
        startAgain()
        return .discard(isTaken ? nil : brought, underWay.all(.takenBack))
    }

    /// What was held was revoked while its write was repeated.
    private var wasTaken: Bool { held != nil && underWay?.course == .revoked }

    // MARK: Retrying failed writes

    /// The result of a renewal, or a part of it, is not on disk.
    public mutating func notSaved(_ renewed: RenewedCredential, _ problem: StoreError, now: Timestamp) -> Action {
        guard let underWay else { return unexpected() }
        switch underWay.course {
        case .usual, .displaced:
            if held == nil, renewed.isWhole { memory.fetched(renewed.credential, hasNewIDToken: true, for: [], now: now) }
            held = renewed
            self.underWay = nil
        case .revoked: return gone(renewed.credential)
        // A user who locks the store wants nothing left here.
        case .forgotten: startAgain()
        }
        return .tellAll(underWay.all(.notSaved(problem)), askAgain: [])
    }

    /// What was held is on disk, or was replaced by a sign-in that is.
    public mutating func saved() -> Action {
        guard held != nil, let underWay else { return unexpected() }
        held = nil
        self.underWay = nil
        return .askAgain(underWay.everybody)
    }

    /// A full disk may have room again, even if no program asks until then; or the daemon is about to end.
    public mutating func timeToSave() -> Action {
        guard let held, !isUnderWay else { return .wait }
        underWay = UnderWay()
        return .save(held)
    }

    // MARK: The credential becomes another one

    /// A new sign-in took place. What is held may still have the only valid refresh token, if the sign-in brought none.
    public mutating func signedIn() {
        forgetTokens()
        if held == nil { underWay?.course = .displaced }
    }

    /// The credential was deleted, and is to be revoked at its provider.
    ///
    /// - Returns: what is not on disk, to be revoked instead.
    public mutating func revoked() -> StoredCredential? {
        forgetTokens()
        let taken = wasTaken ? nil : held?.credential
        // While it is being written it stays, so that the end of the write is expected.
        if !isUnderWay { held = nil }
        underWay?.course = .revoked
        return taken
    }

    /// The store was locked. What could not be written before is discarded: a user who locks the store wants nothing left here. When the
    /// provider was asked is remembered.
    public mutating func forgotten() {
        memory.forgotten()
        restricted.forgetTokens()
        if !isUnderWay { held = nil }
        // What was revoked before is still to be revoked.
        if underWay?.course != .revoked { underWay?.course = .forgotten }
    }

    /// The cause of failed renewals may be fixed, so the next is not postponed for long.
    public mutating func configurationRead() {
        memory.configurationRead()
        restricted.configurationRead()
    }

    private func unexpected(_ event: String = #function) -> Action {
        assertionFailure("\(event) while \(isUnderWay ? "" : "nothing ")is under way, with\(held == nil ? " nothing" : "") unsaved")
        return .wait
    }
}
