import PosternCore
import PosternInterface

/// Sign-ins that wait for a code typed on another device.
extension SignInCoordinator {
    // MARK: Getting a code

    /// Sees to it that the sign-in has that way to the provider, beside those that it has.
    func offer(_ flow: ProviderFlow, of sessionID: String, to waiter: WaiterID) async {
        guard pages[sessionID]?.isStored == true else {
            pages[sessionID]?.latecomers.append((waiter, flow))
            return
        }
        switch flow {
        case .browser: await present(sessionID, to: waiter, needsPage: true)
        case .device: await presentCode(of: sessionID, to: waiter)
        }
    }

    /// Those who came while the sign-in was being prepared, and wanted another way than it was prepared for. The others know
    /// all there is.
    func offerLatecomers(of sessionID: String) async {
        let latecomers = pages[sessionID]?.latecomers ?? []
        pages[sessionID]?.latecomers = []
        for (waiter, flow) in latecomers {
            guard let session = table[sessionID], session.phase == .authorizationPending else { return }
            let isThere = flow == .device ? session.device != nil : session.hasPage
            if !isThere { await offer(flow, of: sessionID, to: waiter) }
        }
    }

    /// Tells a waiter the code; a sign-in that has none gets one.
    private func presentCode(of sessionID: String, to waiter: WaiterID) async {
        guard let session = table[sessionID], session.phase.isLive else { return }
        guard session.phase == .authorizationPending, session.device == nil else {
            if let listener = waiters[waiter]?.listener, listener.wantsEveryEvent { listener.eventHappened(event(session)) }
            return
        }
        pages[sessionID]?.codeWaiters.append(waiter)
        // One code for all who want one at the same time.
        guard pages[sessionID]?.codeWaiters.count == 1 else { return }
        do throws(SignInFailure) {
            try await addCode(to: session)
            pages[sessionID]?.codeWaiters = []
        } catch {
            let waiting = pages[sessionID]?.codeWaiters ?? []
            pages[sessionID]?.codeWaiters = []
            await providers.failed(error, with: session.binding, at: session.question.providerID)
            log.warning("no code could be had: \(error)", event: .signInFailed, session: session)
            // Theirs alone: the page of the others is still good.
            let name = providers.displayName(session.question.providerID)
            for id in waiting {
                guard let listener = waiters[id]?.listener else { continue }
                left(id)
                listener.failed(InterfaceError(error, session: session, providerName: name))
            }
        }
    }

    private func addCode(to session: SignInSession) async throws(SignInFailure) {
        let provider = try providers.provider(session.question.providerID, boundTo: session.binding)
        let device = try await exchange.deviceAuthorization(for: session, of: provider)
        guard var current = table[session.id], current.phase == .authorizationPending else { return }
        current.device = device
        do { try await store.opened().keepDevice(of: current) } catch {
            throw .storeUnavailable(message: "the code could not be kept: \(error)")
        }
        table.deviceChanged(device, of: session.id)
        guard let current = table[session.id], current.phase == .authorizationPending else { return }
        feed.post(.codeGiven, "a code waits for its person, too", session: current)
        log.info("a code was given beside the page", event: .signInStarted, session: current)
        tellEveryEvent(of: current)
        startPolling(session.id)
    }

    // MARK: Asking whether it was typed

    /// Begins to ask, or goes on after a restart. One question at a time, and nothing wakes the daemon in between.
    func startPolling(_ sessionID: String) {
        guard let session = table[sessionID], session.phase == .authorizationPending, let device = session.device,
            devicePolls[sessionID] == nil
        else { return }
        let polling = DevicePolling(device)
        devicePolls[sessionID] = DevicePoll(polling: polling, device: device, timer: nil)
        take(polling.begun(now: platform.now), for: session)
    }

    func stopPolling(_ sessionID: String) {
        devicePolls.removeValue(forKey: sessionID)?.timer?.cancel()
    }

    /// The daemon ends: a question sent now could bring a grant that nobody is there to keep, for a code that is then spent. One under
    /// way is waited for; the next life goes on with the rest.
    func askNoMore() {
        asksNoMore = true
        for id in devicePolls.keys {
            devicePolls[id]?.timer?.cancel()
            devicePolls[id]?.timer = nil
        }
    }

