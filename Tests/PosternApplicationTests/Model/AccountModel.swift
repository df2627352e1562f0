/// Who may become whom: the rules of `docs/programs/accounts.md`, written a second time, small and without a store, a wire or a provider.
///
/// What holds in every state. Rules 1, 2 and 4 are checked (``AccountModel/check()``); 3, and what 1 says of recoveries, the model's own steps
/// show, which the daemon is compared with:
///
/// 1. Whoever is taken for a user, knows its password, has its second factor or an account that shows it was the user's owner, or was let in
///    by somebody who was in, after seeing who. Who that is follows from what happened alone (``AccountHistory``). When the owner of an address
///    proves it, and nobody had, everybody else is out. A join that displaces another account of the same provider is a recovery: the address
///    changed hands. Nothing else tells that it did, so a user whose address changed hands unseen is exempt.
/// 2. Nobody's recency is another's: an app's sign-in is recent only by the presence of a principal whose account or password the user had
///    then. Setting a password or a factor always needs recency.
/// 3. A page, a code, a resolver and a handle are of the sign-in that they were begun for. None survives its end, or the loss of a way in.
/// 4. One identity has one user; a user has one identity at each provider.
///
/// What holds between the model and the daemon, after every event (``AccountWorld``): each call has the answer that the model gives, once; a
/// code, a handle and a refresh token are sent once; every app has the user that the model says, with these accounts and this address, and is
/// recent if and only if the model says so; after a crash there is either what was before the event or what is after it, and what was answered
/// is there.
struct AccountModel {
    /// A person, who has accounts at providers and an address, and sits at the keyboard.
    typealias Principal = Int

    /// The first two are authorities for addresses, the third is not.
    enum Provider: Int, CaseIterable { case work, mail, plain }

    /// An account at a provider, as it is when somebody signs in with it.
    struct Account: Equatable {
        var provider: Provider
        var owner: Principal
        var subject: String
        var email: String?
        /// What the provider says about the address; nil if nothing.
        var word: Bool?

        var isAuthority: Bool { provider != .plain && email != nil && word != false }
        var proof: Int { email == nil ? 0 : isAuthority ? 2 : word == true ? 1 : 0 }

        func isAccount(_ other: Identity) -> Bool { provider == other.provider && subject == other.subject }
    }

    struct Identity: Equatable {
        var provider: Provider
        var owner: Principal
        var subject: String
        /// What the provider said last.
        var email: String?
        var link: Link?

        init(_ account: Account, link: Link? = nil) {
            (provider, owner, subject, email) = (account.provider, account.owner, account.subject, account.email)
            self.link = link
        }
    }

    struct Link: Equatable {
        var at: Int64
        var signIn: Int
        var isProved: Bool
        /// Nobody had been seen as the user.
        var isOfNobody = false
    }

    struct User: Equatable {
        var uid: Int
        var identities: [Identity] = []
        var email: String?
        /// 0: typed; 1: a provider says so; 2: its authority does.
        var proof = 0
        var provedBy: Principal?
        var password: String?
        var passwordOwner: Principal?
        var factorOwner: Principal?
        var isAnonymous = false
        /// Somebody was seen as the user.
        var hasOwner = true
        var generation = 0
        /// The address was proved, and is somebody else's by now. No provider tells, unless the new owner's account takes the place of one of
        /// the same provider.
        var isHandedOver = false

        func identity(at provider: Provider) -> Identity? { identities.first { $0.provider == provider } }
        var waysIn: Int { identities.count + (password == nil ? 0 : 1) }
    }

    struct SignIn: Equatable {
        var id: Int
        var uid: Int
        /// Nil: long ago.
        var presentAt: Int64?
        var present: Principal?
        /// The account that showed it, for as long as the user has it; nil for a password.
        var presentBy: Account?
        var hasFactor = false
    }

    struct Owner: Equatable {
        var signIn: Int
        var generation: Int
    }

    /// `keep` is the person's own, of no app: it changes nothing here.
    enum Intent: String, CaseIterable { case signIn, link, reauthenticate, credential, keep }

