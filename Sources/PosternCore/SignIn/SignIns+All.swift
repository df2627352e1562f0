/// What happens to all sign-ins at once.
extension SignIns {
    // MARK: Time

    public mutating func timePassed(now: Timestamp) -> [SignInAction] {
        let polls = mode == .serving
        return changeAll { $0.timePassed(now: now, polls: polls) }
    }

    /// The wall clock was set by so many milliseconds (``ClockWatch``), before the event whose moment is of the new time.
    public mutating func clockSet(by milliseconds: Int64) -> [SignInAction] { changeAll { $0.clockSet(by: milliseconds) } }

    // MARK: The configuration

    /// Sign-ins whose provider was removed from the configuration, or whose provider's name now means another one, can only fail, and do so
    /// at once. One in preparation checks when it is on disk, and one with an answer checks before that is sent.
    ///
    /// - Parameter failure: why this one cannot continue; nil if it can.
    public mutating func providersChanged(now: Timestamp, failure: (SignInSession) -> ProviderFailure?) -> [SignInAction] {
        changeAll { machine in
            guard case .pending = machine.state, let failure = failure(machine.session) else { return [] }
            return machine.fail(.provider(failure), now: now)
        }
    }

    // MARK: The app's sign-ins

    /// Sign-ins for the app's user that wait for an answer, by the app's sign-in that they are for.
    public var owners: [(app: AppName, owner: PageOwner)] {
        machines.values.compactMap { machine in
            let request = machine.session.request
            guard case .pending = machine.state, request.isAboutUser else { return nil }
            return request.owner.map { (request.app, $0) }
        }
    }

    /// Pages and codes for sign-ins of apps that are over, or whose user has changed: their answers would be refused.
    ///
    /// - Parameter present: whose the app is now; nil if that is not known.
    public mutating func ownersEnded(_ present: (_ app: AppName) -> PageOwner??, now: Timestamp) -> [SignInAction] {
        changeAll { machine in
            let request = machine.session.request
            guard case .pending = machine.state, request.isAboutUser, let owner = request.owner, let present = present(request.app),
                present != owner
            else { return [] }
            return machine.fail(.ownerEnded(isSignedOut: present == nil), now: now)
        }
    }

    // MARK: The end of the daemon, and locks

    /// A request sent now could bring a grant that nobody is there to store, for a code that is then used up.
    public mutating func endBegan() { mode = .ending }

    public mutating func lockBegan() -> [SignInAction] {
        if mode == .serving { mode = .locking }
        return changeAll { $0.lockBegan() }
    }

    /// Whether or not everything was finished in time: it is now only on disk, including results that nobody has fetched.
    public mutating func storeClosed() -> [SignInAction] {
        if mode == .locking { mode = .serving }
        return changeAll { $0.letGo() }
    }

    // MARK: Forgetting

    /// The user was deleted, and with it the results of its finished sign-ins.
    public mutating func userDeleted(_ user: User) -> [SignInAction] {
        changeAll { machine in
            guard let ended = machine.ended, ended.outcome.isOf(user), ended.step != .delivering else { return [] }
            return machine.forget()
        }
    }

    /// Removes surplus finished sign-ins: first those whose result nobody can fetch, the oldest first.
    mutating func forgetSurplus() -> [SignInAction] {
        guard machines.count - liveCount > Self.finishedLimit else { return [] }
        let finished = machines.values.filter(\.isFinished)
            .map { ($0.isUnfetched ? 1 : 0, $0.expiresAt, $0.session.id) }
        guard finished.count > Self.finishedLimit else { return [] }
        let surplus = finished.sorted { $0 < $1 }.prefix(finished.count - Self.finishedLimit).map(\.2)
        for id in surplus { _ = change(id: id) { $0.forget() } }
        return [.delete(surplus)]
    }

    private mutating func changeAll(_ event: (inout SignInMachine) -> [SignInAction]) -> [SignInAction] {
        var actions: [SignInAction] = []
        var deleted: [String] = []
        for id in ids {
            for action in change(id: id, event) ?? [] {
                // One transaction for all of them.
                if case .delete(let ids) = action { deleted += ids } else { actions.append(action) }
            }
        }
        return deleted.isEmpty ? actions : actions + [.delete(deleted)]
    }
}
