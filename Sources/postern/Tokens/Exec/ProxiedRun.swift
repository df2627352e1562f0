import Glibc
import PosternClient

/// A command that reaches the URLs of accounts through a proxy, and never has a token.
struct ProxiedRun {
    let exec: Exec
    let run: CommandRun

    func perform() throws {
        let runtime = RuntimeDirectory.path(ProcessEnvironment.variable("XDG_RUNTIME_DIR"))
        let directory = try CommandDirectory("postern-proxy", in: runtime, for: "the proxy's socket")
        let sockets = exec.proxied.map { ProxyProcess.socketName($0.name) }
        do {
            let routes = try routes()
            let held = CommandRun.holdSignals()
            let proxy = try ProxyProcess(
                routes: routes, methods: exec.methods ?? ProxyMethods.usual, hasPort: !exec.hasNoPort, directory: directory.path,
                daemonSocket: exec.common.socketPath)
            defer { proxy.end() }
            for (name, value) in proxy.variables(setting: exec.set) + ProxiedEnvironment.exceptions(ProcessEnvironment.variable) {
                setenv(name, value, 1)
            }
            let ending = try run.wait(held) {}
            proxy.end()
            directory.remove(sockets)
            ending.passOn()
        } catch {
            directory.remove(sockets)
            throw error
        }
    }

    /// Each account is there, and somebody has signed in: the command is not started to fail later.
    private func routes() throws -> [ProxyProcess.Route] {
        let connection = try exec.connect()
        defer { connection.close() }
        return try exec.proxied.map { place in
            do {
                let route = try connection.call(
                    Interface.GetRoute(url: place.isURL ? place.account : nil, providerID: place.isURL ? nil : place.account))
                guard let first = route.urls.first else {
                    throw CommandFailure(
                        "the tokens of \(place.account) are for no URL".plain,
                        advice: "say which: postern config set provider.\(route.providerID).serves https://…".plain)
                }
                let account = place.isURL ? route.account ?? route.providerID : place.account
                let urls = place.isURL ? [place.account] : route.urls
                // From here on there are secrets: the proxy's own, and a token if there is one after all.
                ProcessMemory.hide()
                if try !Self.isSignedIn(route, connection) {
                    // The daemon says why there is no token.
                    _ = try connection.call(
                        Interface.AuthorizeRequest(method: "GET", url: place.isURL ? place.account : first, providerID: account))
                }
                return ProxyProcess.Route(place: place, account: account, urls: urls)
            } catch {
                let failure = CommandFailure(error).askingForScopes(of: place.account, account: nil, at: exec.common.socketPath)
                throw failure.namingAccounts(of: place.isURL ? nil : place.account)
            }
        }
    }

    /// Whether one account is meant, and nothing is known against it; a token is not asked for.
    private static func isSignedIn(_ route: Interface.GetRoute.Reply, _ connection: PosternConnection) throws -> Bool {
        let kept = try connection.call(Interface.ListCredentials()).credentials.filter { credential in
            credential.providerID == route.providerID && (route.account == nil || credential.account == route.account)
        }
        return kept.count == 1 && kept[0].state != .signInNeeded
    }
}
