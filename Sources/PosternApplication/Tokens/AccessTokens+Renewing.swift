import PosternCore
import PosternInterface

/// Asking the provider, storing what it answers, and answering those who wait.
extension AccessTokens {
    func carryOut(_ action: CredentialRenewal<Requester>.Action, of key: CredentialCache.Key) {
        switch action {
        case .wait: break
        case .tell(let requester, let verdict): requester.answer.fulfill(verdict.result)
        case .tellAll(let all, let waiting):
            tell(all)
            for each in waiting { want(each.waiter) }
        case .renew(let credential, let restriction): renew(credential, for: restriction)
        case .tellAndRenew(let requester, let verdict, let credential):
            requester.answer.fulfill(verdict.result)
            renew(credential, for: nil)
        case .save(let held): platform.work.start(.toBeKept) { await self.save(held) }
        case .askAgain(let waiting): for each in waiting { want(each.waiter) }
        case .discard(let credential, let all):
            if let credential {
                platform.work.start(.toBeKept) {
                    _ = await self.providers.revocationRequests.revoke(RevocationLedger.Entry(credential))
                }
            }
            tell(all)
        }
    }

    private func tell(_ all: [(waiter: Requester, verdict: TokenVerdict)]) {
        for (requester, verdict) in all { requester.answer.fulfill(verdict.result) }
    }

    // MARK: Asking the provider

    private func renew(_ credential: StoredCredential, for restriction: TokenRestriction?) {
        platform.activityChanged()
        platform.work.start(.toBeKept) {
            do throws(ProviderFailure) {
                switch try await self.renewed(credential, for: restriction) {
                case .kept(let writing): self.ended(writing, of: credential)
                case .restricted(let grant, let held):
                    await self.unmark(held)
                    self.ended(grant, of: held)
                }
            } catch {
                var failure = error
                if credential.grant.refreshTokenSentAt != nil { failure.followsLostAnswer = true }
                // An answer did arrive, or nothing was sent.
                if failure.progress != .unanswered { await self.unmark(credential) }
                await self.failed(failure, of: credential)
            }
            self.platform.activityChanged()
        }
    }

    /// The result of a renewal.
    private enum Outcome {
        case kept(Writing)
        /// A restricted token, of the credential as it is on disk.
        case restricted(Grant, of: StoredCredential)
    }

    /// Sends the request, once, and stores the result.
    private func renewed(
        _ credential: StoredCredential, for restriction: TokenRestriction?
    ) async throws(ProviderFailure) -> Outcome {
        let grant = credential.grant
        let resolved: ResolvedProvider
        do throws(ProviderFailure) {
            resolved = try await providers.directory.resolve(
                try providers.directory.provider(credential.providerID, boundTo: credential.binding), toRenew: grant)
        } catch { throw error.after(.notSent) }
        let request = TokenRequest.renewal(
            of: grant, for: restriction, redirectURI: providers.origins.registeredURI(of: resolved.provider), at: resolved,
            cryptography: platform.cryptography)
        guard let request else {
            let reason = "\(SignInRequirement.noRefreshToken(expiresAt: grant.expiresAt))"
            throw ProviderFailure.denied(error: "invalid_grant", description: reason).after(.notSent)
        }
        // Finding the provider's endpoints may have taken as long as a lock, or the end of the daemon, waits for work under way.
        try providers.exchange.requireNotClosing()
        let sentAt = platform.now
        let response = try await send(request, renewing: credential, at: resolved)
        // On disk before the rest of the answer is judged: the old token may be invalid already, and the rest may be unusable, or the
        // provider's keys unavailable just now.
        var held = credential
        if let rotated = TokenResponse.rotation(in: response, at: resolved, sentAt: sentAt).flatMap(credential.rotated) {
            let writing = await write(RenewedCredential(rotated, spent: grant.refreshToken, isWhole: false))
            if case .gone(var brought) = writing, var tokens = TokenResponse.refusedTokens(in: response, at: resolved, sentAt: sentAt) {
                // With the access token, which nobody will receive either.
                tokens.proofKey = grant.proofKey
                brought.grant = tokens
                return .kept(.gone(brought))
            }
            guard case .written(let kept) = writing else { return .kept(writing) }
            providers.cache.renewed(kept)
            held = kept
        }
        let fresh = try await accepted(response, for: held, restriction, isRotated: held != credential, at: resolved, sentAt: sentAt)
        if restriction != nil { return .restricted(held.restricted(to: fresh, dialect: resolved.dialect), of: held) }
        return .kept(await write(RenewedCredential(held.refreshed(with: fresh), spent: nil, isWhole: true)))
    }

