import PosternCore

/// What a provider says when it is asked now, whatever is remembered about it.
///
/// Nobody signs in for it. It makes the request that a sign-in would make: if that is pushed (RFC 9126), or begins with a request token
/// (RFC 5849), its acceptance proves the client; if not, the token endpoint is sent a code that the provider never issued.
@DaemonActor
struct ProviderExamination {
    struct Finding: Sendable, Equatable {
        enum Level: Sendable {
            case ok
            /// Works, but not for everything; or could not be examined.
            case warn
            case fail
        }

        var level: Level
        var title: String
        var detail: String
        var advice: String?
    }

    private(set) var findings: [Finding] = []
    /// The page that a user would see.
    private(set) var page: String?

    /// The provider has just said so.
    var acceptsClient: Bool { findings.contains { $0.title == "client" && $0.level == .ok } }

    private let exchange: CodeExchange
    private let redirectURI: String

    private init(_ exchange: CodeExchange, redirectURI: String) {
        self.exchange = exchange
        self.redirectURI = redirectURI
    }

    /// - Parameters:
    ///   - provider: one whose configuration is complete.
    ///   - redirectURI: of a sign-in that would begin now.
    ///   - callbackProblem: why its answer would not arrive; nil if it would.
    static func of(
        _ provider: Provider, redirectURI: String, callbackProblem: String?, by exchange: CodeExchange
    ) async -> ProviderExamination {
        var examination = ProviderExamination(exchange, redirectURI: redirectURI)
        examination.found(.ok, "configuration", "complete")
        do throws(ProviderFailure) { try await examination.examine(provider) } catch {
            // A failure without a finding of its own ends the examination.
            examination.found(.fail, "endpoints", error.description, advice: advice(onEndpointsOf: provider))
        }
        if let callbackProblem {
            examination.found(.fail, "callback URL", callbackProblem)
        } else if !examination.findings.contains(where: { $0.title == "callback URL" }) {
            examination.found(
                .warn, "callback URL", "not checked: whether \(redirectURI) is registered shows on the provider's page")
        }
        return examination
    }

    /// What an OpenID provider's documents say, before it is configured.
    static func of(issuer: String, caFile: String?, by exchange: CodeExchange) async -> ProviderExamination {
        var examination = ProviderExamination(exchange, redirectURI: "")
        var provider = Provider(id: "", displayName: issuer, kind: .oidc)
        provider.issuer = issuer
        provider.caFile = caFile
        do throws(ProviderFailure) {
            guard let metadata = try await exchange.providers.readAnew(provider).knownMetadata else { return examination }
            let page = metadata.authorization.map { "; the page is at \($0.origin)" } ?? ""
            examination.found(.ok, "endpoints", "just read from the provider\(page)")
            if let gap = metadata.gaps.first(where: \.list.stopsPages) { examination.found(.fail, "requests", "\(gap)") }
            examination.compare(metadata, with: provider)
        } catch {
            examination.found(.fail, "endpoints", error.description)
        }
        return examination
    }

    /// If the configuration names the endpoints, it may be wrong.
    private static func advice(onEndpointsOf provider: Provider) -> String {
        guard provider.needsDiscovery, provider.issuer != nil else { return "postern provider show \(provider.id)" }
        return "if the issuer is wrong: postern config set provider.\(provider.id).issuer https://…"
    }

    private mutating func found(_ level: Finding.Level, _ title: String, _ detail: String, advice: String? = nil) {
        findings.append(Finding(level: level, title: title, detail: detail, advice: advice))
    }

    private mutating func examine(_ configured: Provider) async throws(ProviderFailure) {
        let providers = exchange.providers
        let memory = try await providers.readAnew(configured)
        let provider = try await providers.withClient(configured, redirectURI: redirectURI).provider
        let resolved = try await providers.resolve(provider)
        let how = provider.needsDiscovery ? "known; those that the configuration does not name were just read from the provider" : "known"
        found(.ok, "endpoints", "\(how); the page is at \(resolved.authorization.origin)")
        if let metadata = memory.knownMetadata { compare(metadata, with: provider) }
        if let problem = resolved.pageProblem {
            found(.fail, "requests", "\(problem)")
        } else {
            await examineClient(of: provider, at: resolved)
        }
        if provider.kind == .oidc { await examineKeys(at: resolved, in: memory) }
        if !provider.namesPeople { examineAccount(at: provider, memory.knownMetadata) }
    }

    /// Nothing is missing where tokens are all that is wanted.
    private mutating func examineAccount(at provider: Provider, _ metadata: ProviderMetadata?) {
        let words = "the provider says nothing about who signs in, so the account is its name, and a new sign-in takes its place"
        guard let userinfo = metadata?.userinfo else { return found(.ok, "account", words) }
        found(
            .warn, "account", "\(words); its metadata name a userinfo_endpoint, which is not asked",
            advice: "to ask it: postern config set provider.\(provider.id).userinfo-endpoint \(userinfo.text)")
    }

