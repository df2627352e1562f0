import Secrets

/// What tests say is no secret.
extension Secret: ExpressibleByStringLiteral {
    public convenience init(stringLiteral value: String) { self.init(value) }
}
