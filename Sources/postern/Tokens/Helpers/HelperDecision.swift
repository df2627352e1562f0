import PosternClient

/// The source of a protocol's answers.
protocol HelperSource {
    func answer(_ request: HelperRequest) -> HelperAnswer
    /// A server refused this token at the URL. If it is an account's, the daemon renews it, or asks its provider whether it is still
    /// valid; what a program says ends no token.
    func refused(_ token: Secret, at url: String)
}

/// Decides which account a helper's request means, and requests its token from the daemon.
///
/// A URL is looked up first (`FindAccount`: exact origin, the closest account first), so that a token is only given out for its own URLs. If
/// several accounts are equally close, exactly one must be signed in; nothing is chosen by chance.
final class HelperDecision: HelperSource {
    /// Milliseconds until a daemon that has not answered is given up; it limits its own waits for providers to less than this.
    static let patience: Int64 = 90_000
    /// How long a report of a refused token may take, in milliseconds.
    private static let refusalPatience: Int64 = 10_000

    private let socketPath: String
    private var connection: PosternConnection?
    private var patience = HelperDecision.patience
    private let say: (String) -> Void

    /// - Parameter say: receives a line for the user, while a page is open.
    init(socketPath: String = SocketPath.current, say: @escaping (String) -> Void = { StandardError.write(line: "postern: " + $0) }) {
        self.socketPath = socketPath
        self.say = say
    }

    deinit { connection?.close() }

    /// The account of a token, in the terms of the daemon's methods.
    fileprivate struct Target {
        var providerID: String
        var uid: String?
        /// A user name in the request that the daemon has to interpret.
        var user: String?
        /// The accounts whose tokens are for the URL, if the daemon has to decide which is meant.
        var served: [String]?
        var account: String?
        /// The configured URL that matched.
        var prefix: String?

        /// The argument for `postern sign-in`.
        var name: String { account ?? providerID }

        /// A named account contains more than its identifier: its scopes, and the purpose of its tokens.
        var knownUID: String? { account == nil ? uid : nil }
    }

    private enum Choice {
        case target(Target)
        /// The one among them that knows the user name.
        case oneOf([Target])
    }

    func answer(_ request: HelperRequest) -> HelperAnswer {
        patience = request.patience ?? Self.patience
        let choice: Choice
        do throws(HelperAnswer) { choice = try self.choice(for: request) } catch { return error }
        switch choice {
        case .target(let target):
            let answer = token(request, of: target)
            guard case .signInNeeded = answer, request.mayOpenPage else { return answer }
            return afterPage(request, target)
        case .oneOf(let targets):
            // A user name that is unknown here belongs to another helper. Never another user's token.
            var answer = HelperAnswer.unknown(targets.first?.user ?? "")
            for target in targets {
                answer = token(request, of: target)
                if case .signInNeeded(let sentence) = answer { answer = .nothing(sentence) }
                guard case .nothing = answer else { break }
            }
            return answer
        }
    }

    func refused(_ token: Secret, at url: String) {
        // git waits for it, and the daemon may wait for the provider.
        _ = try? open().call(
            Interface.ReportRefusedToken(url: url, accessToken: token), timeoutMilliseconds: min(patience, Self.refusalPatience))
    }

    // MARK: Whose

    private func choice(for request: HelperRequest) throws(HelperAnswer) -> Choice {
        switch request.subject {
        case .name(let name, nil):
            return .target(Target(providerID: name))
        case .name(let name, let destination?):
            let found = try found(destination, isNamed: request.wantsConfiguredURL)
            let serving = found.accounts.filter { $0.account == name || $0.providerID == name }
            guard !serving.isEmpty else {
                let fix = "if they should be, put that under `for` of the account or `serves` of its provider"
                let isNear = found.near != nil || found.reason != nil
                throw .nothing("the tokens of \(name) are not for \(destination); \(fix)".plain, isNear: isNear)
            }
            return .target(Target(providerID: name, served: serving.compactMap(\.uid), prefix: serving.first?.prefix))
        case .url(let url, let user):
            return try Self.choice(among: try found(url, isNamed: request.wantsConfiguredURL), for: request, user: user, url: url)
        }
    }

