import PosternClient

/// Whether the providers' responses reach the daemon and nobody else: a browser sent to `localhost` may connect to 127.0.0.1 or to ::1.
enum RedirectCheck {
    private static let localhost = ["127.0.0.1", "::1"]

    /// - Parameter callbackURLs: those of the listener, which ``CallbackCheck`` has examined.
    static func findings(providers: [Provider], callbackURLs: [String], remedies: Remedies) -> [Finding] {
        let listener = callbackURLs.compactMap(WebAddress.init)
        let taken = taken(providers, listener, remedies)
        guard providers.contains(where: { $0.configured && address(of: $0)?.host == "localhost" }) else { return taken.map(\.finding) }
        var looked = Set(listener.map(\.origin)).union(taken.map(\.address.origin))
        var findings = taken.map(\.finding)
        for side in listener.flatMap(sides) where looked.insert(side.origin).inserted {
            findings += CallbackCheck.findings(otherSide: side, remedies: remedies)
        }
        return findings
    }

    /// An address that the daemon could not bind. The daemon names its holder; a provider's problem without an address is another one.
    private static func taken(
        _ providers: [Provider], _ listener: [WebAddress], _ remedies: Remedies
    ) -> [(address: WebAddress, finding: Finding)] {
        var found: [(address: WebAddress, finding: Finding)] = []
        for provider in providers {
            guard let problem = provider.problem, let registered = address(of: provider), registered.isLoopback else { continue }
            let places = registered.host == "localhost" ? ([registered] + listener).flatMap(sides) : [registered]
            guard let place = places.first(where: { problem.holds($0.authority) }) else { continue }
            guard !found.contains(where: { $0.address.origin == place.origin }) else { continue }
            found.append((place, .fail(CallbackCheck.title, problem, fix: CallbackCheck.fix(taken: place, remedies))))
        }
        return found
    }

    private static func address(of provider: Provider) -> WebAddress? { provider.redirectURI.flatMap(WebAddress.init) }

    private static func sides(of address: WebAddress) -> [WebAddress] {
        localhost.map { host in
            var side = address
            side.host = host
            return side
        }
    }
}
