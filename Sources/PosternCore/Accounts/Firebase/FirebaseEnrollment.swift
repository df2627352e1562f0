/// The result of `mfaEnrollment:start`: a session to confirm, and for an authenticator the secret.
public struct FirebaseEnrollment: Sendable, Equatable {
    public var session: Secret
    /// In Base32; nil for a phone.
    public var secret: Secret?
    public var algorithm = "SHA1"
    public var digits: Int64 = 6
    /// In seconds.
    public var period: Int64 = 30

    public init(_ kind: SecondFactor.Kind, _ answer: FirebaseAnswer) throws(FirebaseRefusal) {
        switch kind {
        case .phone:
            session = try answer.requiredObject("phoneSessionInfo").requiredToken("sessionInfo")
        case .totp:
            let info = try answer.requiredObject("totpSessionInfo")
            session = try info.requiredToken("sessionInfo")
            secret = try info.requiredToken("sharedSecretKey")
            algorithm = try info.identifier("hashingAlgorithm") ?? algorithm
            digits = try info.number("verificationCodeLength") ?? digits
            period = try info.number("periodSec") ?? period
        }
    }

    /// For a QR code; nil for a phone. Unlike the SDK's it contains the period, which need not be the usual one.
    public func provisioningURI(issuer: String, account: String) -> Secret? {
        guard let secret else { return nil }
        let query = PercentEncoding.query([
            ("secret", secret.reveal()), ("issuer", issuer), ("algorithm", algorithm), ("digits", "\(digits)"), ("period", "\(period)"),
        ])
        return Secret("otpauth://totp/\(PercentEncoding.encode(issuer)):\(PercentEncoding.encode(account))?\(query)")
    }
}

extension FirebaseAnswer {
    /// Tokens, if the answer has any: changes of a user do not always bring new ones.
    public func tokens(now: Timestamp) throws(FirebaseRefusal) -> FirebaseTokens? {
        guard let idToken = try token("idToken") else { return nil }
        return try FirebaseTokens(
            idToken: idToken, refreshToken: try requiredToken("refreshToken"), lifetime: try number("expiresIn"), now: now)
    }

    /// The result of `mfaSignIn:start` for a phone.
    public func phoneSession() throws(FirebaseRefusal) -> Secret {
        try requiredObject("phoneResponseInfo").requiredToken("sessionInfo")
    }

    /// Of `accounts:createAuthUri`. Also empty if the project does not say who is registered.
    public func providerIDs() throws(FirebaseRefusal) -> [String] {
        let all = try texts("allProviders", most: 64)
        return all.isEmpty ? try texts("signinMethods", most: 64) : all
    }
}
