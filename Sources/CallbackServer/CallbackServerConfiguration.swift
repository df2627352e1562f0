import LoopbackHTTP
import PosternCrypto

/// How the callback listener is set up: the configuration file's `[callback]`, and the pages' languages.
public struct CallbackServerConfiguration: Sendable {
    public var addresses: [BindTarget]
    /// A server's context: the callbacks' address begins with `https`.
    public var tls: TLSContext?
    /// Refuses connections that belong neither to this process's user nor to root.
    public var sameUser: Bool
    /// What the pages may speak. Empty means English.
    public var languages: [PageLanguage]
    public var limits: HTTPLimits

    public init(
        addresses: [BindTarget], tls: TLSContext? = nil, sameUser: Bool = true,
        languages: [PageLanguage] = PageLanguage.allCases, limits: HTTPLimits = HTTPLimits()
    ) {
        self.addresses = addresses
        self.tls = tls
        self.sameUser = sameUser
        self.languages = languages
        self.limits = limits
    }
}
