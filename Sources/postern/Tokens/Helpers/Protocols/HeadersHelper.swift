import PosternClient
import StrictJSON

/// Header fields for one server of the Model Context Protocol, as a flat JSON object: `headersHelper` of Claude Code, and
/// `http_headers_helper` of Codex.
///
/// A project's own file may name any server, so that the account alone gives nothing. Claude Code names the server in the environment, and
/// that is where the token goes, whatever the command line says. Codex clears the environment and names nothing: the server is on the
/// command line, beside the one that the same file gives to Codex.
///
///     postern helper mcp-headers [ACCOUNT] [--url URL]
enum HeadersHelper: HelperProtocol {
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        let request = try request(call.arguments, variable: call.variable)
        return HelperOutput(answer(token: try source.token(request).secret.reveal()))
    }

    /// In milliseconds. A client kills a helper after ten seconds; the difference is for starting it.
    static let patience: Int64 = 8000
    static let urlVariable = "CLAUDE_CODE_MCP_SERVER_URL"
    private static let usage = "an MCP client runs: postern helper mcp-headers [ACCOUNT] [--url URL]"

    static func request(_ arguments: [String], variable: (String) -> String?) throws(HelperOutput) -> HelperRequest {
        let (account, given) = try words(arguments)
        let url = try server(given, named: variable(urlVariable).flatMap { $0.isEmpty ? nil : $0 })
        return HelperRequest(subject: account.map { .name($0, destination: url) } ?? .url(url), patience: patience)
    }

    private static func words(_ arguments: [String]) throws(HelperOutput) -> (account: String?, url: String?) {
        var (account, url): (String?, String?)
        var rest = arguments[...]
        while let word = rest.popFirst() {
            guard word.begins(with: "-") else {
                guard account == nil, !word.isEmpty else { throw .usage(usage) }
                account = word
                continue
            }
            let option = OptionWord(word)
            guard option.name == "--url", url == nil, let value = option.value(&rest), !value.isEmpty else { throw .usage(usage) }
            url = value
        }
        return (account, url)
    }

    private static func server(_ given: String?, named: String?) throws(HelperOutput) -> String {
        if let given, !HelperURL.isAcceptable(given) { throw .usage("--url has no URL that a token could be for") }
        if let named, !HelperURL.isAcceptable(named) { throw .usage("\(urlVariable) is not a URL that a token could be for") }
        guard let url = named ?? given else {
            throw .usage("which server? Claude Code names it in \(urlVariable); for other clients give --url URL")
        }
        return url
    }

    static func answer(token: String) -> String { JSON.object(["Authorization": .string("Bearer \(token)")]).text + "\n" }
}
