/// What else a redirect URI needs before an answer comes back by it.
enum RedirectAdvice {
    /// None for a plain loopback address, which needs nothing.
    ///
    /// - Parameter relay: how a page elsewhere hands the provider's answers on; nil: by the page that is there for it.
    static func lines(redirectURI: String, providerID: String, relay: [String]? = nil) -> [String] {
        guard let address = WebAddress(redirectURI) else {
            let scheme = String(redirectURI.prefix { $0 != ":" })
            return [
                "and have this desktop hand such addresses to Postern:",
                "  postern url-scheme register \(scheme) --provider \(providerID)".plain,
            ]
        }
        if !address.isLoopback {
            return relay ?? ["and put the page of packaging/relay/ there, which hands the answers on to this machine (docs/relay.md)"]
        }
        guard address.scheme == "https" else { return [] }
        return ["and have your browser trust the certificate: postern provider certificate says how"]
    }
}
