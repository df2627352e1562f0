import PosternCore

/// Asks providers to revoke grants.
@DaemonActor
final class RevocationRequests: Grounded {
    private let cache: CredentialCache
    let ground: Ground
    private let providers: ProviderDirectory
    /// On disk, and being asked for.
    private var underWay: [RevocationLedger.Entry] = []
    private var timer: (any PendingTimer)?

    init(_ ground: Ground, cache: CredentialCache, providers: ProviderDirectory) {
        self.cache = cache
        self.ground = ground
        self.providers = providers
    }

    /// Handles a grant that is not kept. It is revoked, unless that could end a credential that is kept: ``UnwantedGrant``.
    ///
    /// - Parameter subject: the account that it belongs to; nil if that is not known for certain.
    func discard(_ grant: Grant, of subject: String?, providerID: String, binding: ProviderBinding) {
        // Nor can this be decided before all of them are known.
        let kept = store.isClosed || !cache.isComplete ? nil : cache.credentials(providerID: providerID).map(\.subject)
        if let reason = UnwantedGrant.reasonToLeaveIt(of: subject, kept: kept) {
            let name = providers.displayName(providerID)
            events.report(
                .providerProblem, "tokens of \(name) that were not stored are not revoked and will expire: \(reason)", level: .notice,
                providerID: providerID)
            return
        }
        platform.work.start(.toBeKept) {
            _ = await self.revoke(RevocationLedger.Entry(providerID: providerID, subject: subject, binding: binding, grant: grant))
        }
    }

    // MARK: One grant

    /// Revokes a grant that is written nowhere yet: it is written first, so that it is not lost if the daemon ends meanwhile.
    func revoke(_ entry: RevocationLedger.Entry) async -> RevocationResult {
        await change { $0.add(entry) }
        return await revoke(written: entry)
    }

    /// Revokes a grant that is on disk, and forgets it there once the provider has answered. If it gives no answer, it is asked again.
    func revoke(written entry: RevocationLedger.Entry) async -> RevocationResult {
        underWay.append(entry)
        let (result, isOver) = await ask(entry, isFirst: true)
        ended(entry)
        await asked(entry, isOver: isOver)
        return result
    }

    /// Revokes a grant that is neither stored nor worth a second request.
    func revokeOnce(_ grant: Grant, providerID: String, binding: ProviderBinding) async {
        _ = await ask(RevocationLedger.Entry(providerID: providerID, subject: nil, binding: binding, grant: grant), isFirst: true)
    }

    /// It is not revoked after all.
    func forget(_ entry: RevocationLedger.Entry) async { await change { $0.remove(entry) } }

    private func ended(_ entry: RevocationLedger.Entry) {
        if let index = underWay.firstIndex(where: entry.isSame) { underWay.remove(at: index) }
    }

    private func asked(_ entry: RevocationLedger.Entry, isOver: Bool) async {
        let now = platform.now
        await change { if isOver { $0.remove(entry) } else { $0.asked(entry, at: now) } }
        if !isOver { askAgainLater() }
    }

    /// - Returns: nil if it could not be read or written.
    @discardableResult
    private func change(_ change: @escaping @Sendable (inout RevocationLedger) -> Void) async -> RevocationLedger? {
        // Locked meanwhile: what is on disk stays there, and is asked for again once it can be read.
        guard !store.isClosed else { return nil }
        do throws(StoreError) { return try await store.opened().changeRevocations(change) } catch {
            if !error.isLock {
                events.report(.storeProblem, "what is to be revoked could not be noted: \(error)", level: .warning)
            }
            return nil
        }
    }

    // MARK: What an earlier request did not end

