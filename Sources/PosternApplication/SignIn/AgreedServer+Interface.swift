import PosternCore
import PosternInterface

extension Interface.SignIn {
    /// What the person agreed to, checked; nil if nothing was shown.
    ///
    /// - Throws: also if the provider is none that anything is found out about.
    func agreed(at provider: Provider) throws(InterfaceError) -> AgreedServer? {
        guard let agreed else { return nil }
        guard provider.server != nil, confirmation == nil, Self.isBounded(agreed.issuer), agreed.resource.map(Self.isBounded) ?? true,
            agreed.endpointHosts.count <= AgreedServer.mostHosts, agreed.scopes.count <= Scopes.most
        else { throw .invalidParameter("agreed") }
        var hosts: Set<EndpointHost> = []
        for text in agreed.endpointHosts {
            guard Self.isBounded(text), let host = EndpointHost(written: text) else { throw .invalidParameter("agreed") }
            hosts.insert(host)
        }
        return AgreedServer(issuer: agreed.issuer, resource: agreed.resource, endpointHosts: hosts, scopes: agreed.scopes)
    }

    private static func isBounded(_ text: String) -> Bool { 1...AgreedServer.longestURL ~= text.utf8.count }
}