    enum Proof { case flow, idToken, accessToken }

    enum Asked: Equatable {
        case now
        case earlier(Owner?)
        case abandoned(Owner?)
    }

    struct Page: Equatable {
        var number: Int
        var provider: Provider
        var intent: Intent
        var app: Int
        var isCode: Bool
        var owner: Owner?
        var expiresAt: Int64
        var isAwaited = true
        /// The browser came back already, or nothing waits any more.
        var isOver = false
    }

    struct Handle: Equatable {
        var number: Int
        var account: Account
        var moment: Int64
        var proof: Proof
        var app: Int
        var uid: Int?
        var expiresAt: Int64
    }

    /// What a page asks about accounts that were linked unseen.
    struct Question: Equatable {
        struct Item: Equatable {
            var identity: Identity
            var isLost = false
            var isOpen = true
        }

        /// Of the page.
        var number: Int
        var uid: Int
        var generation: Int
        var app: Int
        /// Whose account showed the user.
        var principal: Principal
        var askedAt: Int64
        var items: [Item]
    }

    struct Resolver: Equatable {
        var number: Int
        var uid: Int
        var app: Int
        var account: Account?
        var proof: Proof
        var moment: Int64
        var intent: Intent
        var owner: Owner?
        var expiresAt: Int64
    }

    enum Outcome: Equatable {
        case user(Int)
        case refused(String)
        /// A credential, for the intent of that name.
        case credential
        case done
    }

    var now: Int64 = 0
    var users: [User] = []
    var apps: [Int: SignIn] = [:]
    var pages: [Page] = []
    var handles: [Handle] = []
    var resolvers: [Resolver] = []
    var questions: [Question] = []
    /// Of the last sign-in that showed a user.
    private(set) var lastQuestion: Question?
    var history = AccountHistory()
    /// By address: who reads its mail.
    var addressOwners = [0, 1, 2]
    private(set) var lastNumber = 0
    /// What a rule that holds in every state found.
    var violation: String?

    mutating func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Somebody else reads an address's mail from now on.
    mutating func handOver(_ index: Int, address: String, to principal: Principal) {
        addressOwners[index] = principal
        for index in users.indices where users[index].email == address { users[index].isHandedOver = true }
    }

    // MARK: Reading

    func user(_ uid: Int) -> User? { users.first { $0.uid == uid } }
    func current(_ app: Int) -> (signIn: SignIn, user: User)? {
        guard let signIn = apps[app], let user = user(signIn.uid) else { return nil }
        return (signIn, user)
    }
    func owner(_ app: Int) -> Owner? { current(app).map { Owner(signIn: $0.signIn.id, generation: $0.user.generation) } }
    /// An address alone is no way to sign in, and keeps the address from nobody.
    func namesakes(_ email: String) -> [User] { users.filter { $0.email == email && $0.waysIn > 0 } }

    func isRecent(_ moment: Int64?) -> Bool { moment.map { (0...300).contains(now - $0) } ?? false }
    func isRecent(_ app: Int) -> Bool { isRecent(apps[app]?.presentAt) }
    /// With the factor, where there is one.
    func mayChange(_ app: Int) -> Bool {
        guard let (signIn, user) = current(app) else { return false }
        return user.isAnonymous || isRecent(signIn.presentAt) && (user.factorOwner == nil || signIn.hasFactor)
    }

    private func shows(_ user: User, _ account: Account, _ proof: Proof) -> Bool {
        guard proof != .accessToken else { return false }
        return user.identities.first(where: account.isAccount).map(shows) ?? true
    }

    private func shows(_ identity: Identity) -> Bool {
        guard let link = identity.link else { return true }
        return !link.isOfNobody && (link.isProved || now >= link.at + 30 * 86_400)
    }

    // MARK: Writing