    /// What the metadata list or demand and Postern does not do. It need not stop a sign-in: not every server does what it says.
    private mutating func compare(_ metadata: ProviderMetadata, with provider: Provider) {
        if metadata.listsOfflineAccess, provider.dialect.takesOfflineAccess(of: provider) {
            found(.ok, "refresh tokens", "the provider lists offline_access, which requests one")
        }
        for gap in metadata.gaps where !gap.list.stopsPages {
            found(.warn, gap.list == .codeChallengeMethods ? "PKCE" : "ID tokens", "\(gap)")
        }
        if let mode = provider.responseMode?.rawValue, let listed = metadata.responseModes, !listed.isEmpty, !listed.contains(mode) {
            found(
                .warn, "response-mode",
                "the configuration asks for \(mode), but the provider lists only \(ProviderText.cleaned(names: listed).joined(separator: ", ")) "
                    + "(response_modes_supported)")
        }
        func named(_ demands: [MetadataDemand]) -> String { demands.map { "\($0.what) (\($0.rawValue))" }.joined(separator: ", ") }
        let demands = MetadataDemand.allCases.filter(metadata.demands.contains)
        let always = demands.filter { !$0.isOfClient }
        if !always.isEmpty {
            found(.warn, "demands", "the provider demands \(named(always)), which Postern does not have; it may refuse every sign-in")
        }
        let perhaps = demands.filter(\.isOfClient)
        if !perhaps.isEmpty {
            found(
                .warn, "client settings",
                "not checked: whether the provider gives this client \(named(perhaps)), which Postern cannot use; "
                    + "turn them off for the client at the provider")
        }
    }

    private mutating func examineClient(of provider: Provider, at resolved: ResolvedProvider) async {
        let secrets: FlowSecrets
        do throws(RandomnessFailure) { secrets = try exchange.platform.flowSecrets(of: provider) } catch {
            return found(.fail, "client", "the system returned no random numbers: \(error)")
        }
        // Nobody waits for this session, and it is in no table: no callback can match it.
        let session = SignInSession(
            id: "",
            request: SignInRequest(
                providerID: provider.id, intent: nil, app: "", scopes: (try? provider.scopesToRequest(nil)) ?? provider.scopes,
                hasUsualScopes: true),
            binding: provider.binding, requester: "postern", startedAt: exchange.platform.now, redirectURI: redirectURI, pageID: "")
        do throws(ProviderFailure) {
            let made = try await exchange.makePage(for: session, secrets, at: provider).page
            page = made.url
            if provider.kind == .oauth1 {
                return found(.ok, "client", "the provider accepts the key, the secret and the callback URL: it gave a request token")
            }
            // The provider forgets a pushed request after a while; a page without one has no expiry.
            guard made.expiresAt == nil else {
                found(
                    .ok, "client",
                    "the provider accepts the client ID, and the secret if there is one: it accepted the pushed request")
                return found(.ok, "callback URL", "the provider accepted \(redirectURI) in the pushed request")
            }
        } catch {
            let advice = "\(Self.clientAdvice); postern setup \(provider.id) asks for them again"
            return found(.fail, "client", error.description, advice: advice)
        }
        await showMadeUpCode(of: session, secrets, at: resolved)
    }

    private static let clientAdvice = "compare client-id and client-secret with what the provider shows"

    private mutating func showMadeUpCode(of session: SignInSession, _ secrets: FlowSecrets, at provider: ResolvedProvider) async {
        let verdict: ClientVerdict
        do throws(ProviderFailure) {
            try await exchange.redeem(ClientVerdict.madeUpCode, of: session, secrets, at: provider)
            verdict = .unknown(reason: "the provider gave a token for an invalid code")
        } catch {
            verdict = ClientVerdict(error)
        }
        switch verdict {
        case .taken(let error):
            found(
                .ok, "client",
                "the provider accepts the client ID, and the secret if there is one: it answers an invalid code with \(error)")
        case .refused(let reason): found(.fail, "client", reason, advice: Self.clientAdvice)
        case .unknown(let reason):
            found(.warn, "client", "not checked whether the provider accepts the client ID and secret: \(reason)")
        }
    }

    private mutating func examineKeys(at provider: ResolvedProvider, in memory: ProviderMemory) async {
        do throws(ProviderFailure) {
            let keys = try await memory.keys(at: provider.jwks).keys.keys
            let algorithms = provider.idTokenAlgorithms.filter { algorithm in keys.contains { $0.fits(algorithm) } }
            guard !algorithms.isEmpty else {
                return found(
                    .fail, "keys",
                    "none of the provider's keys (jwks_uri) can verify an ID token; "
                        + "supported are \(SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            let names = SignatureAlgorithm.allCases.filter(algorithms.contains).map(\.rawValue).joined(separator: ", ")
            found(.ok, "keys", "\(keys.count) to verify ID tokens with: \(names)")
        } catch {
            found(.fail, "keys", error.description)
        }
    }
}
