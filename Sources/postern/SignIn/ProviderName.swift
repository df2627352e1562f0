import PosternClient

/// A provider's name for a person. Where it cannot be had the sign-in itself will say why.
enum ProviderName {
    static func look(up providerID: String, socketPath: String) -> String {
        guard let connection = try? PosternConnection(socketPath: socketPath) else { return providerID }
        defer { connection.close() }
        let providers = try? connection.call(Interface.ListProviders()).providers
        return (providers?.first { $0.providerID == providerID }?.displayName ?? providerID).plain
    }

    static func look(upSession sessionID: String, socketPath: String) -> String {
        guard let connection = try? PosternConnection(socketPath: socketPath) else { return "the provider" }
        defer { connection.close() }
        let sessions = try? connection.call(Interface.ListSessions()).sessions
        guard let session = sessions?.first(where: { $0.sessionID == sessionID }) else { return "the provider" }
        return look(up: session.providerID, socketPath: socketPath)
    }
}
