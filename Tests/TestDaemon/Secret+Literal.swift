import Secrets

/// What tests say is not a secret.
extension Secret: ExpressibleByStringLiteral {
    public convenience init(stringLiteral value: String) { self.init(value) }
}
