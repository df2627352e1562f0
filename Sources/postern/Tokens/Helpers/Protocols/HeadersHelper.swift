import PosternClient
import StrictJSON

/// The `headersHelper` of clients of the Model Context Protocol: a flat JSON object with the header fields for one server.
///
/// The server's URL is in the environment; a project's own file may name the server, so the account alone is not sufficient.
///
///     postern helper mcp-headers ACCOUNT
enum HeadersHelper: HelperProtocol {
    static func answer(_ call: HelperCall, _ source: some HelperSource) -> HelperOutput {
        switch request(call.arguments, variable: call.variable) {
        case .usage(let sentence): return .usage(sentence)
        case .token(let url, let account):
            let answer = source.answer(HelperRequest(subject: .name(account, destination: url), patience: patience))
            switch answer {
            case .token(let token): return HelperOutput(self.answer(token: token.secret.reveal()))
            case .nothing(let sentence), .signInNeeded(let sentence), .unavailable(let sentence), .noDaemon(let sentence):
                return HelperOutput(words: sentence, status: answer.status.rawValue)
            }
        }
    }

    /// In milliseconds. A client kills a helper after ten seconds; the difference is for starting it.
    static let patience: Int64 = 8000
    static let urlVariable = "CLAUDE_CODE_MCP_SERVER_URL"

    enum Request: Equatable {
        case token(url: String, account: String)
        case usage(String)
    }

    static func request(_ arguments: [String], variable: (String) -> String?) -> Request {
        guard arguments.count == 1, let account = arguments.first, !account.isEmpty else {
            return .usage("a headersHelper runs: postern helper mcp-headers ACCOUNT")
        }
        guard let url = variable(urlVariable), !url.isEmpty else {
            return .usage("\(urlVariable) is not set: a client that runs this as its headersHelper names the server there")
        }
        guard HelperURL.isAcceptable(url) else { return .usage("\(urlVariable) is not a URL that a token could be for") }
        return .token(url: url, account: account)
    }

    static func answer(token: String) -> String { JSON.object(["Authorization": .string("Bearer \(token)")]).text + "\n" }
}
