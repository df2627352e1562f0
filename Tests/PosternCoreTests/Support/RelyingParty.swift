import PosternCrypto
import Testing

@testable import PosternCore

/// What the daemon does with the decisions, without its wires: each request is answered on the spot.
struct RelyingParty {
    struct SignedIn {
        var grant: Grant
        var profile: ProviderProfile
        var credential: StoredCredential
    }

    var provider: Provider
    var keys = KeySetCache()
    var fake: FakeOpenIDProvider
    private let cryptography = OpenSSLCryptography()

    init(_ fake: FakeOpenIDProvider, secret: String? = nil) {
        self.fake = fake
        provider = .openID(issuer: fake.issuer, secret: secret)
        provider.endpoints = ProviderEndpoints()
    }

    mutating func resolve() throws -> ResolvedProvider {
        var discovery = try MetadataDiscovery(issuer: try #require(provider.issuer), kind: provider.kind)
        var step = MetadataDiscovery.Step.ask(discovery.firstRequest)
        while case .ask(let request) = step { step = discovery.answered(try fake.answer(request), now: now) }
        switch step {
        case .found(let metadata): return try ResolvedProvider(provider, metadata: metadata)
        case .failed(let error): throw error
        case .ask: throw MetadataError.redirected
        }
    }

    mutating func signIn(nonce: Secret = TokenForge.rightNonce) throws -> SignedIn {
        let provider = try resolve()
        let verifier = try #require(CodeVerifier(randomBytes: Array(repeating: 7, count: 32)))
        let request = TokenRequest.exchange(
            code: Secret("SplxlOBeZQQYbYS6WxSbIA"), redirectURI: "http://127.0.0.1:7678/__/auth/handler", codeVerifier: verifier, at: provider)
        let grant = try TokenResponse.grant(
            from: try fake.answer(request), to: .exchange, at: provider, scopes: ["openid"], sentAt: now, now: now)
        let idToken = try verify(
            try #require(grant.idToken),
            expecting: .signIn(at: provider, nonce: nonce, accessToken: grant.accessToken), at: provider)
        let profile = try profile(grant, idToken, at: provider)
        let credential = StoredCredential(
            providerID: provider.id, subject: profile.identity.subject, displayName: profile.identity.displayName,
            binding: provider.provider.binding, grant: grant, generation: 1)
        return SignedIn(grant: grant, profile: profile, credential: credential)
    }

    mutating func refresh(_ credential: StoredCredential) throws -> SignedIn {
        let provider = try resolve()
        let request = TokenRequest.refresh(
            try #require(credential.grant.refreshToken), redirectURI: "http://127.0.0.1:7678/__/auth/handler", at: provider)
        let grant = try TokenResponse.grant(
            from: try fake.answer(request), to: .refresh(tokenType: credential.grant.tokenType), at: provider,
            scopes: credential.grant.scopes, sentAt: now, now: now)
        let idToken = try grant.idToken.map {
            try verify($0, expecting: .refresh(at: provider, of: credential, accessToken: grant.accessToken), at: provider)
        }
        return SignedIn(grant: grant, profile: try profile(grant, idToken, at: provider), credential: credential.refreshed(with: grant))
    }

    private mutating func verify(_ text: Secret, expecting expectation: IDTokenExpectation, at provider: ResolvedProvider) throws -> VerifiedIDToken {
        let token = try UnverifiedIDToken(parsing: text)
        let verifier = IDTokenVerifier(cryptography: cryptography)
        let copy = try currentKeys(at: provider)
        switch verifier.verdict(on: token, keys: copy.keys, expecting: expectation, now: now) {
        case .verified(let token): return token
        case .rejected(let rejection): throw rejection
        case .needsKeyRefetch(let rejection):
            guard case .fetch = keys.decideRefetch(of: copy, for: .provider, now: now) else { throw rejection }
            let renewed = try fetchKeys(at: provider)
            switch verifier.verdict(on: token, keys: renewed.keys, expecting: expectation, now: now) {
            case .verified(let token): return token
            case .rejected(let rejection), .needsKeyRefetch(let rejection): throw rejection
            }
        }
    }

    private mutating func currentKeys(at provider: ResolvedProvider) throws -> KeySetCache.Copy {
        if case .useCached(let copy) = keys.decide(now: now) { return copy }
        return try fetchKeys(at: provider)
    }

    private mutating func fetchKeys(at provider: ResolvedProvider) throws -> KeySetCache.Copy {
        try keys.fetched(try fake.answer(KeySet.request(from: try #require(provider.jwks))), now: now)
    }

    private mutating func profile(_ grant: Grant, _ idToken: VerifiedIDToken?, at provider: ResolvedProvider) throws -> ProviderProfile {
        let context = ProfileContext(
            provider: provider, grant: grant, idToken: idToken, keys: try currentKeys(at: provider).keys, cryptography: cryptography, now: now)
        var answers: [ProviderResponse] = []
        while let request = provider.dialect.nextProfileRequest(after: answers, in: context) { answers.append(try fake.answer(request)) }
        return try provider.dialect.profile(from: answers, in: context)
    }
}
