/// What the last life of the daemon, or the last lock, left on disk.
extension SignInMachine {
    /// - Returns: the machine, and what is to be done for it at once.
    static func restored(_ stored: StoredSignIn, ticket: SignInTicket, now: Timestamp) -> (SignInMachine, [SignInAction]) {
        var machine = SignInMachine(
            ticket: ticket, session: stored.session, expiresAt: stored.expiresAt, stateHashes: stored.stateHashes, state: .over)
        switch stored.standing {
        case .pending(let secrets, let device):
            var pending = Pending(secrets: secrets)
            if !stored.stateHashes.isEmpty {
                pending.page = Pending.Page(url: nil, expiresAt: nil, shownBy: stored.session.isShownByClient ? .client : .daemon)
            }
            machine.state = .pending(pending)
            let actions = device.map { machine.beginPolling($0, now: now) } ?? []
            return (machine, actions)
        case .exchanging:
            machine.state = .exchanging(Exchanging(digest: nil, step: .underWay))
            let failure = SignInFailure.exchangeFailed(
                error: nil, description: nil,
                message: "the daemon ended, or its store was locked, while the code was on its way, and a code is never sent twice; "
                    + "sign in again")
            let actions = machine.fail(failure, now: now)
            return (machine, actions)
        case .ended(let outcome, let isDelivered):
            let isSettled = isDelivered || !outcome.hasCredential
            machine.state = .ended(Ended(outcome: outcome, digest: nil, step: isSettled ? .settled : .waiting))
            return (machine, [])
        }
    }
}