    /// The answer to a refresh, of which the disk knows before it is sent: if the daemon is killed before the answer is stored, the next one
    /// knows why the token may be refused.
    ///
    /// Only at MCP servers' issuers, whose refresh tokens are good for one use as a rule.
    private func send(
        _ request: ProviderRequest, renewing credential: StoredCredential, at provider: ResolvedProvider
    ) async throws(ProviderFailure) -> ProviderResponse {
        if provider.provider.server != nil, credential.grant.refreshToken != nil { await mark(credential, sentAt: platform.now) }
        return try await providers.directory.send(request, to: provider.provider, proofKey: credential.grant.proofKey)
    }

    /// Nothing changes if the credential has been replaced meanwhile.
    private func unmark(_ credential: StoredCredential) async {
        guard providers.directory[credential.providerID]?.server != nil else { return }
        await mark(credential, sentAt: credential.grant.refreshTokenSentAt)
    }

    /// On disk alone: what is in memory knows it anyway.
    private func mark(_ credential: StoredCredential, sentAt moment: Timestamp?) async {
        var marked = credential
        marked.grant.refreshTokenSentAt = moment
        // If it cannot be written, nothing but the reason will be missing.
        try? await store.opened().mark(marked)
    }

    /// Returns what the provider gave, once it has passed every check.
    ///
    /// - Parameter isRotated: the answer contained a refresh token.
    private func accepted(
        _ response: ProviderResponse, for credential: StoredCredential, _ restriction: TokenRestriction?, isRotated: Bool,
        at resolved: ResolvedProvider, sentAt: Timestamp
    ) async throws(ProviderFailure) -> Grant {
        let grant = credential.grant
        let fresh: Grant
        let asked = restriction?.scopes ?? []
        do throws(TokenEndpointError) {
            fresh = try TokenResponse.grant(
                from: response, to: .refresh(tokenType: grant.tokenType), at: resolved, scopes: asked.isEmpty ? grant.scopes : asked,
                sentAt: sentAt, now: platform.now, proofKey: grant.proofKey)
        } catch {
            // If the answer contains a refresh token, none is treated as ended.
            let isOver =
                !isRotated
                && (restriction.map { resolved.dialect.endsRefreshToken(error, asking: $0) } ?? resolved.dialect.endsRefreshToken(error))
            if isOver { await forgetRefreshToken(of: credential, reason: error.reason) }
            let name = resolved.provider.displayName
            guard restriction != nil else { throw error.renewalFailure(at: name, isDenied: isOver || error.isWithoutReason) }
            var failure = error.renewalFailure(at: name, isDenied: isOver || (resolved.dialect.endsRefreshToken(error) && !isRotated))
            if case .transient = error {} else { failure.isAboutRestriction = !isOver }
            throw failure
        }
        guard let idToken = fresh.idToken else { return fresh }
        let expectation = IDTokenExpectation.refresh(at: resolved, of: credential, accessToken: fresh.accessToken)
        do throws(ProviderFailure) {
            if case .failure(let rejection) = try await providers.exchange.verdict(on: idToken, expecting: expectation, at: resolved) {
                if rejection.isAnotherIdentity {
                    // A grant of somebody else is no grant to renew from.
                    await forgetRefreshToken(of: credential, reason: "\(SignInRequirement.refreshedIdentityDiffers(rejection))")
                    // Nor is it known whose it is: the tokens and the ID token may belong to two accounts.
                    providers.revocationRequests.discard(fresh, of: nil, providerID: credential.providerID, binding: credential.binding)
                }
                throw rejection.providerFailure
            }
        } catch {
            throw error.after(.answered)
        }
        return fresh
    }

    /// A refused refresh token stays refused: the next program learns at once that the user is needed.
    private func forgetRefreshToken(of credential: StoredCredential, reason: String) async {
        await forget(credential, keeping: credential.withoutRefreshToken(now: platform.now), reason: reason, isOfAccessToken: false)
    }

    /// A refused access token that nothing can renew.
    func forgetTokens(of credential: StoredCredential, reason: String) async {
        await forget(credential, keeping: credential.withoutTokens(now: platform.now), reason: reason, isOfAccessToken: true)
    }

