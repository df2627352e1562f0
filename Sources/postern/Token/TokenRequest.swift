import PosternClient
import StrictJSON

/// What `postern token` was asked for, whichever way the command line was read.
struct TokenRequest: Equatable {
    var providerID: String
    var account: String?
    var scopes: [String] = []
    var minimumValidity: DurationText?
    var refresh = false
    var socket: String?
    var json = false

    var parameters: Interface.GetAccessToken {
        Interface.GetAccessToken(
            providerID: providerID, uid: account, scopes: scopes.isEmpty ? nil : scopes,
            minimumValiditySeconds: minimumValidity?.seconds, forceRefresh: refresh ? true : nil)
    }

    /// Asks, prints the token, and says how it ended.
    func run() -> CommandStatus {
        do {
            try perform()
            return .done
        } catch {
            let failure = CommandFailure(error)
            Report.write(failure)
            return failure.status
        }
    }

    private func perform() throws {
        let connection = try PosternConnection(socketPath: socket ?? SocketPath.current)
        defer { connection.close() }
        let reply = try connection.call(Interface.GetAccessToken.method.name, parameters.object)
        guard !json else { return try StandardOutput.write(document: reply) }
        let token = try PosternConnection.read(Interface.GetAccessToken.Reply.self, from: reply)
        if token.tokenType.lowercased() == "dpop" {
            StandardError.write(
                line: "this token is bound to a key that stays with the daemon (DPoP); services that insist on its proof will refuse it")
        }
        try StandardOutput.write(line: token.accessToken.reveal())
    }
}