    /// Asks for what was to be revoked and is not, as far as is known. To be called when all credentials are known.
    func resume() async {
        timer?.cancel()
        timer = nil
        // Without them it is not known whether somebody has signed in again.
        guard !store.isUnavailable, cache.isComplete else { return }
        let now = platform.now
        var over: [RevocationLedger.Entry] = []
        guard let ledger = await change({ _ in }) else {
            // A lock is followed by an unlock, which asks again.
            if !store.isUnavailable { askAgainLater() }
            return
        }
        for entry in ledger.entries where !underWay.contains(where: entry.isSame) {
            guard !entry.isOver(now: now) else {
                over.append(entry)
                continue
            }
            guard entry.isDue(now: now) else { continue }
            let kept = cache.credentials(providerID: entry.providerID).map(\.subject)
            guard UnwantedGrant.reasonToLeaveIt(of: entry.subject, kept: kept) == nil else {
                await forget(entry)
                continue
            }
            underWay.append(entry)
            let (result, isOver) = await ask(entry, isFirst: entry.firstAskedAt == nil)
            ended(entry)
            await asked(entry, isOver: isOver)
            if result == .revoked {
                events.report(
                    .credentialRevoked, "\(providers.displayName(entry.providerID)) revoked a credential that was to be revoked before",
                    providerID: entry.providerID)
            }
            guard !store.isUnavailable else { return }
        }
        await giveUp(over, dropped: ledger.dropped)
        if ledger.entries.count > over.count { askAgainLater() }
    }

    private func giveUp(_ entries: [RevocationLedger.Entry], dropped: Int) async {
        for entry in entries {
            await forget(entry)
            let name = providers.displayName(entry.providerID)
            events.report(
                .revocationFailed,
                "\(name) has not answered for \(RevocationLedger.patience / 86_400) days, and is not asked again to revoke a credential; it may "
                    + "still be valid there", providerID: entry.providerID)
        }
        guard dropped > 0 else { return }
        await change { $0.toldOfDropped() }
        events.report(
            .revocationFailed,
            "more than \(RevocationLedger.most) credentials were to be revoked: for the \(dropped) oldest the provider is not asked again; they "
                + "may still be valid there")
    }

    private func askAgainLater() {
        guard timer == nil else { return }
        timer = platform.timers.after(milliseconds: RevocationLedger.pause * 1000) { [weak self] in
            guard let self else { return }
            self.timer = nil
            self.platform.work.start(.toBeKept) { await self.resume() }
        }
    }

    /// The store was closed: what is in it is asked for when it is opened again.
    func storeClosed() {
        timer?.cancel()
        timer = nil
    }

    // MARK: Asking

    /// Tries every request: if one gets no answer, the next may.
    ///
    /// A provider's refusals are logged.
    ///
    /// - Parameter isFirst: a later one that gets no answer is not logged.
    /// - Returns: whether it makes no sense to ask again, too.
    private func ask(_ entry: RevocationLedger.Entry, isFirst: Bool) async -> (result: RevocationResult, isOver: Bool) {
        let (grant, providerID) = (entry.grant, entry.providerID)
        func warn(_ problem: String, isFinal: Bool) {
            guard isFirst || isFinal else { return }
            events.report(
                .revocationFailed, "\(providers.displayName(providerID)) did not revoke a credential: \(problem)", providerID: providerID)
        }
        do throws(ProviderFailure) {
            let provider = try providers.provider(providerID, boundTo: entry.binding)
            let resolved = try await providers.resolveForRevocation(provider)
            var outcomes: [RevocationOutcome] = []
            let requests = provider.dialect.revocationRequests(for: grant, at: resolved, cryptography: platform.cryptography)
            for request in requests {
                do throws(ProviderFailure) {
                    let answer = try await providers.send(request, authorizedBy: grant, at: resolved)
                    outcomes.append(provider.dialect.revocationOutcome(of: answer, now: platform.now))
                } catch {
                    warn("\(error)", isFinal: false)
                    outcomes.append(.unanswered)
                }
                if let last = outcomes.last, let problem = last.problem, last != .unanswered { warn(problem, isFinal: last.isFinal) }
            }
            return (RevocationResult(outcomes), outcomes.allSatisfy(\.isFinal))
        } catch {
            warn("\(error)", isFinal: false)
            return (.failed(reason: "\(error)"), false)
        }
    }
}