    /// Changes nothing if the credential has become another one meanwhile.
    private func forget(
        _ credential: StoredCredential, keeping rest: StoredCredential, reason: String, isOfAccessToken: Bool
    ) async {
        do {
            if try await store.opened().replaceCredential(rest, ifGeneration: credential.generation) {
                states.refused(rest, reason: reason, isOfAccessToken: isOfAccessToken)
                providers.cache.renewed(rest)
            }
        } catch {
            events.report(
                .storeProblem, "a refused \(isOfAccessToken ? "access" : "refresh") token could not be removed: \(error)", level: .warning,
                providerID: credential.providerID)
        }
    }

    private func failed(_ failure: ProviderFailure, of credential: StoredCredential) async {
        let key = CredentialCache.Key(credential)
        await providers.directory.failed(failure, with: credential.binding, at: key.providerID)
        let now = platform.now
        let name = providers.directory.displayName(key.providerID)
        let reason = InterfaceError(failure, providerID: key.providerID, providerName: name, isOfRenewal: true).message
        let words = reason.holds(name) ? "no fresh access token: \(reason)" : "\(name) gave no fresh access token: \(reason)"
        events.report(.refreshFailed, words, providerID: key.providerID)
        // Refused, but kept: the answer gave no reason, or the change could not be written.
        if failure.isFinal, !failure.isAboutRestriction, let kept = providers.cache[key], kept.generation == credential.generation {
            states.refused(kept, reason: failure.errorDescription ?? "it gave no reason")
        }
        carryOut(providers.cache.renewalEnded(of: key) { $0.failed(failure, now: now) }, of: key)
    }

    // MARK: Keeping the answer

    /// What became of a renewed credential.
    private enum Writing {
        /// It is on disk.
        case written(StoredCredential)
        /// Another sign-in was completed meanwhile, and is on disk.
        case newer(StoredCredential)
        /// The credential no longer exists.
        case gone(StoredCredential)
        case failed(RenewedCredential, StoreError)
    }

    private func write(_ renewed: RenewedCredential) async -> Writing {
        do throws(StoreError) {
            let store = try store.opened()
            let credential = renewed.credential
            if try await store.replaceCredential(credential, ifGeneration: credential.generation &- 1) { return .written(credential) }
            // A few rounds suffice: each lost one means another sign-in.
            for _ in 0..<8 {
                let current = try await store.credential(providerID: credential.providerID, subject: credential.subject)
                switch renewed.precedence(beside: current) {
                case .gone: return .gone(credential)
                case .newer(let current): return .newer(current)
                case .completes(let completed):
                    if try await store.replaceCredential(completed, ifGeneration: completed.generation &- 1) { return .newer(completed) }
                }
            }
            throw StoreError(.conflict, file: "the store", reason: "a credential changes faster than it can be saved")
        } catch {
            events.report(
                .storeProblem, "a renewed credential could not be saved and is \(store.isClosed ? "lost" : "held in memory"): \(error)",
                providerID: renewed.credential.providerID)
            return .failed(renewed, error)
        }
    }

    /// Handles the result of a request to the provider.
    private func ended(_ writing: Writing, of credential: StoredCredential) {
        let key = CredentialCache.Key(credential)
        providers.directory.succeeded(at: key.providerID)
        let dialect = providers.directory[key.providerID]?.dialect ?? StandardDialect()
        let now = platform.now
        switch writing {
        case .written(let fresh):
            states.renewed(from: credential, to: fresh, dialect: dialect)
            providers.cache.renewed(fresh)
            tellRenewal(providerID: key.providerID)
            let hasNewIDToken = fresh.grant.idToken != credential.grant.idToken
            carryOut(
                providers.cache.renewalEnded(of: key) { $0.renewed(fresh, hasNewIDToken: hasNewIDToken, dialect: dialect, now: now) },
                of: key)
        case .newer(let newer):
            states.signedIn(key)
            providers.cache.renewed(newer)
            carryOut(providers.cache.renewalEnded(of: key) { $0.superseded(by: newer, dialect: dialect) }, of: key)
        case .gone(let brought): carryOut(providers.cache.renewalEnded(of: key) { $0.gone(brought) }, of: key)
        case .failed(let renewed, let problem): notSaved(renewed, problem)
        }
    }

