import PosternCore
import PosternInterface

/// Reads what servers demand of refused requests, and remembers what became of it.
@DaemonActor
final class StepUps: Grounded {
    /// The most values of `WWW-Authenticate`, and the longest, in bytes.
    private static let mostValues = 16
    private static let longestValue = 4096
    /// In seconds. A challenge renews no token that is younger: it may be about the one before. So a server that refuses every token causes one
    /// renewal in this time.
    private static let freshness: Int64 = 60

    let ground: Ground
    private let providers: ProviderDirectory
    private var memory = StepUpMemory()

    init(_ ground: Ground, providers: ProviderDirectory) {
        self.ground = ground
        self.providers = providers
    }

    // MARK: Challenges

    /// What follows from a challenge; nil if there is none.
    ///
    /// - Parameter credential: whose token the server was sent; nil if none is stored.
    func verdict(
        on challenge: [String]?, to credential: StoredCredential?, of provider: Provider
    ) throws(InterfaceError) -> ChallengeVerdict? {
        guard let challenge else { return nil }
        guard challenge.count <= Self.mostValues, challenge.allSatisfy({ $0.utf8.count <= Self.longestValue }) else {
            throw .invalidParameter("challenge")
        }
        let verdict = ChallengeVerdict(
            on: AuthenticationChallenge.all(in: challenge), to: credential, of: provider)
        guard let credential, isFresh(credential) else { return verdict }
        switch verdict {
        // What the server refused is the token that this one replaced.
        case .renewal, .refusal(.alreadyGranted): return .nothing
        case .nothing, .proof, .stepUp, .refusal: return verdict
        }
    }

    private func isFresh(_ credential: StoredCredential) -> Bool {
        (0..<Self.freshness).contains(platform.now.seconds(since: credential.grant.obtainedAt))
    }

    /// - Throws: if it was refused, or the account had too many step-ups, a short while ago.
    func requireUntried(_ stepUp: StepUp, at provider: Provider) throws(InterfaceError) {
        guard let seconds = memory.wait(for: stepUp, providerID: provider.id, now: platform.now) else { return }
        throw .tooManyAttempts(
            message: "\(provider.displayName) was asked for more a short while ago, and that did not help; it can be asked for "
                + "\(stepUp.words) in \(seconds) s",
            retryAfterSeconds: Int(seconds))
    }

    // MARK: What became of them

    /// A sign-in has ended.
    func ended(_ request: SignInRequest, _ outcome: SignInOutcome) {
        guard let stepUp = request.stepUp else { return }
        switch outcome {
        case .completed, .kept: memory.granted(stepUp, providerID: request.providerID, now: platform.now)
        case .refused: break
        case .failed(.ended(let ending)):
            if ending.reason == .notGranted { memory.refused(stepUp, providerID: request.providerID, now: platform.now) }
        case .failed(.provider(let failure)):
            // An answer, and not a provider that cannot be reached or a store that is locked.
            guard [.denied, .invalidIDToken, .scopeRejected, .requestRejected].contains(failure.reason),
                !["server_error", "temporarily_unavailable"].contains(failure.error)
            else { break }
            memory.refused(stepUp, providerID: request.providerID, now: platform.now)
        }
    }
}

extension StepUp {
    /// What is wanted, within a sentence.
    var words: String {
        var wants: [String] = []
        if !missing.isEmpty { wants.append("the \(missing.count == 1 ? "scope" : "scopes") \(missing.joined(separator: ", "))") }
        if !details.isEmpty { wants.append("a stronger sign-in (\(details.joined(separator: ", ")))") }
        return wants.joined(separator: " and ")
    }

    /// The scopes, and the parameters of a stronger sign-in.
    var list: String { (missing + details).joined(separator: ", ") }

    private var details: [String] { parameters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" } }

    /// The arguments of `postern sign-in` that ask for it; nil if a shell would understand them in another way.
    ///
    /// - Parameter isWhole: the scopes that are named are all that is asked for, as at an MCP server.
    func signInOptions(isWhole: Bool) -> String? {
        var options: [String] = []
        for scope in isWhole ? scopes : missing {
            guard let word = Self.shellWord(scope) else { return nil }
            options += ["--scope", word]
        }
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            guard let word = Self.shellWord("\(name)=\(value)") else { return nil }
            options += ["--param", word]
        }
        return options.joined(separator: " ")
    }

    /// A server chose the words, and a person pastes them into a shell.
    private static func shellWord(_ word: String) -> String? {
        guard !word.begins(with: "-"), !word.utf8.contains(UInt8(ascii: "'")) else { return nil }
        let isPlain = word.utf8.allSatisfy { $0.isASCIILetter || $0.isDecimalDigit || "@._+-:/=,".utf8.contains($0) }
        return isPlain ? word : "'\(word)'"
    }
}

extension InterfaceError {
    /// - Parameter signIn: the arguments of `postern sign-in` that mean the account.
    static func stepUp(_ stepUp: StepUp, at provider: Provider, signIn: String) -> InterfaceError {
        let advice =
            stepUp.signInOptions(isWhole: provider.server != nil).map { "run `postern sign-in \(signIn) \($0)`" }
            ?? "sign in with the server's challenge"
        return .stepUpRequired(
            message: "the server wants \(stepUp.words), which the token of \(provider.displayName) does not have; \(advice)",
            providerID: provider.id, scopes: stepUp.scopes, acrValues: stepUp.authenticationClasses,
            maxAgeSeconds: stepUp.longestSinceAuthentication.map(Int.init))
    }

    init(_ refusal: StepUpRefusal, at provider: Provider) {
        let name = provider.displayName
        switch refusal {
        case .alreadyGranted(let scopes):
            self = .scopeNotGranted(
                message: "the server wants the scopes \(scopes.joined(separator: ", ")), which \(name) granted already: "
                    + "another sign-in would change nothing; ask whoever runs the server what is missing", missing: [])
        case .notListed(let scopes):
            self = .scopeNotGranted(
                message: "the server wants scopes that step-up-scopes of [provider.\(provider.id)] does not list: "
                    + "\(scopes.joined(separator: ", ")); if you trust it with them, add them there", missing: scopes)
        case .noScopes:
            self = .scopeNotGranted(
                message: "the server wants more scopes than the token of \(name) has, and does not say which", missing: [])
        case .otherClass(let wanted, let kept):
            self = .scopeNotGranted(
                message: "the server wants a sign-in of class \(wanted.joined(separator: " or ")), but that of \(name) was to be of class "
                    + "\(kept.joined(separator: " or ")), which another server demanded, and only one can be kept; to switch, sign in with "
                    + "--param acr_values=…",
                missing: [])
        case .unreadable(let parameter):
            self = .scopeNotGranted(
                message: "the server wants more than the token of \(name) has, but its WWW-Authenticate cannot be used: "
                    + "\(parameter) is too long, or is not what it should be", missing: [])
        }
    }
}
