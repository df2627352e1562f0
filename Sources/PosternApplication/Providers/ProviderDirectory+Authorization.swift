import PosternCore
import PosternInterface

extension ProviderDirectory {
    /// The header fields that authorize one request.
    struct Authorization {
        var headers: [(name: String, value: String)]
        /// A signature or a proof is valid only for the request that it was made for.
        var isForOneRequest: Bool

        fileprivate init(headers: [(name: String, value: String)], isForOneRequest: Bool) {
            (self.headers, self.isForOneRequest) = (headers, isForOneRequest)
        }

        /// The scheme's name is that of the token type, except for case (RFC 6749 section 5.1).
        fileprivate init(bearer grant: Grant) {
            let scheme = grant.tokenType.lowercased() == "bearer" || grant.tokenType.isEmpty ? "Bearer" : grant.tokenType
            self.init(headers: [("Authorization", "\(scheme) \(grant.accessToken.reveal())")], isForOneRequest: false)
        }

        /// That of any request; nil if each request has its own.
        init?(ofAnyRequestBy grant: Grant) {
            guard grant.proofKey == nil, OAuth1Token(grant) == nil else { return nil }
            self.init(bearer: grant)
        }
    }

    /// Authorizes a program's request as the grant requires: with a bearer token (RFC 6750), with the proof of a key (RFC 9449), or with a
    /// signature (RFC 5849).
    ///
    /// - Parameter nonce: the one that the server of the request gave for the proof.
    func authorization(
        of request: ProviderRequest, by credential: StoredCredential, nonce: String?
    ) async throws(ProviderFailure) -> Authorization {
        let grant = credential.grant
        if let token = OAuth1Token(grant) {
            let provider = try await resolve(try provider(credential.providerID, boundTo: credential.binding))
            let clock = clocks[provider.id] ?? OAuth1Clock()
            let stamp = OAuth1Request.Stamp(
                nonce: RandomIdentifier.nonce(randomBytes: try platform.providerBytes(24)), timestamp: clock.timestamp(now: platform.now))
            let signed = OAuth1Request.authorized(request, by: token).signed(for: provider, with: stamp, cryptography: cryptography)
            return Authorization(headers: signed.headers.filter { $0.name == "Authorization" }, isForOneRequest: true)
        }
        guard let key = grant.proofKey else { return Authorization(bearer: grant) }
        let proved = DPoPProof.proving(
            request, with: key, accessToken: grant.accessToken, nonce: nonce,
            randomBytes: try platform.providerBytes(DPoPProof.randomByteCount), now: platform.now, cryptography: cryptography)
        guard let proof = proved?.headers.last(where: { $0.name == "DPoP" })?.value else {
            throw .internal(message: "the key that the tokens are bound to is damaged; sign in again")
        }
        return Authorization(
            headers: [("Authorization", "DPoP \(grant.accessToken.reveal())"), ("DPoP", proof)], isForOneRequest: true)
    }
}

extension Platform {
    /// Random bytes for a request to a provider.
    func providerBytes(_ count: Int) throws(ProviderFailure) -> [UInt8] {
        do throws(RandomnessFailure) { return try randomness.bytes(count) } catch { throw .noRandomness(error) }
    }
}

extension ProviderFailure {
    static func noRandomness(_ failure: RandomnessFailure) -> ProviderFailure {
        .internal(message: "the system returned no random numbers: \(failure)")
    }
}

extension Interface.AuthorizeRequest.Reply {
    init(_ authorization: ProviderDirectory.Authorization, by credential: StoredCredential) {
        self.init(
            headers: Dictionary(authorization.headers.map { ($0.name, Secret($0.value)) }, uniquingKeysWith: { $1 }),
            expiresAt: authorization.isForOneRequest ? nil : credential.grant.expiresAt.map { "\($0)" },
            providerID: credential.providerID, uid: credential.subject)
    }
}
