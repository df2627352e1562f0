import StrictJSON

/// Why a provider's answer is not a key set.
public enum KeySetError: Error, Sendable, Hashable, CustomStringConvertible {
    case transient(TransientFailure)
    case refused(status: Int)
    case tooLarge(limit: Int)
    case notJSON(AnswerBodyFlaw)
    case noKeys
    case tooManyKeys(limit: Int)

    /// For a sentence that names the provider itself.
    public var description: String { sentence(of: "the provider") }

    private func sentence(of provider: String) -> String {
        switch self {
        case .transient(let failure): "the keys that sign ID tokens could not be read: \(failure.sentence(of: provider))"
        case .refused(let status): "\(provider) answered the request for its keys with status \(status)"
        case .tooLarge(let limit): "the key set of \(provider) is larger than \(limit) bytes"
        case .notJSON(let error): "the key set of \(provider) is \(error)"
        case .noKeys: "the key set of \(provider) has no list of keys"
        case .tooManyKeys(let limit): "the key set of \(provider) has more than \(limit) keys"
        }
    }

    /// - Parameter name: the provider's, for the sentence.
    public func providerFailure(at name: String) -> ProviderFailure {
        switch self {
        case .transient: .unreachable(message: sentence(of: name))
        default: .exchangeFailed(error: nil, description: nil, message: sentence(of: name))
        }
    }
}

/// The public keys of a provider (RFC 7517 section 5).
public struct KeySet: Sendable, Hashable {
    public static let mostBytes = 64 * 1024
    public static let mostKeys = 100

    /// The keys that can verify ID tokens, in the provider's order.
    public let keys: [JSONWebKey]

    /// Keys of unknown types are left out; they do not invalidate the set.
    public init(parsing body: [UInt8]) throws(KeySetError) {
        guard body.count <= Self.mostBytes else { throw .tooLarge(limit: Self.mostBytes) }
        let json: JSON
        do throws(AnswerBodyFlaw) { json = try AnswerBody.json(in: body) } catch { throw .notJSON(error) }
        guard let entries = json.objectValue?["keys"]?.arrayValue else { throw .noKeys }
        guard entries.count <= Self.mostKeys else { throw .tooManyKeys(limit: Self.mostKeys) }
        keys = entries.compactMap(JSONWebKey.init)
    }

    /// Reads the answer to ``request(from:)``.
    public init(from response: ProviderResponse, now: Timestamp) throws(KeySetError) {
        if let failure = TransientFailure(response, now: now) { throw .transient(failure) }
        guard 200..<300 ~= response.status else { throw .refused(status: response.status) }
        try self.init(parsing: response.body)
    }

    public static func request(from jwks: EndpointURL) -> ProviderRequest {
        ProviderRequest(url: jwks.text, headers: [("Accept", "application/jwk-set+json, application/json")])
    }
}

extension KeySet {
    enum Selection: Equatable {
        case key(PublicKey)
        /// The provider may have changed its keys since the set was read.
        case unknown
        case ambiguous
    }

    /// The one key that can have signed a token (OpenID Connect Core section 10.1). There is no fallback from an unknown `kid` to another
    /// key; without a `kid` there must be a single candidate.
    func select(keyID: String?, algorithm: SignatureAlgorithm) -> Selection {
        var candidates: Set<PublicKey> = []
        for key in keys where key.fits(algorithm) {
            // One key may be listed twice, once for each of its algorithms.
            if keyID == nil || key.keyID == keyID { candidates.insert(key.key) }
        }
        guard let sole = candidates.first else { return .unknown }
        return candidates.count == 1 ? .key(sole) : .ambiguous
    }

    /// The issuers that a key is listed for, one per entry; nil means any.
    func issuers(of key: PublicKey) -> [String?] { keys.filter { $0.key == key }.map(\.issuer) }
}
