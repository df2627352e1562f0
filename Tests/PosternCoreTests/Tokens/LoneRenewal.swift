@testable import PosternCore

/// The renewal of one credential with what stands around it: the programs, the provider, the disk, and the owner's copy of what is on disk,
/// which follows later when a sign-in or a revocation has changed it.
struct LoneRenewal {
    enum Program: CaseIterable {
        case plain, forced, narrow, narrowForced

        var restriction: TokenRestriction? {
            switch self {
            case .plain, .forced: nil
            case .narrow, .narrowForced: TokenRestriction(resource: "urn:x")
            }
        }

        var demand: TokenDemand {
            TokenDemand(resource: restriction?.resource, forceRefresh: self == .forced || self == .narrowForced)
        }
    }

    /// What the provider answers, if anything.
    enum Answer: CaseIterable {
        case notSent, unanswered, failed
        /// The refresh token is refused; kept if the change cannot be written.
        case refused, refusedButKept
        case restrictionRefused
        case fresh
        case rotated, rotatedButBad
    }

    enum Event {
        case wanted(Program)
        case answered(Answer)
        case stored(isFull: Bool)
        case signedIn(bringsToken: Bool), revoked
        /// The owner learns what was changed on disk.
        case learned
        case locked, unlocked
        case timeToSave, configurationRead
        case passed(seconds: Int64)
    }

    /// What the owner does.
    enum Work {
        case asking(StoredCredential, TokenRestriction?)
        case writing(RenewedCredential, TokenRestriction?, isBad: Bool)
        case saving(RenewedCredential)
    }

    /// What can still happen, and how often.
    struct Rest: Hashable {
        var programs: [Program]
        var requests: Int
        var signIns = 0
        var revocations = 0
        var locks = 0
        var pauses = 0
        var readings = 0
    }

    var rest: Rest
    var renewal = CredentialRenewal<Program>()
    var clock = now
    var disk: StoredCredential?
    var copy: StoredCredential?
    var lastGeneration: Int64 = 1
    var work: Work? { didSet { if work == nil { isCut = false } } }
    /// The store was locked while that was under way: what it brings is written or dropped.
    var isCut = false
    var isLocked = false
    var isNews = false
    var waiting: Set<Program> = []
    /// Refresh tokens that were replaced or refused.
    var spent: Set<Secret> = []
    /// A refresh token that is not on disk yet, and the one that it replaced.
    var unsaved: Secret?
    var replaced: Secret?
    var givenBack: Set<Secret> = []
    var requests: Int64 = 0
    var broken: String?

    static let dialect = StandardDialect()

    /// - Parameter used: requests that were sent just now.
    init(expiresIn: Int64 = 3600, used: Int = 0, _ rest: Rest) {
        self.rest = rest
        disk = Self.credential(.sample(refreshToken: "s-1", expiresIn: expiresIn, scopes: ["a"]), generation: 1)
        copy = disk
        for _ in 0..<used {
            want(.forced)
            fail(.unreachable(message: "down"), .answered)
            renewal.signedIn()
        }
        self.rest = rest
    }

    private static func credential(_ grant: Grant, generation: Int64) -> StoredCredential {
        StoredCredential(
            providerID: "work", subject: "1", displayName: nil, binding: ProviderBinding(clientID: "c", authority: "a"), grant: grant,
            generation: generation)
    }

    mutating func check(_ isBroken: Bool, _ rule: @autoclosure () -> String) {
        if isBroken, broken == nil { broken = rule() }
    }
}

// MARK: What comes of an event

extension LoneRenewal {
    mutating func perform(_ action: CredentialRenewal<Program>.Action) {
        switch action {
        case .wait: break
        case .tell(let program, let verdict): tell(program, verdict)
        case .tellAll(let all, let rest):
            for each in all { tell(each.waiter, each.verdict) }
            for each in rest { want(each.waiter) }
        case .renew(let credential, let restriction): ask(credential, restriction)
        case .tellAndRenew(let program, let verdict, let credential):
            tell(program, verdict)
            ask(credential, nil)
        case .save(let held):
            check(work != nil, "something else is under way when it is saved")
            check(held.credential.grant.refreshToken != unsaved && unsaved != nil, "something older is saved")
            work = .saving(held)
        case .askAgain(let all): for each in all { want(each.waiter) }
        case .discard(let credential, let all):
            if let credential { giveBack(credential) }
            for each in all { tell(each.waiter, each.verdict) }
        }
    }