    /// - Parameter isNamed: whether only URLs that the user has named count.
    private func found(_ url: String, isNamed: Bool = false) throws(HelperAnswer) -> Interface.FindAccount.Reply {
        do throws(PosternError) {
            var reply = try call(Interface.FindAccount(url: url))
            guard isNamed, reply.accounts.contains(where: { $0.builtIn == true }) else { return reply }
            reply.accounts.removeAll { $0.builtIn == true }
            reply.reason =
                "no token is given for \(url) until you name it yourself: add its path to `serves` of its provider, beside the URLs there"
            return reply
        } catch {
            switch error {
            // A URL that no token can be for, whatever the configuration.
            case .notUnderstood("org.varlink.service.InvalidParameter", _), .refused(.originNotServed), .refused(.invalidParameter):
                return Interface.FindAccount.Reply(accounts: [])
            default:
                throw HelperAnswer(unasked: error)
            }
        }
    }

    private static func choice(
        among found: Interface.FindAccount.Reply, for request: HelperRequest, user: String?, url: String
    ) throws(HelperAnswer) -> Choice {
        let accounts = found.accounts
        let path = pathAdvice(of: request, url, near: found.near ?? [])
        guard let first = accounts.first else {
            let hint = "no account's tokens are for \(url); if they should be, put that under `serves` of a provider or `for` of an account"
            throw .nothing(((found.reason ?? hint) + path).plain, isNear: found.reason != nil)
        }
        var fitting = accounts
        // If nobody has signed in yet, no name is known.
        if let user, accounts.contains(where: \.signedIn) {
            fitting = accounts.filter { $0.isCalled(user) }
            // The daemon may know the account's user name.
            guard !fitting.isEmpty else { return .oneOf(targets(of: accounts, user: user)) }
        }
        let closest = fitting.map(\.rank).min()
        let nearest = fitting.filter { $0.rank == closest }
        var signedIn: [ServedAccount] = []
        for account in nearest where account.signedIn && !signedIn.contains(where: { $0.isSame(as: account) }) { signedIn.append(account) }
        switch signedIn.count {
        case 0: return .target(Target(nearest.first ?? first))
        case 1: return .target(Target(signedIn[0]))
        default:
            let names = signedIn.map { $0.account ?? $0.displayName ?? $0.uid ?? $0.providerID }.joined(separator: ", ")
            // The daemon compared all of them.
            let reason = fitting.count == accounts.count ? found.reason : nil
            throw .unavailable(((reason ?? "the tokens of several accounts are equally for \(url): \(names)") + path).plain)
        }
    }

    /// What to do where the path would decide, and the program has not sent it.
    private static func pathAdvice(of request: HelperRequest, _ url: String, near: [String]) -> String {
        let below = url.lowercased() + "/"
        guard let advice = request.pathAdvice, near.contains(where: { $0.lowercased().begins(with: below) }) else { return "" }
        return "; \(advice)"
    }

    private static func targets(of accounts: [ServedAccount], user: String) -> [Target] {
        var targets: [Target] = []
        for account in accounts {
            guard let uid = account.uid else { continue }
            if let index = targets.firstIndex(where: { $0.providerID == account.providerID }) {
                targets[index].served?.append(uid)
            } else {
                targets.append(Target(providerID: account.providerID, user: user, served: [uid]))
            }
        }
        return targets
    }

    // MARK: Asking

