import Glibc
import PosternClient
import StrictJSON

/// A call of `postern token`.
struct TokenRequest: Equatable {
    var providerID: String
    var account: String?
    var scopes: [String] = []
    var minimumValidity: DurationText?
    var refresh = false
    /// Print the whole header line instead of the token alone.
    var header = false
    /// The service that the token is for.
    var resource: String?
    /// Print the ID token instead of the access token.
    var idToken = false
    /// Fail if the token's validity is too short.
    var strict = false

    var parameters: Interface.GetAccessToken {
        Interface.GetAccessToken(
            providerID: providerID, account: account, scopes: scopes.isEmpty ? nil : scopes, resource: resource,
            minimumValiditySeconds: minimumValidity?.seconds, forceRefresh: refresh ? true : nil)
    }

    private var idTokenParameters: Interface.GetIDToken {
        Interface.GetIDToken(
            providerID: providerID, account: account, minimumValiditySeconds: minimumValidity?.seconds, forceRefresh: refresh ? true : nil)
    }

    func perform(_ common: CommonOptions) throws {
        do { try print(common) } catch {
            let failure = CommandFailure(error)
            if account == nil,
                let meant = try failure.accountAddressed(providerID, among: CommandFailure.credentials(at: common.socketPath))
            {
                var request = self
                (request.providerID, request.account) = meant
                return try request.perform(common)
            }
            throw failure.offeringAccounts(at: providerID, socketPath: common.socketPath)
                .askingForScopes(of: providerID, account: account, at: common.socketPath)
        }
    }

    private func print(_ common: CommonOptions) throws {
        let connection = try PosternConnection(socketPath: common.socketPath)
        defer { connection.close() }
        let reply = try answer(by: connection, mayAsk: !common.json)
        ProcessMemory.hide()
        try judgeLength(of: reply)
        guard !common.json else { return try StandardOutput.write(document: reply) }
        guard !idToken else {
            let token = try Self.line(PosternConnection.read(Interface.GetIDToken.Reply.self, from: reply).idToken.reveal(), of: providerID)
            return try StandardOutput.write(line: header ? "Authorization: Bearer \(token)" : token)
        }
        let token = try PosternConnection.read(Interface.GetAccessToken.Reply.self, from: reply)
        guard !header else { return try StandardOutput.write(line: BearerToken(token, of: providerID).header) }
        try StandardOutput.write(line: Self.line(token.accessToken.reveal(), of: providerID))
    }

    /// A script would take an empty line for a token, and would use only the first of two lines.
    static func line(_ token: String, of account: String) throws(CommandFailure) -> String {
        guard !token.isEmpty else { throw CommandFailure("the token of \(account) is empty".plain) }
        guard token.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw CommandFailure(
                "the token of \(account) has line breaks or other control characters".plain,
                advice: "postern token --json prints it in a document")
        }
        return token
    }
}

extension TokenRequest {
    /// A provider's token may be valid for a shorter time than requested, and then no longer one can be obtained.
    private func judgeLength(of reply: JSONObject) throws {
        guard let asked = minimumValidity, let text = reply["expiresAt"]?.stringValue, let end = EpochTime(text) else { return }
        guard let sentence = Self.shortness(left: end.seconds - Int64(time(nil)), asked: asked.seconds, of: providerID) else { return }
        if strict { throw CommandFailure(sentence, advice: "ask for less, or configure the provider for longer ones") }
        StandardError.write(line: "postern: " + sentence)
    }

    /// - Returns: nil if the token is valid for as long as requested.
    static func shortness(left: Int64, asked: Int, of provider: String) -> String? {
        // The daemon's clock advanced while the reply was in transit.
        guard left + 2 < Int64(asked) else { return nil }
        return "the token is valid for \(max(left, 0)) s, not for \(asked) s: \(provider.plain) gives no longer ones"
    }

    /// The reply; if there are several accounts, for the one that the user chooses at the terminal.
    private func answer(by connection: PosternConnection, mayAsk: Bool) throws -> JSONObject {
        let ambiguous: InterfaceError
        do { return try ask(connection) } catch PosternError.refused(let refusal) { ambiguous = refusal }
        // A user who named an account that does not exist did not mean another one.
        guard mayAsk, account == nil, case .ambiguousAccount(_, let uids) = ambiguous else { throw PosternError.refused(ambiguous) }
        guard let uid = try AccountPicker(connection: connection, provider: providerID).pick(among: uids) else {
            throw PosternError.refused(ambiguous)
        }
        return try ask(connection, uid: uid)
    }

    /// - Parameter uid: that of the chosen account, if none was named.
    private func ask(_ connection: PosternConnection, uid: String? = nil) throws -> JSONObject {
        if idToken {
            var parameters = idTokenParameters
            parameters.uid = uid
            return try connection.call(Interface.GetIDToken.method.name, parameters.object)
        }
        var parameters = parameters
        parameters.uid = uid
        return try connection.call(Interface.GetAccessToken.method.name, parameters.object)
    }

    /// Why the options cannot be combined; nil if they can.
    var problem: String? {
        guard idToken else { return nil }
        if !scopes.isEmpty { return "--id-token and --scope exclude each other: scopes are of the access token" }
        if resource != nil { return "--id-token and --resource exclude each other: an ID token is for the client itself" }
        return nil
    }
}
