import PosternClient
import StrictJSON

/// The `headersHelper` of clients of the Model Context Protocol: a flat JSON object with the header fields for one server.
///
/// The server's URL is in the environment; a project's own file may name the server, so the account alone is not sufficient.
///
///     postern helper mcp-headers ACCOUNT
enum HeadersHelper: HelperProtocol {
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        let request = try request(call.arguments, variable: call.variable)
        return HelperOutput(answer(token: try source.token(request).secret.reveal()))
    }

    /// In milliseconds. A client kills a helper after ten seconds; the difference is for starting it.
    static let patience: Int64 = 8000
    static let urlVariable = "CLAUDE_CODE_MCP_SERVER_URL"

    static func request(_ arguments: [String], variable: (String) -> String?) throws(HelperOutput) -> HelperRequest {
        guard arguments.count == 1, let account = arguments.first, !account.isEmpty else {
            throw .usage("a headersHelper runs: postern helper mcp-headers ACCOUNT")
        }
        guard let url = variable(urlVariable), !url.isEmpty else {
            throw .usage("\(urlVariable) is not set: a client that runs this as its headersHelper names the server there")
        }
        guard HelperURL.isAcceptable(url) else { throw .usage("\(urlVariable) is not a URL that a token could be for") }
        return HelperRequest(subject: .name(account, destination: url), patience: patience)
    }

    static func answer(token: String) -> String { JSON.object(["Authorization": .string("Bearer \(token)")]).text + "\n" }
}
