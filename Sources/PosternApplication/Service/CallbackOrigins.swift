import PosternCore

/// Where the callback listener is, and so where providers send browsers to.
@DaemonActor
public final class CallbackOrigins {
    /// Base URLs of the listener, `http://127.0.0.1:7678`; empty before it is up.
    private(set) var all: [String] = []
    /// The one that redirect URIs use.
    private(set) var first = "http://127.0.0.1:7678"

    init() {}

    /// The listener is up, here.
    public func listening(at origins: [String]) {
        all = origins
        if let first = origins.first { self.first = first }
    }

    var callbackURLs: [String] { all.map { "\($0)/__/auth/handler" } }

    func redirectURI(of provider: Provider) -> String { provider.redirectURI?.text ?? listenerURI(of: provider) }

    /// What can be registered at the provider; nil where it takes no callback URL of this machine.
    func registrableRedirectURI(of provider: Provider) -> String? {
        provider.redirectURI == nil && provider.redirectHost == .website ? nil : redirectURI(of: provider)
    }

    /// Where the listener takes the provider's answers, whoever brings them there.
    func listenerURI(of provider: Provider) -> String {
        let origin =
            switch provider.redirectHost {
            // A website hands the answer on to the address.
            case .address, .website: first
            case .localhost: localhost
            }
        return "\(origin)/__/auth/handler" + (provider.hasOwnCallbackPath ? "/\(provider.id)" : "")
    }

    /// The first origin under the other name of this machine.
    private var localhost: String {
        let scheme = first.prefix { $0 != ":" }
        let port = first.split(separator: ":").last.map { ":\($0)" } ?? ""
        return "\(scheme)://localhost\(port)"
    }
}