    private mutating func put(_ user: User) {
        if let index = users.firstIndex(where: { $0.uid == user.uid }) { users[index] = user } else { users.append(user) }
        if user.waysIn > 0, let email = user.email {
            for index in users.indices where users[index].email == email && users[index].waysIn == 0 { users[index].email = nil }
        }
        for (app, signIn) in apps where signIn.uid == user.uid {
            guard let account = signIn.presentBy, !user.identities.contains(where: account.isAccount) else { continue }
            apps[app]?.presentBy = nil
        }
    }

    /// A way in was taken away, or the address or the password changed.
    private mutating func endPending(_ before: User, _ after: User) {
        handles.removeAll { handle in
            handle.uid == before.uid || (before.identities + after.identities).contains(where: handle.account.isAccount)
        }
        resolvers.removeAll { $0.uid == before.uid }
    }

    private mutating func signOutOthers(_ uid: Int, than app: Int) {
        for (other, signIn) in apps where signIn.uid == uid && other != app { apps[other] = nil }
    }

    /// An account that is gone may have signed them in.
    private mutating func signOutUnseen(_ uid: Int, than app: Int) {
        for (other, signIn) in apps where signIn.uid == uid && other != app && signIn.presentAt == nil { apps[other] = nil }
    }

    /// Pages for linking and reauthenticating end with what they are for.
    mutating func endOwnedPages() {
        for index in pages.indices where !pages[index].isOver {
            let page = pages[index]
            if page.expiresAt <= now { pages[index].isOver = true }
            if page.intent == .link || page.intent == .reauthenticate, page.owner != owner(page.app) { pages[index].isOver = true }
        }
        handles.removeAll { $0.expiresAt <= now }
        resolvers.removeAll { $0.expiresAt <= now }
    }

    // MARK: An account at a provider

    /// What becomes of it.
    mutating func settle(
        _ account: Account, _ intent: Intent, app: Int, proof: Proof = .flow, moment: Int64, asked: Asked = .now, hasFactor: Bool = false
    ) -> Outcome {
        if intent == .link || intent == .reauthenticate, proof == .accessToken { return .refused("InvalidCredential") }
        switch intent {
        case .credential: return .credential
        case .keep: return .done
        case .signIn: return signIn(account, app: app, proof: proof, moment: moment, asked: asked, hasFactor: hasFactor)
        case .link, .reauthenticate:
            guard let (signIn, user) = current(app) else { return .refused("NoCurrentUser") }
            if case .earlier(let begun) = asked {
                guard let begun else { return .refused("NoCurrentUser") }
                if begun != owner(app) { return .refused("UserMismatch") }
            }
            return intent == .link
                ? link(account, app: app, signIn, user, moment: moment, hasFactor: hasFactor)
                : reauthenticate(
                    account, app: app, signIn, user, proof: proof, moment: moment, isPage: proof == .flow && asked != .now, hasFactor: hasFactor)
        }
    }

    private mutating func signIn(
        _ account: Account, app: Int, proof: Proof, moment: Int64, asked: Asked, hasFactor: Bool
    ) -> Outcome {
        if case .abandoned(let begun) = asked, begun != owner(app) { return .refused("UserMismatch") }
        if let known = users.first(where: { $0.identities.contains(where: account.isAccount) }) {
            return entered(
                refreshed(known, account, proof), account, app: app, proof: proof, moment: moment, isPage: proof == .flow && asked != .now, hasFactor: hasFactor)
        }
        let same = account.email.map(namesakes) ?? []
        guard let first = same.first else {
            var user = User(uid: newNumber())
            user.identities = [Identity(account)]
            user.email = account.email
            user.hasOwner = proof != .accessToken
            user.proof = proof == .accessToken ? min(account.proof, 1) : account.proof
            user.provedBy = user.proof == 2 ? account.owner : nil
            return entered(user, account, app: app, proof: proof, moment: moment, hasFactor: hasFactor)
        }
        guard account.isAuthority, proof != .accessToken else { return .refused("AccountExistsWithDifferentCredential") }
        let namesake = same.dropFirst().reduce(first) { $1.proof > $0.proof ? $1 : $0 }
        var user = namesake
        user.isAnonymous = false
        let identity = Identity(account)
        let held = namesake.identity(at: account.provider)
        if namesake.proof == 2, !(held.map(shows) ?? false) {
            user.identities.removeAll { $0.provider == account.provider }
            user.identities.append(identity)
            history.joined(user.uid, by: account.owner, at: account.email, wasHandedOver: user.isHandedOver)
            if !user.isHandedOver, namesake.provedBy != account.owner {
                violation = "\(account.owner) joins the user of \(namesake.provedBy.map(String.init) ?? "nobody")"
            }
            if user.factorOwner != nil, !hasFactor { return .refused("SecondFactorRequired") }
            if held != nil {
                user.generation += 1
                endPending(namesake, user)
                signOutUnseen(user.uid, than: app)
            }
            return entered(user, account, app: app, proof: proof, moment: moment, hasFactor: hasFactor)
        }
        user.identities = [identity]
        (user.password, user.passwordOwner, user.factorOwner) = (nil, nil, nil)
        (user.proof, user.provedBy, user.isHandedOver, user.hasOwner) = (2, account.owner, false, true)
        history.recovered(user.uid, by: account.owner)
        user.generation += 1
        endPending(namesake, user)
        signOutOthers(user.uid, than: app)
        return entered(user, account, app: app, proof: proof, moment: moment, hasFactor: hasFactor)
    }