    /// The provider was asked for a restricted token, and gave one.
    private func ended(_ grant: Grant, of held: StoredCredential) {
        let key = CredentialCache.Key(held)
        providers.directory.succeeded(at: key.providerID)
        let dialect = providers.directory[key.providerID]?.dialect ?? StandardDialect()
        let now = platform.now
        events.report(
            .tokenRefreshed, "\(providers.directory.displayName(key.providerID)) gave an access token with fewer scopes than were granted",
            providerID: key.providerID)
        carryOut(providers.cache.renewalEnded(of: key) { $0.restricted(grant, of: held, dialect: dialect, now: now) }, of: key)
    }

    private func tellRenewal(providerID: String) {
        events.report(.tokenRefreshed, "\(providers.directory.displayName(providerID)) renewed the access token", providerID: providerID)
    }

    // MARK: Retrying failed writes

    private func notSaved(_ renewed: RenewedCredential, _ problem: StoreError) {
        let key = CredentialCache.Key(renewed.credential)
        let now = platform.now
        carryOut(providers.cache.renewalEnded(of: key) { $0.notSaved(renewed, problem, now: now) }, of: key)
        if providers.cache.holdsUnsaved { retryLater() }
    }

    /// A full disk will have room again at some time; nobody may ask until then.
    private func retryLater() {
        guard retry == nil else { return }
        retry = platform.timers.after(milliseconds: Self.pauseBetweenSaves) { [weak self] in
            guard let self else { return }
            retry = nil
            platform.work.start(.toBeKept) { await self.saveRest() }
        }
    }

    /// Tries once more to write what could not be written.
    func saveRest() async {
        for key in providers.cache.unsaved {
            if case .save(let held) = providers.cache.renewal(of: key, { $0.timeToSave() }) { await save(held) }
        }
    }

    /// One sentence for each credential that could not be written and will be tried again.
    var unsavedProblems: [String] {
        let problems = providers.cache.unsaved.map { key in
            "the renewed credential of \(calling(key)) could not be saved yet; "
                + "it is lost if the store is locked or the daemon ends before there is room on the disk"
        }
        return problems.sorted()
    }

    private func calling(_ key: CredentialCache.Key) -> String {
        let account = (try? credential(of: key.providerID, subject: key.subject))?.calling ?? key.subject
        return "\(account) at \(providers.directory.displayName(key.providerID))"
    }

    /// To be called when the daemon ends or the store is closed, and the last attempt to write them has failed.
    func tellLost() {
        for key in providers.cache.unsaved {
            events.report(
                .storeProblem,
                "the renewed credential of \(calling(key)) is lost, because it could not be saved; "
                    + "if the provider refuses the one before, run `postern sign-in \(key.providerID)`",
                providerID: key.providerID)
        }
    }

    private func save(_ held: RenewedCredential) async {
        let key = CredentialCache.Key(held.credential)
        switch await write(held) {
        case .written(let credential):
            providers.cache.renewed(credential)
            if held.isWhole { tellRenewal(providerID: key.providerID) }
            carryOut(providers.cache.renewalEnded(of: key) { $0.saved() }, of: key)
        case .newer(let credential):
            providers.cache.renewed(credential)
            carryOut(providers.cache.renewalEnded(of: key) { $0.saved() }, of: key)
        case .gone(let brought): carryOut(providers.cache.renewalEnded(of: key) { $0.gone(brought) }, of: key)
        case .failed(let renewed, let problem): notSaved(renewed, problem)
        }
    }

    /// The store was locked, and what was held in memory is dropped.
    func forgetAll() {
        retry?.cancel()
        retry = nil
    }
}

extension TokenEndpointError {
    /// For the user.
    fileprivate var reason: String { if case .refused(let refusal) = self { "\(refusal)" } else { description } }

    /// - Parameters:
    ///   - name: of the provider, for the sentence.
    ///   - isDenied: the user must act.
    fileprivate func renewalFailure(at name: String, isDenied: Bool) -> ProviderFailure {
        switch self {
        case .refused(let refusal) where isDenied:
            .denied(error: refusal.error ?? "invalid_grant", description: "\(refusal)").after(.answered)
        case .transient(let failure): providerFailure(at: name).after(.answered, retryAfterSeconds: failure.retryAfterSeconds)
        case .refused, .malformed: providerFailure(at: name).after(.answered)
        }
    }
}
