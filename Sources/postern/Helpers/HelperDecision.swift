import PosternClient

/// Where a protocol gets its answers.
protocol HelperDesk {
    func answer(_ question: HelperQuestion) -> HelperAnswer
    /// A server refused this token at the URL. If it is one that is handed out now, it is renewed, once; no account is signed out.
    func refused(_ token: Secret, at url: String)
}

/// Decides which account a helper's question means, and asks the daemon for its token.
///
/// A URL is asked about first (`FindAccount`: exact origin, the closest prefix first), so that a token leaves only for where it is for.
/// Of the accounts that come equally close, one must be signed in; nothing is chosen by chance.
final class HelperDecision: HelperDesk {
    /// Milliseconds until a daemon that has not answered is given up; it bounds its own waits for providers below this.
    static let patience: Int64 = 90_000
    /// So many accounts are looked through for the one whose token was refused.
    static let refusalLimit = 16

    private let socketPath: String
    private var connection: PosternConnection?
    private let say: (String) -> Void

    /// - Parameter say: takes a line for the person, while a page is open.
    init(socketPath: String = SocketPath.current, say: @escaping (String) -> Void = { StandardError.write(line: "postern: " + $0) }) {
        self.socketPath = socketPath
        self.say = say
    }

    deinit { connection?.close() }

    /// Whose token it is, as the daemon's methods take it.
    fileprivate struct Target {
        var providerID: String
        var uid: String?
        /// What a user name in the question says, where no account that serves the URL is known under it.
        var user: String?
        var account: String?

        /// What `postern sign-in` takes.
        var name: String { account ?? providerID }

        /// A named account says more than its identifier does: its scopes, and what its tokens are for.
        var knownUID: String? { account == nil ? uid : nil }
    }

    private enum Choice {
        case target(Target)
        case signIn(Target)
        case settled(HelperAnswer)
    }

    func answer(_ question: HelperQuestion) -> HelperAnswer {
        switch choice(for: question.subject) {
        case .settled(let answer): return answer
        case .target(let target):
            let answer = token(question, of: target)
            guard case .signInNeeded = answer else { return answer }
            return afterPage(question, target) ?? answer
        case .signIn(let target):
            return afterPage(question, target) ?? .needed(target.name, because: "nobody has signed in")
        }
    }

    func refused(_ token: Secret, at url: String) {
        guard case .success(let accounts) = served(url) else { return }
        for account in accounts.filter(\.signedIn).prefix(Self.refusalLimit) {
            let target = Target(account)
            // The one that is held, however short it is: a fresh one would not be what was refused.
            var question = HelperQuestion(subject: .url(url), minimumValiditySeconds: 0)
            guard case .token(let held) = self.token(question, of: target), held.secret == token else { continue }
            question.forceRefresh = true
            _ = self.token(question, of: target)
            return
        }
    }

    // MARK: Whose

    private func choice(for subject: HelperQuestion.Subject) -> Choice {
        switch subject {
        case .name(let name, nil):
            return .target(Target(providerID: name))
        case .name(let name, let destination?):
            switch served(destination) {
            case .failure(let refusal): return .settled(refusal.answer)
            case .success(let accounts):
                let isServed = accounts.contains { $0.account == name || $0.providerID == name }
                guard isServed else { return .settled(.nothing("the tokens of \(name) are not for \(destination)".plain)) }
                return .target(Target(providerID: name))
            }
        case .url(let url, let user):
            switch served(url) {
            case .failure(let refusal): return .settled(refusal.answer)
            case .success(let accounts): return Self.choice(among: accounts, user: user, url: url)
            }
        }
    }

    private struct Refusal: Error { var answer: HelperAnswer }

    private func served(_ url: String) -> Result<[ServedAccount], Refusal> {
        do throws(PosternError) {
            return .success(try call(Interface.FindAccount(url: url)).accounts)
        } catch {
            switch error {
            // A URL that no token is for, whatever is configured.
            case .notUnderstood("org.varlink.service.InvalidParameter", _), .refused(.originNotServed), .refused(.invalidParameter):
                return .success([])
            default:
                return .failure(Refusal(answer: HelperAnswer(unasked: error)))
            }
        }
    }

    private static func choice(among accounts: [ServedAccount], user: String?, url: String) -> Choice {
        guard let first = accounts.first else { return .settled(.nothing("no account serves \(url)".plain)) }
        var fitting = accounts
        if let user {
            fitting = accounts.filter { $0.isCalled(user) }
            // Its address or its user name, which the daemon knows. Never somebody else's token.
            guard !fitting.isEmpty else { return .target(Target(providerID: first.providerID, user: user)) }
        }
        let closest = fitting.map(\.closeness).max() ?? 0
        let nearest = fitting.filter { $0.closeness == closest }
        var signedIn: [ServedAccount] = []
        for account in nearest where account.signedIn && !signedIn.contains(where: { $0.isSame(as: account) }) { signedIn.append(account) }
        switch signedIn.count {
        case 0: return .signIn(Target(nearest.first ?? first))
        case 1: return .target(Target(signedIn[0]))
        default:
            let names = signedIn.map { $0.account ?? $0.uid ?? $0.providerID }.joined(separator: ", ")
            return .settled(
                .unavailable("several accounts serve \(url): \(names); put one before the host (NAME@), or give it a longer `for`".plain))
        }
    }

