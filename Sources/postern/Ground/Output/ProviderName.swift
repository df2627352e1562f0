import PosternClient

/// A provider's name for the user. If it cannot be obtained, the sign-in itself reports why.
enum ProviderName {
    /// - Throws: if the daemon hangs: the next call would wait as long again.
    static func look(up providerID: String, socketPath: String) throws(PosternError) -> String {
        let providers = try ask(Interface.ListProviders(), socketPath)?.providers
        return (providers?.first { $0.providerID == providerID }?.displayName ?? providerID).plain
    }

    static func look(upSession sessionID: String, socketPath: String) throws(PosternError) -> String {
        let sessions = try ask(Interface.ListSessions(), socketPath)?.sessions
        guard let session = sessions?.first(where: { $0.sessionID == sessionID }) else { return "the provider" }
        return try look(up: session.providerID, socketPath: socketPath)
    }

    private static func ask<Parameters: MethodParameters>(
        _ parameters: Parameters, _ socketPath: String
    ) throws(PosternError) -> Parameters.Reply? {
        do throws(PosternError) {
            return try PosternConnection.call(parameters, at: socketPath)
        } catch {
            if case .daemonUnresponsive = error { throw error }
            return nil
        }
    }
}
