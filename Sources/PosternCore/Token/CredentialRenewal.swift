/// The renewal of one credential: who waits for it, what it brought that is not on disk yet, and what is remembered of it until the next.
///
/// Decisions only: the owner asks the provider, writes and tells what these methods say. A method is named for the event that happened.
/// An event that this state does not expect changes nothing; in a debug build it stops the program.
///
/// A waiter is whatever the owner answers it by.
public struct CredentialRenewal<Waiter> {
    private enum State {
        /// Nothing is under way. Next: renewing.
        case idle
        /// The provider is asked, or its answer is judged and written. Next: idle, holding.
        case renewing(UnderWay)
        /// What a renewal brought could not be written: the only copy of a refresh token. Next: saving, or idle where it is released.
        case holding(RenewedCredential)
        /// It is written once more. Next: idle, holding.
        case saving(RenewedCredential, UnderWay)
    }

    private struct UnderWay {
        var waiting: [Waiting] = []
        /// What is asked for; nil: the grant that is kept, whole.
        var restriction: TokenRestriction?
        /// Those who want another token than the one that is asked for. A refresh token may be valid for one use, so theirs are asked for
        /// when this is over, one after the other.
        var queued: [Waiting] = []
        var course = Course.usual

        var everybody: [Waiting] { waiting + queued }

        /// The same for all.
        func all(_ verdict: TokenVerdict) -> [(waiter: Waiter, verdict: TokenVerdict)] { everybody.map { ($0.waiter, verdict) } }

        mutating func join(_ waiting: Waiting, for restriction: TokenRestriction?) {
            if restriction == self.restriction { self.waiting.append(waiting) } else { queued.append(waiting) }
        }
    }

    /// What happened to the credential while the provider or the store was at work.
    private enum Course {
        case usual
        /// Somebody signed in again, so what comes is about a grant that nobody needs now.
        case displaced
        /// It was revoked, and what was not on disk with it.
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
        /// This one gets what is meant for it.
        case tell(Waiter, TokenVerdict)
        /// So do these.
        case tellAll([(waiter: Waiter, verdict: TokenVerdict)])
        /// So do these, and then: ``wanted(_:_:by:of:dialect:now:)`` again for each of those.
        case tellAllAndAskAgain([(waiter: Waiter, verdict: TokenVerdict)], [Waiting])
        /// Ask the provider for a grant in place of this one, or, if there is a restriction, for a token beside it. Next:
        /// ``renewed(_:hasNewIDToken:dialect:now:)`` or ``restricted(_:of:now:)``, ``superseded(by:dialect:)``, ``gone(_:)``,
        /// ``failed(_:now:)``, ``notSaved(_:_:now:)``.
        case renew(StoredCredential, TokenRestriction?)
        /// The same, and this one gets what there is and does not wait for it.
        case tellAndRenew(Waiter, TokenVerdict, StoredCredential)
        /// Write this. Next: ``saved()``, ``gone(_:)``, ``notSaved(_:_:now:)``.
        case save(RenewedCredential)
        /// The credential is another one by now: ``wanted(_:_:by:of:dialect:now:)`` again for each.
        case askAgain([Waiting])
        /// The credential was deleted: these are told, and what came for it is to be revoked at the provider; nil if that is done.
        case discard(StoredCredential?, [(waiter: Waiter, verdict: TokenVerdict)])
    }

    private var state = State.idle
    private var memory = RenewalMemory()
    private var restricted = RestrictedTokens()

    public init() {}

    /// The provider or the store is at work.
    public var isUnderWay: Bool {
        switch state {
        case .idle, .holding: false
        case .renewing, .saving: true
        }
    }

    /// Something stands only in memory.
    public var holdsUnsaved: Bool {
        switch state {
        case .idle, .renewing: false
        case .holding, .saving: true
        }
    }

    // MARK: A program wants a token