    // MARK: Asking

    private func token(_ question: HelperQuestion, of target: Target) -> HelperAnswer {
        do throws(PosternError) {
            switch question.kind {
            case .accessToken: return try accessToken(question, of: target)
            case .idToken: return try idToken(question, of: target)
            }
        } catch {
            let answer = HelperAnswer(error, name: target.name)
            // A user name that nobody here has is another helper's.
            if target.user != nil, case .signInNeeded(let sentence) = answer { return .nothing(sentence) }
            return answer
        }
    }

    private func accessToken(_ question: HelperQuestion, of target: Target) throws(PosternError) -> HelperAnswer {
        let reply = try call(
            Interface.GetAccessToken(
                providerID: target.name, uid: target.knownUID, account: target.user,
                scopes: question.scopes.isEmpty ? nil : question.scopes, resource: question.resource,
                minimumValiditySeconds: question.minimumValiditySeconds, forceRefresh: question.forceRefresh ? true : nil))
        // A proof or a signature goes with each request, and the key for it stays with the daemon.
        guard reply.tokenType.lowercased() != "dpop", reply.secret == nil else {
            return .unavailable(
                "the tokens of \(target.name) are no use without a signature on each request; postern curl makes them".plain)
        }
        return HelperAnswer(
            reply.accessToken, expiresAt: reply.expiresAt, tokenType: reply.tokenType, uid: reply.uid, providerID: target.providerID,
            account: target.account)
    }

    private func idToken(_ question: HelperQuestion, of target: Target) throws(PosternError) -> HelperAnswer {
        let reply = try call(
            Interface.GetIDToken(
                providerID: target.name, uid: target.knownUID, account: target.user,
                minimumValiditySeconds: question.minimumValiditySeconds, forceRefresh: question.forceRefresh ? true : nil))
        return HelperAnswer(
            reply.idToken, expiresAt: reply.expiresAt, tokenType: "Bearer", uid: reply.uid, providerID: target.providerID,
            account: target.account)
    }

    /// Has the person sign in, where the question allows it. Programs that ask for the same meanwhile join the same page.
    ///
    /// - Returns: nil where no page may be opened.
    private func afterPage(_ question: HelperQuestion, _ target: Target) -> HelperAnswer? {
        guard question.mayOpenPage else { return nil }
        say("sign in to \(target.name) in your browser".plain)
        do throws(PosternError) {
            let parameters = Interface.SignIn(
                providerID: target.name, intent: .signIn, scopes: question.scopes.isEmpty ? nil : question.scopes, presentation: .daemon)
            // The daemon gives up in time.
            _ = try open().call(parameters)
        } catch {
            return HelperAnswer(error, name: target.name)
        }
        return token(question, of: target)
    }

    private func call<Parameters: MethodParameters>(_ parameters: Parameters) throws(PosternError) -> Parameters.Reply {
        try open().call(parameters, timeoutMilliseconds: Self.patience)
    }

    private func open() throws(PosternError) -> PosternConnection {
        if let connection { return connection }
        let opened = try PosternConnection(socketPath: socketPath)
        connection = opened
        return opened
    }
}

extension HelperDecision.Target {
    fileprivate init(_ served: ServedAccount) {
        self.init(providerID: served.providerID, uid: served.uid, account: served.account)
    }
}

extension ServedAccount {
    fileprivate func isCalled(_ name: String) -> Bool { account == name || uid == name || displayName == name }

    fileprivate func isSame(as other: ServedAccount) -> Bool { providerID == other.providerID && uid == other.uid }

    /// How many segments of the path its prefix covers.
    fileprivate var closeness: Int {
        guard let start = prefix.firstRange(of: "://")?.upperBound else { return 0 }
        return prefix[start...].split(separator: "/").count - 1
    }
}

extension HelperAnswer {
    fileprivate init(_ secret: Secret, expiresAt: String?, tokenType: String, uid: String, providerID: String, account: String?) {
        // A header, a line or a JSON string takes it as it is: nothing but what RFC 6750 lets a token be made of, and what else is visible.
        let isPrintable = secret.withBytes { $0.allSatisfy { 0x21...0x7E ~= $0 } }
        guard isPrintable, !secret.isEmpty else {
            self = .unavailable("the token of \(account ?? providerID) has characters that no header can hold".plain)
            return
        }
        self = .token(
            HelperToken(
                secret: secret, expiry: expiresAt.flatMap(EpochTime.init).map(\.seconds), tokenType: tokenType, providerID: providerID,
                uid: uid, account: account))
    }
}
