import PosternClient
import StrictJSON

/// The command line of the Python package `keyring`, as called by pip and uv. twine and poetry import the package instead: a backend for
/// it is in `packaging/python`.
///
///     keyring [--mode=creds] [--output=json] get URL [USER]
///
/// Source: `keyring/cli.py` 25.7; `pip/_internal/network/auth.py`.
enum KeyringHelper: HelperProtocol {
    /// Names that only say that a token follows, not whose it is: those of package indexes, besides git's.
    static let placeholders = HelperUserName.placeholders + HelperUserName.registryNames + ["__token__", "token", "VssSessionToken"]

    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        switch request(call.arguments) {
        // argparse's exit status: pip expects it if its keyring is too old for `--mode`.
        case .usage(let sentence): return HelperOutput(words: sentence, status: 2)
        case .readOnly:
            return HelperOutput(words: "postern keeps no password of another program", status: CommandStatus.failed.rawValue)
        case .nothing: return HelperOutput(status: CommandStatus.failed.rawValue)
        case .token(let url, let user, let form):
            let login = user.flatMap { placeholders.contains($0) ? nil : $0 }
            let answer = source.answer(HelperRequest(subject: .url(url, user: login)))
            switch answer {
            case .token(let token):
                let name = user ?? HelperUserName.registry(providerID: token.providerID)
                return HelperOutput(self.answer(token: token.secret.reveal(), user: name, form: form))
            // Usually without a message, as keyring does: there may be an entry for the next name that the caller tries.
            case .nothing: return HelperOutput(words: answer.nearMiss, status: CommandStatus.failed.rawValue)
            case .signInNeeded(let sentence), .unavailable(let sentence), .noDaemon(let sentence):
                return HelperOutput(words: sentence, status: CommandStatus.failed.rawValue)
            }
        }
    }

    enum Request: Equatable {
        case token(url: String, user: String?, form: Form)
        /// A service that no token can be for.
        case nothing
        /// A request to store a password, or to remove one.
        case readOnly
        /// An error for which `argparse` exits with status 2.
        case usage(String)
    }

    struct Form: Equatable {
        /// With the user name, which the caller need not know: `--mode=creds`.
        var hasUser = false
        /// `--output=json`.
        var isJSON = false
    }

    static func request(_ arguments: [String]) -> Request {
        var form = Form()
        var words: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.begins(with: "-") else {
                words.append(argument)
                continue
            }
            let option = OptionWord(argument)
            guard ["--mode", "--output"].contains(option.name) else { return .usage("unrecognized arguments: \(argument.plain)") }
            guard let value = option.value(&rest) else { return .usage("argument \(option.name): expected one argument") }
            switch (option.name, value) {
            case ("--mode", "creds"): form.hasUser = true
            case ("--mode", "password"): form.hasUser = false
            case ("--output", "json"): form.isJSON = true
            case ("--output", "plain"): form.isJSON = false
            default: return .usage("argument \(option.name): invalid choice: '\(value.plain)'")
            }
        }
        return request(words, form)
    }

    private static func request(_ words: [String], _ form: Form) -> Request {
        switch words.first {
        case "get":
            guard words.count <= 3 else { return .usage("unrecognized arguments: \(words[3...].joined(separator: " ").plain)") }
            guard words.count == 3 || words.count == 2 && form.hasUser else {
                return .usage("get requires service\(form.hasUser ? "" : " and username")")
            }
            let user = words.count == 3 ? words[2] : nil
            // pip asks by host and port if the URL of the index found nothing, even for an unencrypted index: such a request does not say
            // where the token would be sent.
            guard HelperURL.isAcceptable(words[1]), user.map(isUserName) ?? true else { return .nothing }
            return .token(url: words[1], user: user, form: form)
        case "set", "del": return .readOnly
        case .some(let word): return .usage("argument operation: invalid choice: '\(word.plain)' (choose from get, set, del)")
        case nil: return .usage("Specify operation (get, set, del).")
        }
    }

    private static func isUserName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 1024 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// - Parameter user: in the answer only if the form includes one.
    static func answer(token: String, user: String, form: Form) -> String {
        guard form.isJSON else { return (form.hasUser ? user + "\n" : "") + token + "\n" }
        var answer: JSONObject = [:]
        if form.hasUser { answer["username"] = .string(user) }
        answer["password"] = .string(token)
        return JSON.object(answer).text + "\n"
    }
}
