import PosternClient
import StrictJSON

/// The credentials helper protocol of Terraform and OpenTofu: `get HOST`, `store HOST`, `forget HOST`, after the arguments of the
/// configuration's `credentials_helper` block.
///
///     terraform-credentials-postern [--account NAME] get|store|forget HOST
///
/// Source: HashiCorp, "Credentials Helpers"; `helper_program.go` of terraform-svchost.
enum TerraformHelper: HelperProtocol {
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        guard let (account, arguments) = HelperArguments.account(call.arguments) else { return .usage(usage) }
        switch request(arguments) {
        case .usage: return .usage(usage)
        case .nothing: return HelperOutput(none)
        case .readOnly: return HelperOutput(words: readOnlySentence, status: CommandStatus.failed.rawValue)
        case .token(let url):
            let subject = account.map { HelperRequest.Subject.name($0, destination: url) } ?? .url(url)
            let answer = source.answer(HelperRequest(subject: subject))
            switch answer {
            case .token(let token): return HelperOutput(self.answer(token: token.secret.reveal()))
            case .nothing: return HelperOutput(none, words: answer.nearMiss)
            // Terraform asks about every registry, including the public one, and fails if its helper does.
            case .noDaemon(let sentence): return HelperOutput(none, words: sentence)
            case .signInNeeded, .unavailable: return answer.inWords
            }
        }
    }

    enum Request: Equatable {
        /// The registry's address, as a URL.
        case token(url: String)
        /// A helper that cannot store credentials must fail.
        case readOnly
        /// A host that no token can be for.
        case nothing
        case usage
    }

    /// - Parameter arguments: without those of the configuration.
    static func request(_ arguments: [String]) -> Request {
        guard arguments.count == 2 else { return .usage }
        switch arguments[0] {
        case "get":
            let host = arguments[1]
            // Punycode in lower case, and a port if it is not 443.
            guard HelperURL.isHost(host) else { return .nothing }
            return .token(url: "https://\(host)/")
        case "store", "forget": return .readOnly
        default: return .usage
        }
    }

    static func answer(token: String) -> String { JSON.object(["token": .string(token)]).text + "\n" }

    /// Terraform continues without a token.
    static let none = "{}\n"

    static let usage = "Terraform runs this as: terraform-credentials-postern [--account NAME] get|store|forget HOST"
    static let readOnlySentence =
        "postern keeps no token of another program: sign in with postern sign-in, and remove a token with postern revoke"
}