    private mutating func refreshed(_ user: User, _ account: Account, _ proof: Proof) -> User {
        var user = user
        guard proof != .accessToken else { return user }
        for index in user.identities.indices where account.isAccount(user.identities[index]) {
            user.identities[index].email = account.email
        }
        if account.isAuthority, user.email == account.email, shows(user, account, proof) {
            (user.proof, user.provedBy) = (2, account.owner)
        }
        return user
    }

    private mutating func entered(
        _ user: User, _ account: Account, app: Int, proof: Proof, moment: Int64, isPage: Bool = false, hasFactor: Bool,
        renewing signIn: SignIn? = nil
    ) -> Outcome {
        if user.factorOwner != nil, !hasFactor { return .refused("SecondFactorRequired") }
        var user = user
        let before = apps[app].flatMap { $0.uid == user.uid ? $0 : nil }
        var entered = SignIn(
            id: signIn?.id ?? newNumber(), uid: user.uid, presentAt: before?.presentAt, present: before?.present, presentBy: before?.presentBy)
        if shows(user, account, proof) {
            let (seen, before) = (hasFactor ? now : moment, user)
            if !user.hasOwner, isPage {
                user.hasOwner = true
                user.identities.removeAll { !account.isAccount($0) }
                if user.identities != before.identities {
                    user.generation += 1
                    endPending(before, user)
                    signOutUnseen(user.uid, than: app)
                }
            }
            guard user.hasOwner else {
                entered.hasFactor = hasFactor
                put(user)
                apps[app] = entered
                return .user(user.uid)
            }
            if seen >= entered.presentAt ?? .min { (entered.presentAt, entered.present, entered.presentBy) = (seen, account.owner, account) }
            let lost = before.identities.filter { !user.identities.contains($0) }.map { Question.Item(identity: $0, isLost: true) }
            let unseen = user.identities.filter { identity in
                !account.isAccount(identity) && !shows(identity) && identity.link.map { $0.at < seen } ?? false
            }
            lastQuestion = Question(
                number: 0, uid: user.uid, generation: user.generation, app: app, principal: account.owner, askedAt: now,
                items: unseen.map { Question.Item(identity: $0) } + lost)
            history.seen(account.owner, as: user.uid, at: seen)
        }
        entered.hasFactor = hasFactor
        put(user)
        apps[app] = entered
        return .user(user.uid)
    }

    /// The person at the page of a sign-in that asks something; nil if it asks nothing.
    mutating func takeQuestion(of number: Int) {
        defer { lastQuestion = nil }
        guard var question = lastQuestion, !question.items.isEmpty else { return }
        question.number = number
        questions.append(question)
    }

    mutating func forgetQuestion() { lastQuestion = nil }

    enum LinkOutcome: Equatable { case kept, removed, over }

