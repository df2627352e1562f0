import PosternCrypto
import StrictJSON
import TestAuthority
import Testing

@testable import PosternCore

/// The keys of a provider, made once for all tests.
enum TestKeys {
    /// By key ID. `stranger` is not in the provider's key set; what it signs says `es`.
    static let signing: [String: SigningKey] = {
        var keys: [String: SigningKey] = [:]
        keys["rs"] = try? TestKey.rs256()
        keys["ps"] = try? TestKey.ps256()
        keys["es"] = try? SigningKey.generateES256()
        keys["ed"] = try? TestKey.ed25519()
        keys["rs384"] = try? TestKey.rsa(.rs384)
        keys["rs512"] = try? TestKey.rsa(.rs512)
        keys["ps384"] = try? TestKey.rsa(.ps384)
        keys["ps512"] = try? TestKey.rsa(.ps512)
        keys["es384"] = try? TestKey.es384()
        keys["es512"] = try? TestKey.es512()
        keys["es-2"] = try? SigningKey.generateES256()
        keys["stranger"] = try? SigningKey.generateES256()
        return keys
    }()

    static func key(_ id: String) throws -> SigningKey { try #require(signing[id]) }

    /// As a provider publishes it.
    static func jwk(_ id: String, kid: String? = nil, further: JSONObject = [:]) throws -> JSON {
        var object = JSONObject()
        if let kid { object["kid"] = .string(kid) }
        func point(_ x: [UInt8], _ y: [UInt8], on curve: String) {
            object["kty"] = "EC"
            object["crv"] = .string(curve)
            object["x"] = .string(Base64URL.encode(x))
            object["y"] = .string(Base64URL.encode(y))
        }
        switch try key(id).publicKey {
        case .rsa(let modulus, let exponent):
            object["kty"] = "RSA"
            object["n"] = .string(Base64URL.encode(modulus))
            object["e"] = .string(Base64URL.encode(exponent))
        case .p256(let x, let y): point(x, y, on: "P-256")
        case .p384(let x, let y): point(x, y, on: "P-384")
        case .p521(let x, let y): point(x, y, on: "P-521")
        case .ed25519(let x):
            object["kty"] = "OKP"
            object["crv"] = "Ed25519"
            object["x"] = .string(Base64URL.encode(x))
        }
        for member in further.members { object[member.key] = member.value }
        return .object(object)
    }

    static func document(_ keys: [JSON]) -> [UInt8] { JSON.object(["keys": .array(keys)]).serialized }

    static func keySet(_ keys: JSON...) throws -> KeySet { try KeySet(parsing: document(keys)) }

    /// All but the stranger, each under its own key ID.
    static func providerKeys() throws -> KeySet {
        try keySet(
            jwk("rs", kid: "rs", further: ["alg": "RS256", "use": "sig"]), jwk("ps", kid: "ps", further: ["alg": "PS256"]),
            jwk("es", kid: "es", further: ["use": "sig", "key_ops": ["verify"]]), jwk("ed", kid: "ed"))
    }
}

/// Makes ID tokens, right and wrong ones.
struct TokenForge {
    var key = "es"
    var header: String
    var claims: String

    /// The claims of a token that is right in every way.
    static let rightClaims: JSONObject = [
        "iss": "https://op.example", "sub": "248289761001", "aud": "client", "exp": 1_800_000_300, "iat": 1_800_000_000,
        "nonce": "n-0S6_WzA2Mj",
    ]
    static let rightNonce = Secret("n-0S6_WzA2Mj")

    /// - Parameter changes: of claims; null takes one away.
    init(key: String = "es", changes: JSONObject = [:], header: JSONObject? = nil) throws {
        self.key = key
        let algorithm = try TestKeys.key(key).algorithm
        let usual: JSONObject = ["alg": .string(algorithm.rawValue), "kid": .string(key == "stranger" ? "es" : key)]
        self.header = JSON.object(header ?? usual).text
        var claims = Self.rightClaims
        claims.apply(changes)
        self.claims = JSON.object(claims).text
    }

    var signingInput: String { "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(claims.utf8)))" }

    func signature() throws -> [UInt8] { try TestKeys.key(key).sign(Array(signingInput.utf8)) }

    func token() throws -> Secret { Secret("\(signingInput).\(Base64URL.encode(try signature()))") }
}

extension JSONObject {
    /// Replaces members; null takes one away.
    mutating func apply(_ changes: JSONObject) {
        for change in changes.members {
            if change.value == .null { self[change.key] = Optional<JSON>.none } else { self[change.key] = change.value }
        }
    }
}

/// What the tests expect where nothing else is said: the sign-in that ``TokenForge/rightClaims`` answers.
func judge(
    _ token: Secret, keys: KeySet? = nil, provider: Provider = .openID(), nonce: Secret? = TokenForge.rightNonce, accessToken: String = "at-1",
    code: String? = nil, parameters: [String: String] = [:], now: Timestamp = now
) throws -> String {
    let unverified: UnverifiedIDToken
    do throws(IDTokenRejection) { unverified = try UnverifiedIDToken(parsing: token) } catch { return "rejected: \(error.reason)" }
    let expectation = IDTokenExpectation.signIn(
        at: try ResolvedProvider(provider), nonce: nonce, accessToken: Secret(accessToken), code: code.map { Secret($0) },
        parameters: parameters)
    let verifier = IDTokenVerifier(cryptography: OpenSSLCryptography())
    return describe(verifier.verdict(on: unverified, keys: try keys ?? TestKeys.providerKeys(), expecting: expectation, now: now))
}

func describe(_ verdict: IDTokenVerifier.Verdict) -> String {
    switch verdict {
    case .verified: "verified"
    case .needsKeyRefetch(let rejection): "refetch: \(rejection.reason)"
    case .rejected(let rejection): "rejected: \(rejection.reason)"
    }
}