    mutating func want(_ program: Program) {
        waiting.insert(program)
        // Nobody is signed in, or nobody can know.
        guard let copy, !isLocked else {
            waiting.remove(program)
            return
        }
        perform(renewal.wanted(program.demand, program.restriction, by: program, of: copy, dialect: Self.dialect, now: clock))
    }

    private mutating func tell(_ program: Program, _ verdict: TokenVerdict) {
        check(waiting.remove(program) == nil, "\(program) is told twice, or without waiting")
        guard case .token(let credential) = verdict else { return }
        let isNarrow = credential.grant.accessToken.reveal().hasPrefix("narrow")
        check(isNarrow != (program.restriction != nil), "\(program) gets another token than it wants")
        check(renewal.holdsUnsaved, "a token is given while something is not on disk")
        check(credential.grant.refreshToken.map { $0 == unsaved } ?? false, "a token is given before the refresh token is on disk")
    }

    private mutating func ask(_ credential: StoredCredential, _ restriction: TokenRestriction?) {
        check(work != nil, "two requests at the same time")
        check(unsaved != nil, "asked while a refresh token is not on disk")
        check(isLocked || credential != copy, "asked for a credential that is not there")
        guard let token = credential.grant.refreshToken else { return check(true, "asked without a refresh token") }
        check(spent.contains(token), "a refresh token is sent that was replaced or refused")
        work = .asking(credential, restriction)
        requests += 1
        rest.requests -= 1
        check(requests > 33 + clock.seconds(since: now) / 10, "too many requests")
    }

    private mutating func giveBack(_ credential: StoredCredential) {
        guard let token = credential.grant.refreshToken else { return }
        check(!givenBack.insert(token).inserted, "a refresh token is given back twice")
        if token == unsaved { unsaved = nil }
    }
}

// MARK: The owner's work

extension LoneRenewal {
    mutating func answered(_ answer: Answer) {
        guard case .asking(let credential, let restriction) = work else { return }
        switch answer {
        case .notSent:
            requests -= 1
            fail(.unreachable(message: "no network"), .notSent)
        case .unanswered: fail(.unreachable(message: "no answer"), .unanswered)
        case .failed: fail(.unreachable(message: "down"), .answered)
        case .refused:
            if disk?.generation == credential.generation, !isLocked {
                if let token = credential.grant.refreshToken { spent.insert(token) }
                change(credential.withoutRefreshToken(now: clock))
            }
            fail(.denied(error: "invalid_grant", description: nil), .answered)
        case .refusedButKept: fail(.denied(error: "invalid_grant", description: nil), .answered)
        case .restrictionRefused: fail(.denied(error: "invalid_target", description: nil), .answered, isAboutRestriction: true)
        case .fresh: accept(credential, restriction)
        case .rotated, .rotatedButBad:
            let token = Secret("r-\(credential.generation + 1)")
            guard let rotated = credential.rotated(by: RotatedToken(token: token)), let old = credential.grant.refreshToken else { return }
            spent.insert(old)
            unsaved = token
            replaced = old
            work = .writing(
                RenewedCredential(rotated, spent: old, isWhole: false), restriction, isBad: answer == .rotatedButBad)
        }
    }

    private mutating func fail(_ failure: ProviderFailure, _ progress: ProviderFailure.Progress, isAboutRestriction: Bool = false) {
        work = nil
        var failure = failure.after(progress)
        failure.isAboutRestriction = isAboutRestriction
        perform(renewal.failed(failure, now: clock))
    }

