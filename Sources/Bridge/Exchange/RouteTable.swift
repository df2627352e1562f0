import HTTPSClient
import NIOCore
import PosternClient
import PosternInterface

/// How the servers of accounts are reached, as the daemon says.
final class RouteTable {
    /// How a request reaches its server.
    struct Route {
        let client: HTTPSClient
        /// Certificates in PEM.
        let authorities: String?
    }

    /// For what one account's requests need; another account's URLs replace the oldest.
    private static let most = 64
    /// A change of the configuration takes effect after this time at the latest.
    private static let lifetime = TimeAmount.seconds(60)

    private let link: DaemonLink
    private let eventLoop: any EventLoop
    private var routes: [String: (route: Route, until: NIODeadline)] = [:]
    /// Those who wait for a route that was asked for.
    private var asked: [String: [(Result<Route, PosternError>) -> Void]] = [:]
    /// By their proxies; connections are kept in a client.
    private var clients: [Proxies: HTTPSClient] = [:]

    private struct Proxies: Hashable {
        var https: Secret?
        var all: Secret?
        var exceptions: String?

        var environment: [String: String] {
            var environment: [String: String] = [:]
            environment["https_proxy"] = https?.reveal()
            environment["all_proxy"] = all?.reveal()
            environment["no_proxy"] = exceptions
            return environment
        }
    }

    init(_ link: DaemonLink, eventLoop: any EventLoop) {
        self.link = link
        self.eventLoop = eventLoop
    }

    /// - Parameters:
    ///   - account: of a provider or an account; with nil, the URL says whose.
    ///   - done: called later, or before this returns.
    func find(account: String?, url: String, then done: @escaping (Result<Route, PosternError>) -> Void) {
        // Of a named account, which URLs it serves is the daemon's to say when it authorizes the request.
        let key = account.map { "account \($0)" } ?? "url \(url)"
        if let known = routes[key], .now() < known.until { return done(.success(known.route)) }
        asked[key, default: []].append(done)
        guard asked[key]?.count == 1 else { return }
        link.call(Interface.GetRoute(url: account == nil ? url : nil, providerID: account), isRepeatable: true) { result in
            self.answered(key, result.map(self.route))
        }
    }

    /// Asked for anew, if its server could not be reached: its certificates or the proxy may have changed.
    func forgetAll() { routes = [:] }

    private func answered(_ key: String, _ result: Result<Route, PosternError>) {
        if case .success(let route) = result {
            if routes.count >= Self.most { routes = routes.filter { .now() < $0.value.until } }
            if routes.count >= Self.most { routes = [:] }
            routes[key] = (route, .now() + Self.lifetime)
        }
        for done in asked.removeValue(forKey: key) ?? [] { done(result) }
    }

    private func route(_ reply: Interface.GetRoute.Reply) -> Route {
        let proxies = Proxies(https: reply.httpsProxy, all: reply.allProxy, exceptions: reply.noProxy)
        if let client = clients[proxies] { return Route(client: client, authorities: reply.authorities) }
        // Another daemon, with another environment.
        clients = [:]
        let client = HTTPSClient(
            eventLoop: eventLoop,
            configuration: HTTPSClientConfiguration(environment: proxies.environment, userAgent: "Postern/\(Release.version)"))
        clients[proxies] = client
        return Route(client: client, authorities: reply.authorities)
    }
}