    /// The person answers about one of the accounts.
    mutating func answer(keeps: Bool, item: Int, of index: Int) -> LinkOutcome {
        let (question, asked) = (questions[index], questions[index].items[item])
        questions[index].items[item].isOpen = false
        guard (0...300).contains(now - question.askedAt), let before = user(question.uid) else { return .over }
        var user = before
        func isSame(_ identity: Identity) -> Bool {
            identity.provider == asked.identity.provider && identity.subject == asked.identity.subject
        }
        if asked.isLost {
            guard keeps else { return .removed }
            guard user.generation == question.generation, user.identity(at: asked.identity.provider) == nil,
                !users.contains(where: { $0.identities.contains(where: isSame) })
            else { return .over }
            user.identities.append(asked.identity)
        } else {
            guard let place = user.identities.firstIndex(where: isSame), user.identities[place].link == asked.identity.link else { return .over }
            if !keeps {
                guard user.waysIn > 1 else { return .over }
                user.identities.remove(at: place)
                user.generation += 1
                endPending(before, user)
                signOutUnseen(user.uid, than: question.app)
            }
        }
        if keeps {
            for place in user.identities.indices where isSame(user.identities[place]) {
                user.identities[place].link?.isProved = true
                user.identities[place].link?.isOfNobody = false
            }
            history.letIn(asked.identity.owner, to: user.uid, by: question.principal)
        }
        put(user)
        return keeps ? .kept : .removed
    }

    private mutating func reauthenticate(
        _ account: Account, app: Int, _ signIn: SignIn, _ user: User, proof: Proof, moment: Int64, isPage: Bool, hasFactor: Bool
    ) -> Outcome {
        guard user.identities.contains(where: account.isAccount) else { return .refused("UserMismatch") }
        guard shows(user, account, proof), user.hasOwner || isPage else { return .refused("RequiresRecentSignIn") }
        return entered(
            refreshed(user, account, proof), account, app: app, proof: proof, moment: moment, isPage: isPage, hasFactor: hasFactor,
            renewing: signIn)
    }

    private mutating func link(
        _ account: Account, app: Int, _ signIn: SignIn, _ user: User, moment: Int64, hasFactor: Bool
    ) -> Outcome {
        if let linked = user.identity(at: account.provider) {
            guard account.isAccount(linked) else { return .refused("ProviderAlreadyLinked") }
            if user.factorOwner != nil, !signIn.hasFactor {
                guard hasFactor else { return .refused("SecondFactorRequired") }
                apps[app]?.hasFactor = true
            }
            put(refreshed(user, account, .flow))
            return .user(user.uid)
        }
        if users.contains(where: { $0.identities.contains(where: account.isAccount) }) { return .refused("CredentialAlreadyInUse") }
        if let email = account.email, namesakes(email).contains(where: { $0.uid != user.uid }) { return .refused("EmailAlreadyInUse") }
        var signIn = signIn
        if user.factorOwner != nil, !signIn.hasFactor {
            guard hasFactor else { return .refused("SecondFactorRequired") }
            signIn.hasFactor = true
        }
        let isProved = user.isAnonymous || isRecent(signIn.presentAt)
        let (wasAnonymous, before) = (user.isAnonymous, signIn)
        var user = user
        if wasAnonymous {
            (signIn.presentAt, signIn.present, signIn.presentBy) = (moment, account.owner, account)
        }
        user.isAnonymous = false
        user.identities.append(
            Identity(account, link: Link(at: now, signIn: signIn.id, isProved: isProved, isOfNobody: !user.hasOwner)))
        if isProved, let email = account.email {
            if user.email == nil { (user.email, user.proof, user.provedBy, user.isHandedOver) = (email, 0, nil, false) }
            if user.email == email, account.proof > user.proof {
                user.proof = account.proof
                user.provedBy = account.proof == 2 ? account.owner : nil
            }
        }
        history.linked(
            account.owner, to: user.uid, by: before.present, at: before.presentAt, isFirst: wasAnonymous, now: now)
        put(user)
        apps[app] = signIn
        return .user(user.uid)
    }