    private func poll(_ sessionID: String) async {
        devicePolls[sessionID]?.timer = nil
        guard let device = devicePolls[sessionID]?.device, let session = table[sessionID] else { return }
        let action: DevicePolling.Action
        do throws(SignInFailure) {
            let answer = try await exchange.deviceAnswer(to: device, of: session)
            guard devicePolls[sessionID]?.device == device else {
                if case .granted(let grant) = answer { await throwAway(grant, of: session) }
                return
            }
            action = devicePolls[sessionID]?.polling.answered(answer, now: platform.now) ?? .expired
            keepInterval(of: sessionID)
        } catch {
            guard devicePolls[sessionID]?.device == device else { return }
            action = .ended(error)
        }
        take(action, for: session)
    }

    /// A provider that wanted longer pauses wants them after a restart, too (RFC 8628 section 3.5: for all further questions).
    private func keepInterval(of sessionID: String) {
        guard let interval = devicePolls[sessionID]?.polling.intervalSeconds, let device = table[sessionID]?.device,
            device.intervalSeconds != interval
        else { return }
        var slower = device
        slower.intervalSeconds = interval
        table.deviceChanged(slower, of: sessionID)
        guard let session = table[sessionID], session.phase == .authorizationPending else { return }
        start {
            do { try await self.store.opened().keepDevice(of: session) } catch {
                self.log.warning("the slower pace that a provider wants could not be kept: \(error)", event: .storeProblem)
            }
        }
    }

    private func take(_ action: DevicePolling.Action, for session: SignInSession) {
        switch action {
        case .ask(let moment):
            guard !asksNoMore else { return }
            devicePolls[session.id]?.timer = platform.timers.at(moment, now: platform.now) { [weak self] in
                self?.start { [weak self] in await self?.poll(session.id) }
            }
        case .granted(let grant): granted(grant, to: session)
        case .expired: start { await self.codeIsOver(session.id, .timedOut) }
        case .ended(let failure): start { await self.codeIsOver(session.id, failure) }
        }
    }

    /// The code is good for nothing any more. Where a page waits too, that is all; where the person said no, it is all over.
    private func codeIsOver(_ sessionID: String, _ failure: SignInFailure) async {
        stopPolling(sessionID)
        if let session = table[sessionID] { await providers.failed(failure, with: session.binding, at: session.question.providerID) }
        guard var session = table[sessionID], session.phase == .authorizationPending else { return }
        let isRefused = if case .denied = failure { true } else { false }
        guard session.hasPage, !isRefused else {
            await end(sessionID, failure)
            return
        }
        table.deviceChanged(nil, of: sessionID)
        session.device = nil
        let error = InterfaceError(failure, session: session, providerName: providers.displayName(session.question.providerID))
        log.warning("the code is over, the page still waits: \(error.message)", event: .signInFailed, session: session)
        tellEveryEvent(of: session)
        do { try await store.opened().keepDevice(of: session) } catch {
            log.warning("a code that is over could not be removed: \(error)", event: .storeProblem)
        }
    }

    // MARK: It was

    private func granted(_ grant: Grant, to session: SignInSession) {
        let device = devicePolls[session.id]?.device
        stopPolling(session.id)
        guard let device, var waited = table.deviceGranted(session.id, deviceCode: device.deviceCode) else {
            return start { await self.throwAway(grant, of: session) }
        }
        // What a page of the same sign-in sent is in no ID token of this flow, and not to be handed out as if it were.
        waited.nonce = nil
        platform.activityChanged()
        pages[session.id]?.url = nil
        start(.toBeKept) { [waited] in
            await self.finish(grant, of: waited)
            self.platform.activityChanged()
        }
    }

    private func finish(_ grant: Grant, of session: SignInSession) async {
        do {
            guard try await store.opened().markExchanging(sessionID: session.id) else {
                await end(session.id, .internal(message: "the sign-in had been answered before"))
                return await throwAway(grant, of: session)
            }
            if let current = table[session.id] { tellEveryEvent(of: current) }
            let exchanged = try await exchange.run(grant, of: session)
            await succeed(session, exchanged)
        } catch let failure as SignInFailure {
            await end(session.id, failure)
        } catch {
            await end(session.id, .storeUnavailable(message: "the answer could not be kept: \(error)"))
            await throwAway(grant, of: session)
        }
    }

    /// A grant for a sign-in that ended while the provider was being asked. Whose it is must be known before it is taken back.
    private func throwAway(_ grant: Grant, of session: SignInSession) async {
        await platform.work.count(.toBeKept) {
            guard let exchanged = try? await exchange.run(grant, of: session) else { return }
            revocation.discard(exchanged, of: session)
        }
    }
}