    private func token(_ request: HelperRequest, of target: Target) -> HelperAnswer {
        do throws(PosternError) {
            switch request.kind {
            case .accessToken: return try accessToken(request, of: target)
            case .idToken: return try idToken(request, of: target)
            }
        } catch {
            // The user name is unknown here, or not that of one account: another helper may know it.
            if let user = target.user, case .refused(.ambiguousAccount) = error { return .unknown(user) }
            return HelperAnswer(error, name: target.name)
        }
    }

    private func accessToken(_ request: HelperRequest, of target: Target) throws(PosternError) -> HelperAnswer {
        let reply = try call(
            Interface.GetAccessToken(
                providerID: target.name, uid: target.knownUID, account: target.user,
                scopes: request.scopes.isEmpty ? nil : request.scopes, resource: request.resource,
                minimumValiditySeconds: request.minimumValiditySeconds))
        ProcessMemory.hide()
        // A proof or a signature is made for each request, and its key stays with the daemon.
        guard reply.tokenType.lowercased() != "dpop", reply.secret == nil else {
            return .unavailable(
                "the tokens of \(target.name) are useless without a signature on each request; postern curl signs".plain)
        }
        return target.answer(reply.accessToken, expiresAt: reply.expiresAt, tokenType: reply.tokenType, uid: reply.uid)
    }

    private func idToken(_ request: HelperRequest, of target: Target) throws(PosternError) -> HelperAnswer {
        let reply = try call(
            Interface.GetIDToken(
                providerID: target.name, uid: target.knownUID, account: target.user,
                minimumValiditySeconds: request.minimumValiditySeconds))
        ProcessMemory.hide()
        return target.answer(reply.idToken, expiresAt: reply.expiresAt, tokenType: "Bearer", uid: reply.uid)
    }

    /// Lets the user sign in, if the request permits it. Programs that ask the same meanwhile join the same page.
    private func afterPage(_ request: HelperRequest, _ target: Target) -> HelperAnswer {
        say("sign in to \(target.name) in your browser".plain)
        do throws(PosternError) {
            let parameters = Interface.SignIn(
                providerID: target.name, intent: .keep, scopes: request.scopes.isEmpty ? nil : request.scopes, presentation: .daemon)
            // The daemon times out first.
            _ = try open().call(parameters)
        } catch {
            return HelperAnswer(error, name: target.name)
        }
        // A user is signed in now, so the account is decided again.
        var request = request
        request.mayOpenPage = false
        return answer(request)
    }

    private func call<Parameters: MethodParameters>(_ parameters: Parameters) throws(PosternError) -> Parameters.Reply {
        try open().call(parameters, timeoutMilliseconds: patience)
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
        self.init(providerID: served.providerID, uid: served.uid, account: served.account, prefix: served.prefix)
    }

    fileprivate func answer(_ secret: Secret, expiresAt: String?, tokenType: String, uid: String) -> HelperAnswer {
        guard served?.contains(uid) ?? true else { return .nothing("the tokens of \(user ?? name) are not for this URL".plain) }
        // It must fit a header, a line or a JSON string unchanged: the characters of an RFC 6750 token, and other visible ones.
        guard !secret.isEmpty, secret.withBytes({ $0.allSatisfy { 0x21...0x7E ~= $0 } }) else {
            return .unavailable("the token of \(name) has characters that are not allowed in a header".plain)
        }
        return .token(
            HelperToken(
                secret: secret, expiry: expiresAt.flatMap(EpochTime.init).map(\.seconds), tokenType: tokenType, providerID: providerID,
                uid: uid, account: account, prefix: prefix))
    }
}

extension ServedAccount {
    fileprivate func isCalled(_ name: String) -> Bool { account == name || uid == name || displayName == name }

    fileprivate func isSame(as other: ServedAccount) -> Bool { providerID == other.providerID && uid == other.uid }
}

extension HelperAnswer {
    /// - Parameter user: a user name that belongs to another helper.
    fileprivate static func unknown(_ user: String) -> HelperAnswer {
        .nothing("none of the accounts whose tokens are for this URL is called \(user)".plain)
    }
}
