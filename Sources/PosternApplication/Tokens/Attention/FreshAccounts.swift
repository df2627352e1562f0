import PosternCore

/// Renews the credentials of accounts with `keep-fresh` without a request: while the daemon runs, and each time it starts.
@DaemonActor
final class FreshAccounts {
    /// The longest delay after a renewal is due, in seconds: at a start not everything due is renewed at once, and the network may need a
    /// moment.
    private static let spread: Int64 = 10
    /// In milliseconds; see ``CredentialStates``.
    private static let longestWait: Int64 = 6 * 3_600_000

    private struct Plan {
        /// Of the credential that the plan is for.
        var generation: Int64
        var chance: Double
        var failures = 0
        /// Not before this moment, after a failure.
        var notBefore: Timestamp?
        var isUnderWay = false
    }

    private let tokens: AccessTokens
    private let states: CredentialStates
    private let cache: CredentialCache
    private let providers: ProviderDirectory
    private let platform: Platform
    private var plans: [CredentialCache.Key: Plan] = [:]
    private var timer: (any PendingTimer)?
    /// Some renewals are due: the daemon is not idle until they have been tried.
    private(set) var isBusy = false

    init(tokens: AccessTokens, states: CredentialStates, cache: CredentialCache, providers: ProviderDirectory, platform: Platform) {
        self.tokens = tokens
        self.states = states
        self.cache = cache
        self.providers = providers
        self.platform = platform
    }

    /// Credentials, the configuration or the store changed.
    func look() {
        let now = platform.now
        let wasBusy = isBusy
        var next: Timestamp?
        var current: [CredentialCache.Key: Plan] = [:]
        let named = states.isOpen ? states.namedAccounts() : [:]
        for key in named.filter(\.value.keepsFresh).keys.sorted() {
            guard let credential = cache[key] else { continue }
            let plan = plan(for: credential)
            current[key] = plan
            guard !plan.isUnderWay, let moment = moment(of: credential, plan) else { continue }
            next = next.map { min($0, moment) } ?? moment
        }
        plans = current
        isBusy = next.map { $0 <= now } ?? false
        // Changes in quick succession do not postpone what is due.
        if isBusy, wasBusy, timer != nil { return }
        timer?.cancel()
        timer = nil
        guard let next else { return }
        // At a start these moments are long past: wait for a short random time, so that not all machines ask at once.
        let seconds = Double(Self.spread) * chance()
        let delay = isBusy ? Int64(seconds * 1000) : min(next.milliseconds - now.milliseconds, Self.longestWait)
        timer = platform.timers.after(milliseconds: max(1, delay)) { [weak self] in
            self?.timer = nil
            self?.timeHasCome()
        }
    }

    func storeClosed() {
        timer?.cancel()
        timer = nil
        plans = [:]
        isBusy = false
    }

    private func plan(for credential: StoredCredential) -> Plan {
        if let plan = plans[CredentialCache.Key(credential)], plan.isUnderWay || plan.generation == credential.generation { return plan }
        return Plan(generation: credential.generation, chance: chance())
    }

    /// Nil if it cannot be renewed without the user.
    private func moment(of credential: StoredCredential, _ plan: Plan) -> Timestamp? {
        if case .signInNeeded(let reason) = states.status(of: credential), !reason.isAboutScopes { return nil }
        let renewsItself = providers[credential.providerID]?.dialect.accessTokenRenewsItself ?? false
        guard let due = RenewalSchedule.due(credential.grant, renewsItself: renewsItself, chance: plan.chance) else { return nil }
        return max(due, plan.notBefore ?? due)
    }

    /// Renews one that is due; the others follow one by one.
    private func timeHasCome() {
        let now = platform.now
        let due = plans.keys.compactMap { key -> (key: CredentialCache.Key, moment: Timestamp)? in
            guard let plan = plans[key], !plan.isUnderWay, let credential = cache[key], let moment = moment(of: credential, plan) else {
                return nil
            }
            return moment <= now ? (key, moment) : nil
        }
        guard let first = due.min(by: { $0.moment < $1.moment }) else { return look() }
        renew(first.key)
        look()
    }

    private func renew(_ key: CredentialCache.Key) {
        plans[key]?.isUnderWay = true
        platform.work.start {
            let request = AccessTokens.Request(
                providerID: key.providerID, subject: key.subject, demand: TokenDemand(minimumValidity: 0, forceRefresh: true))
            // What goes wrong has been logged already.
            do throws(TokenFailure) {
                _ = try await self.tokens.credential(for: request)
                self.ended(key, isRenewed: true)
            } catch { self.ended(key, isRenewed: false) }
            self.platform.activityChanged()
        }
    }

    private func ended(_ key: CredentialCache.Key, isRenewed: Bool) {
        if var plan = plans[key], let credential = cache[key] {
            plan.isUnderWay = false
            plan.failures = isRenewed ? 0 : plan.failures + 1
            // Also if the new token is no newer: a provider that has nothing better now will not have it a moment later.
            let pause = RenewalSchedule.pause(failures: max(plan.failures, 1), chance: chance())
            plan.notBefore = isRenewed && credential.generation != plan.generation ? nil : platform.now.adding(seconds: pause)
            plan.generation = credential.generation
            plans[key] = plan
        }
        look()
    }

    /// 0 to 1. No secret depends on it.
    private func chance() -> Double {
        guard let bytes = try? platform.randomness.bytes(1), let byte = bytes.first else { return 0.5 }
        return Double(byte) / 255
    }
}
