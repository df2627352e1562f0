/// A refresh token that replaced another one.
public struct RotatedToken: Sendable, Equatable {
    public var token: Secret
    /// Nil: the provider named no expiry.
    public var expiresAt: Timestamp?
    public var obtainedAt: Timestamp?
}