    /// - Parameters:
    ///   - restriction: the demand's; nil if the token that is kept is meant.
    ///   - credential: as it is kept now.
    public mutating func wanted(
        _ demand: TokenDemand, _ restriction: TokenRestriction? = nil, by waiter: Waiter, of credential: StoredCredential,
        dialect: any ProviderDialect, now: Timestamp
    ) -> Action {
        switch state {
        case .idle, .renewing: break
        // With the grant that is not on disk came perhaps the end of the one that is.
        case .holding(let held):
            state = .saving(held, UnderWay(waiting: [Waiting(waiter: waiter, demand: demand)]))
            return .save(held)
        case .saving(let held, var underWay):
            underWay.waiting.append(Waiting(waiter: waiter, demand: demand))
            state = .saving(held, underWay)
            return .wait
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
        // A hundred who ask cause one renewal.
        if case .renewing(var underWay) = state {
            underWay.join(waiting, for: restriction)
            state = .renewing(underWay)
            return .wait
        }
        if let restriction {
            if let best = restricted.best(restriction, for: waiting.demand, now: now) { return .tell(waiting.waiter, .token(best)) }
            if let failure = restricted.pause(restriction, now: now) { return .tell(waiting.waiter, .failed(failure)) }
        } else if memory.isBest(credential, for: waiting.demand, now: now) {
            let hasNewIDToken = !memory.missedIDToken
            return .tell(waiting.waiter, verdict(for: waiting.demand, credential, dialect, hasNewIDToken: hasNewIDToken))
        }
        if let failure = memory.pause(now: now) { return .tell(waiting.waiter, .failed(failure)) }
        state = .renewing(UnderWay(waiting: [waiting], restriction: restriction))
        return .renew(credential, restriction)
    }

    /// The restricted token that will do as it is; nil if ``wanted(_:_:by:of:dialect:now:)`` is to be asked.
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

    /// For whoever asks next. Not at each question: a provider that gives nothing better now gives nothing better a moment later.
    private mutating func renewAhead(_ credential: StoredCredential, _ waiter: Waiter, now: Timestamp) -> Action {
        guard case .idle = state, memory.triesAhead(now: now) else { return .tell(waiter, .token(credential)) }
        state = .renewing(UnderWay())
        return .tellAndRenew(waiter, .token(credential), credential)
    }

    // MARK: A renewal ends

    /// The new grant is on disk.
    ///
    /// - Parameter hasNewIDToken: one came with it; else the one from before is still there.
    public mutating func renewed(
        _ credential: StoredCredential, hasNewIDToken: Bool, dialect: any ProviderDialect, now: Timestamp
    ) -> Action {
        guard case .renewing(let underWay) = state, underWay.restriction == nil else { return unexpected() }
        state = .idle
        memory.fetched(credential, hasNewIDToken: hasNewIDToken, for: underWay.waiting.map(\.demand), now: now)
        return tell(underWay, credential, dialect, hasNewIDToken: hasNewIDToken)
    }

    /// The restricted token that was asked for has come. It is kept here, and nowhere else.
    ///
    /// - Parameter credential: as it is on disk; with the refresh token that came along, where one did.
    public mutating func restricted(_ grant: Grant, of credential: StoredCredential, dialect: any ProviderDialect, now: Timestamp) -> Action
    {
        guard case .renewing(let underWay) = state, let restriction = underWay.restriction else { return unexpected() }
        state = .idle
        switch underWay.course {
        case .usual:
            memory.answered()
            let token = restricted.fetched(
                grant, for: restriction, of: credential, demands: underWay.waiting.map(\.demand), now: now)
            return tell(underWay, token, dialect, hasNewIDToken: true)
        // It is of the grant from before.
        case .displaced: return .askAgain(underWay.everybody)
        case .revoked:
            var brought = credential
            brought.grant = grant
            return .discard(brought, underWay.all(.takenBack))
        case .forgotten:
            return .tellAll(
                underWay.all(.failed(ToldFailure(.storeLocked(message: "the store was locked in the meantime; unlock it and ask again")))))
        }
    }

    /// Somebody signed in again while the provider answered, and that is what is on disk.
    public mutating func superseded(by credential: StoredCredential, dialect: any ProviderDialect) -> Action {
        guard case .renewing(let underWay) = state else { return unexpected() }
        state = .idle
        memory = RenewalMemory()
        restricted = RestrictedTokens()
        guard underWay.restriction == nil else { return .askAgain(underWay.everybody) }
        return tell(underWay, credential, dialect, hasNewIDToken: true)
    }

    private func tell(
        _ underWay: UnderWay, _ credential: StoredCredential, _ dialect: any ProviderDialect, hasNewIDToken: Bool
    ) -> Action {
        let told = underWay.waiting.map {
            (waiter: $0.waiter, verdict: verdict(for: $0.demand, credential, dialect, hasNewIDToken: hasNewIDToken))
        }
        return underWay.queued.isEmpty ? .tellAll(told) : .tellAllAndAskAgain(told, underWay.queued)
    }

    /// What somebody gets of a grant that is as new as it can be.
    private func verdict(
        for demand: TokenDemand, _ credential: StoredCredential, _ dialect: any ProviderDialect, hasNewIDToken: Bool
    ) -> TokenVerdict {
        switch demand.kind {
        case .accessToken:
            // Who waited for a renewal that another one caused may need more than that one.
            let missing = dialect.missingScopes(asked: demand.scopes, granted: credential.grant.scopes)
            return missing.isEmpty ? .token(credential) : .scopeNotGranted(missing: missing)
        case .idToken:
            guard let end = credential.idTokenExpiresAt else { return .noIDToken }
            return hasNewIDToken ? .token(credential) : .signInRequired(.idTokenNotRenewed(expiresAt: end))
        }
    }

    /// The renewal brought no token. What it brought of a refresh token is on disk.
    public mutating func failed(_ failure: RenewalFailure, now: Timestamp) -> Action {
        guard case .renewing(let underWay) = state else { return unexpected() }
        state = .idle
        switch underWay.course {
        case .usual:
            // A caller that asks for another token may succeed, and learns at once if the provider is left alone.
            let told: ToldFailure
            if let restriction = underWay.restriction, failure.isAboutRestriction {
                told = restricted.failed(failure, for: restriction, now: now)
            } else {
                told = memory.failed(failure, now: now)
            }
            let all = underWay.waiting.map { (waiter: $0.waiter, verdict: TokenVerdict.failed(told)) }
            return underWay.queued.isEmpty ? .tellAll(all) : .tellAllAndAskAgain(all, underWay.queued)
        // It says nothing about the grant that is kept now.
        case .displaced: return .askAgain(underWay.everybody)
        case .revoked: return .tellAll(underWay.all(.takenBack))
        case .forgotten: return .tellAll(underWay.all(.failed(ToldFailure(failure.failure))))
        }
    }

    /// What a renewal brought was to be written, and the credential is no longer there.
    public mutating func gone(_ brought: StoredCredential) -> Action {
        switch state {
        case .idle, .holding: return unexpected()
        case .renewing(let underWay):
            self = CredentialRenewal()
            return .discard(brought, underWay.all(.takenBack))
        case .saving(_, let underWay):
            self = CredentialRenewal()
            return .discard(underWay.course == .revoked ? nil : brought, underWay.all(.takenBack))
        }
    }

    // MARK: Writing what could not be written

    /// What a renewal brought, or a part of it, is not on disk.
    public mutating func notSaved(_ renewed: RenewedCredential, _ problem: StoreError, now: Timestamp) -> Action {
        let underWay: UnderWay
        let isTaken: Bool
        switch state {
        case .idle, .holding: return unexpected()
        case .renewing(let renewing): (underWay, isTaken) = (renewing, false)
        case .saving(_, let saving): (underWay, isTaken) = (saving, saving.course == .revoked)
        }
        switch underWay.course {
        case .usual, .displaced:
            if case .renewing = state, renewed.isWhole {
                memory.fetched(renewed.credential, hasNewIDToken: true, for: [], now: now)
            }
            state = .holding(renewed)
            return .tellAll(underWay.all(.notSaved(problem)))
        case .revoked:
            self = CredentialRenewal()
            return .discard(isTaken ? nil : renewed.credential, underWay.all(.takenBack))
        // Who locks wants nothing left here.
        case .forgotten:
            self = CredentialRenewal()
            return .tellAll(underWay.all(.notSaved(problem)))
        }
    }

    /// What was held is on disk, or gave way to a sign-in that is.
    public mutating func saved() -> Action {
        guard case .saving(_, let underWay) = state else { return unexpected() }
        state = .idle
        return .askAgain(underWay.everybody)
    }

    /// A disk has room again at some time, and nobody may ask until then; or the daemon is about to end.
    public mutating func timeToSave() -> Action {
        guard case .holding(let held) = state else { return .wait }
        state = .saving(held, UnderWay())
        return .save(held)
    }

    // MARK: The credential becomes another one

    /// Somebody signed in again. What is held may still have the only good refresh token, where the sign-in brought none.
    public mutating func signedIn() {
        memory = RenewalMemory()
        restricted = RestrictedTokens()
        if case .renewing(var underWay) = state {
            underWay.course = .displaced
            state = .renewing(underWay)
        }
    }

    /// The credential was deleted, to be revoked at its provider.
    ///
    /// - Returns: what is not on disk, to be revoked in its place.
    public mutating func revoked() -> StoredCredential? {
        memory = RenewalMemory()
        restricted = RestrictedTokens()
        switch state {
        case .idle: return nil
        case .holding(let held):
            state = .idle
            return held.credential
        case .renewing(var underWay):
            underWay.course = .revoked
            state = .renewing(underWay)
            return nil
        case .saving(let held, var underWay):
            defer {
                underWay.course = .revoked
                state = .saving(held, underWay)
            }
            return underWay.course == .revoked ? nil : held.credential
        }
    }

    /// The store was locked. What could not be written before is released: who locks wants nothing left here. When the provider was asked
    /// is remembered.
    public mutating func forgotten() {
        memory.forgotten()
        restricted.forgetTokens()
        switch state {
        case .idle: break
        case .holding: state = .idle
        case .renewing(var underWay):
            underWay.course = .forgotten
            state = .renewing(underWay)
        case .saving(let held, var underWay):
            underWay.course = .forgotten
            state = .saving(held, underWay)
        }
    }

    /// What made renewals fail may be mended, so the next is not put off for long.
    public mutating func configurationRead() {
        memory.configurationRead()
        restricted.configurationRead()
    }

    private func unexpected(_ event: String = #function) -> Action {
        assertionFailure("\(event) in the state \(state)")
        return .wait
    }
}
