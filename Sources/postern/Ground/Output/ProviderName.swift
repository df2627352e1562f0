import PosternClient

/// A provider's name for the user. If it cannot be obtained, the sign-in itself reports why.
enum ProviderName {
    /// - Throws: if the daemon hangs: the next call would wait as long again.
    static func look(up providerID: String, socketPath: String) throws(PosternError) -> String {
        let providers = try ask(Interface.ListProviders(), socketPath)?.providers
        return (providers?.first { $0.providerID == providerID }?.displayName ?? providerID).plain
    }

    /// A sign-in in progress; nil also if the daemon does not say.
    static func session(_ sessionID: String, socketPath: String) throws(PosternError) -> Session? {
        try ask(Interface.ListSessions(), socketPath)?.sessions.first { $0.sessionID == sessionID }
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