    // MARK: Passwords

    mutating func create(_ email: String, _ password: String, by principal: Principal, app: Int) -> Outcome {
        guard namesakes(email).isEmpty else { return .refused("EmailAlreadyInUse") }
        let user = User(uid: newNumber(), email: email, password: password, passwordOwner: principal)
        history.seen(principal, as: user.uid, at: now)
        put(user)
        apps[app] = SignIn(id: newNumber(), uid: user.uid, presentAt: now, present: principal)
        return .user(user.uid)
    }

    mutating func signIn(password uid: Int, _ intent: Intent, app: Int, hasFactor: Bool = false, moment: Int64? = nil) -> Outcome {
        guard let user = user(uid), user.password != nil else { return .refused("UserNotFound") }
        var id: Int?
        if intent == .reauthenticate {
            guard let current = current(app) else { return .refused("NoCurrentUser") }
            guard current.user.uid == uid else { return .refused("UserMismatch") }
            id = current.signIn.id
        }
        if user.factorOwner != nil, !hasFactor { return .refused("SecondFactorRequired") }
        put(user)
        apps[app] = SignIn(id: id ?? newNumber(), uid: uid, presentAt: now, present: user.passwordOwner, hasFactor: hasFactor)
        return .user(uid)
    }

    mutating func linkPassword(_ email: String, _ password: String, app: Int) -> Outcome {
        guard let (signIn, before) = current(app) else { return .refused("NoCurrentUser") }
        guard before.password == nil else { return .refused("ProviderAlreadyLinked") }
        guard namesakes(email).allSatisfy({ $0.uid == before.uid }) else { return .refused("EmailAlreadyInUse") }
        guard mayChange(app) else { return .refused("RequiresRecentSignIn") }
        var user = before
        if before.isAnonymous { history.began(unknown: user.uid) }
        if user.email != email { (user.email, user.proof, user.provedBy, user.isHandedOver) = (email, 0, nil, false) }
        (user.password, user.passwordOwner, user.isAnonymous) = (password, signIn.present, false)
        if before.email != nil, before.email != email {
            user.generation += 1
            endPending(before, user)
            signOutOthers(user.uid, than: app)
        }
        put(user)
        return .user(user.uid)
    }

    mutating func update(email: String? = nil, password: String? = nil, app: Int) -> Outcome {
        guard let (signIn, before) = current(app) else { return .refused("NoCurrentUser") }
        let changes = email.map { $0 != before.email } ?? false
        if changes || password != nil, !mayChange(app) { return .refused("RequiresRecentSignIn") }
        if changes, let email, !namesakes(email).isEmpty { return .refused("EmailAlreadyInUse") }
        var user = before
        if changes, let email { (user.email, user.proof, user.provedBy, user.isHandedOver) = (email, 0, nil, false) }
        if let password { (user.password, user.passwordOwner) = (password, signIn.present) }
        if user.waysIn > 0 {
            if before.isAnonymous { history.began(unknown: user.uid) }
            user.isAnonymous = false
        }
        if changes || password != nil {
            user.generation += 1
            endPending(before, user)
            signOutOthers(user.uid, than: app)
        }
        put(user)
        return .user(user.uid)
    }

    // MARK: The rest

    mutating func unlink(_ provider: Provider?, app: Int) -> Outcome {
        guard let (signIn, before) = current(app) else { return .refused("NoCurrentUser") }
        let link = provider.flatMap { before.identity(at: $0) }?.link
        guard provider.map({ before.identity(at: $0) != nil }) ?? (before.password != nil) else { return .refused("NoSuchProvider") }
        guard before.waysIn > 1 else { return .refused("InvalidCredential") }
        let isOwn = link.map { $0.signIn == signIn.id && isRecent($0.at) } ?? false
        guard isOwn || mayChange(app) else { return .refused("RequiresRecentSignIn") }
        var user = before
        user.generation += 1
        if let provider {
            user.identities.removeAll { $0.provider == provider }
        } else {
            (user.password, user.passwordOwner) = (nil, nil)
            if !user.identities.contains(where: { $0.email == user.email }) { (user.email, user.proof, user.provedBy) = (nil, 0, nil) }
        }
        endPending(before, user)
        signOutUnseen(user.uid, than: app)
        put(user)
        return .user(user.uid)
    }