    /// The refresh token of the answer is on disk, if there was one.
    private mutating func accept(_ credential: StoredCredential, _ restriction: TokenRestriction?) {
        let name = restriction == nil ? "at" : "narrow"
        var fresh = Grant.sample(accessToken: "\(name)-\(credential.generation + 1)", expiresIn: nil, scopes: ["a"])
        fresh.obtainedAt = clock
        fresh.expiresAt = clock.adding(seconds: 3600)
        if restriction != nil {
            work = nil
            perform(
                renewal.restricted(
                    credential.restricted(to: fresh, dialect: Self.dialect), of: credential, dialect: Self.dialect, now: clock))
        } else {
            work = .writing(RenewedCredential(credential.refreshed(with: fresh), spent: nil, isWhole: true), nil, isBad: false)
        }
    }

    mutating func stored(isFull: Bool) {
        let renewed: RenewedCredential
        switch work {
        case .writing(let writing, _, _): renewed = writing
        case .saving(let held): renewed = held
        case .asking, nil: return
        }
        let credential = renewed.credential
        if isFull || isLocked {
            if isCut { drop() }
            work = nil
            return perform(renewal.notSaved(renewed, StoreError(.full, file: "postern.db", reason: "is full"), now: clock))
        }
        if let disk, disk.generation == credential.generation - 1 { return written(credential) }
        let work = self.work
        self.work = nil
        switch renewed.precedence(beside: disk) {
        case .gone: perform(renewal.gone(credential))
        case .newer(let current): superseded(work, by: current)
        case .completes(let completed): superseded(work, by: completed)
        }
    }

    private mutating func written(_ credential: StoredCredential) {
        change(credential)
        let work = self.work
        self.work = nil
        switch work {
        case .writing(let renewed, let restriction, let isBad):
            if renewed.isWhole {
                perform(renewal.renewed(credential, hasNewIDToken: false, dialect: Self.dialect, now: clock))
            } else if isBad {
                fail(.unreachable(message: "no keys"), .answered)
            } else {
                accept(credential, restriction)
            }
        case .saving: perform(renewal.saved())
        case .asking, nil: break
        }
    }

    private mutating func superseded(_ work: Work?, by credential: StoredCredential) {
        change(credential)
        // What the sign-in replaced needs not be kept.
        unsaved = nil
        if case .saving = work { perform(renewal.saved()) } else { perform(renewal.superseded(by: credential, dialect: Self.dialect)) }
    }

    /// On disk, and known at once.
    private mutating func change(_ credential: StoredCredential) {
        disk = credential
        lastGeneration = max(lastGeneration, credential.generation)
        if credential.grant.refreshToken == unsaved { unsaved = nil }
        if let copy, copy.generation > credential.generation { return }
        copy = credential
    }
}

// MARK: What changes the credential

extension LoneRenewal {
    mutating func signedIn(bringsToken: Bool) {
        rest.signIns -= 1
        lastGeneration += 1
        var grant = Grant.sample(accessToken: "at-\(lastGeneration)", refreshToken: bringsToken ? "s-\(lastGeneration)" : nil, scopes: ["a"])
        grant.obtainedAt = clock
        grant.expiresAt = clock.adding(seconds: 3600)
        if !bringsToken, let disk { grant.keepRefreshToken(of: disk.grant) }
        disk = Self.credential(grant, generation: lastGeneration)
        isNews = true
    }

    mutating func learned() {
        isNews = false
        guard let disk else {
            copy = nil
            if let credential = renewal.revoked() { giveBack(credential) }
            return
        }
        if let copy, copy.generation >= disk.generation { return }
        renewal.signedIn()
        copy = disk
    }

    mutating func locked() {
        rest.locks -= 1
        isLocked = true
        isNews = false
        copy = nil
        isCut = work != nil
        // What could not be written before is dropped.
        if !isCut { drop() }
        renewal.forgotten()
    }

    /// The provider may accept a refresh token whose successor is lost.
    private mutating func drop() {
        if unsaved != nil, let replaced { spent.remove(replaced) }
        unsaved = nil
    }

    mutating func unlocked() {
        isLocked = false
        copy = disk
    }
}
