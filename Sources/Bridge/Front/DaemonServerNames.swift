import BridgeCore
import NIOCore
import PosternClient
import PosternInterface

/// The daemon's names of MCP servers.
final class DaemonServerNames: MCPServerNames {
    /// More clients than anybody runs; names that do not exist are not kept.
    private static let most = 64
    /// A change of the configuration takes effect after this time at the latest. What is sent meanwhile is authorized for the URL that the
    /// account has then, or not at all.
    private static let lifetime = TimeAmount.seconds(10)

    private let link: DaemonLink
    private var known: [String: (url: String, until: NIODeadline)] = [:]

    init(_ link: DaemonLink) { self.link = link }

    func find(_ name: String, then done: @escaping (Result<String?, BridgeFailure>) -> Void) {
        if let server = known[name], .now() < server.until { return done(.success(server.url)) }
        link.call(Interface.GetRoute(providerID: name), isRepeatable: true) { result in
            switch result {
            case .success(let reply):
                // The name of an account is none of a server.
                guard reply.isMCP, reply.providerID == name, let url = reply.urls.first else { return done(.success(nil)) }
                if self.known.count >= Self.most { self.known = [:] }
                self.known[name] = (url, .now() + Self.lifetime)
                done(.success(url))
            case .failure(.refused(.providerNotFound)): done(.success(nil))
            case .failure(let error): done(.failure(BridgeFailure(error)))
            }
        }
    }
}