    /// An account of the app's user that the app must not unlink; nil if there is none.
    func forbiddenUnlinking(in app: Int) -> Provider? {
        guard let (signIn, user) = current(app), user.waysIn > 1, !mayChange(app) else { return nil }
        return user.identities.first { $0.link.map { $0.signIn != signIn.id || !isRecent($0.at) } ?? true }?.provider
    }

    mutating func signInAnonymously(app: Int) -> Outcome {
        if let current = current(app), current.user.isAnonymous { return .user(current.user.uid) }
        var user = User(uid: newNumber())
        user.isAnonymous = true
        put(user)
        apps[app] = SignIn(id: newNumber(), uid: user.uid, presentAt: now)
        return .user(user.uid)
    }

    mutating func signOut(app: Int) {
        guard let signIn = apps.removeValue(forKey: app) else { return }
        handles.removeAll { $0.uid == signIn.uid && $0.app == app }
        resolvers.removeAll { $0.uid == signIn.uid && $0.app == app }
    }

    mutating func delete(app: Int) -> Outcome {
        guard let (_, user) = current(app) else { return .refused("NoCurrentUser") }
        guard mayChange(app) else { return .refused("RequiresRecentSignIn") }
        handles.removeAll { handle in user.identities.contains(where: handle.account.isAccount) }
        resolvers.removeAll { $0.uid == user.uid }
        users.removeAll { $0.uid == user.uid }
        for (app, signIn) in apps where signIn.uid == user.uid { apps[app] = nil }
        return .done
    }

    /// So that random steps get there.
    func mayEnroll(app: Int) -> Bool {
        guard let (_, user) = current(app), !user.isAnonymous, user.email != nil, user.factorOwner == nil else { return false }
        return user.proof == 2 && isRecent(app)
    }

    mutating func enroll(app: Int) -> Outcome {
        guard let (signIn, before) = current(app) else { return .refused("NoCurrentUser") }
        guard isRecent(signIn.presentAt), before.factorOwner == nil || signIn.hasFactor else { return .refused("RequiresRecentSignIn") }
        guard !before.isAnonymous, before.email != nil, before.proof == 2 else { return .refused("InvalidEmail") }
        guard before.factorOwner == nil else { return .refused("SecondFactorAlreadyEnrolled") }
        var user = before
        // A formerly anonymous user is somebody, but nobody knows who.
        user.factorOwner = signIn.present ?? -1
        put(user)
        apps[app]?.hasFactor = true
        return .user(user.uid)
    }

    // MARK: What holds in every state

    mutating func check() -> String? {
        if let violation { return violation }
        var seen: Set<String> = []
        for user in users {
            var providers: Set<Int> = []
            for identity in user.identities {
                guard seen.insert("\(identity.provider)/\(identity.subject)").inserted else { return "an identity has two users" }
                guard providers.insert(identity.provider.rawValue).inserted else { return "a user has two accounts of one provider" }
            }
            for (holder, what) in [(user.passwordOwner, "knows the password"), (user.factorOwner, "has the second factor")] {
                if let problem = history.problem(holder, is: what, of: user.uid, now: now) { return problem }
            }
            for identity in user.identities where shows(identity) && user.hasOwner {
                if let problem = history.problem(identity.owner, is: "shows themselves by an account", of: user.uid, now: now) { return problem }
            }
        }
        for (app, signIn) in apps where isRecent(signIn.presentAt) {
            if let problem = history.problem(signIn.present, is: "recent in app \(app)", of: signIn.uid, now: now) { return problem }
            guard let account = signIn.presentBy, let user = user(signIn.uid) else { continue }
            if let identity = user.identities.first(where: account.isAccount), !shows(identity) {
                return "app \(app) is recent by an account of \(account.owner), which nobody has confirmed"
            }
        }
        return nil
    }
}
