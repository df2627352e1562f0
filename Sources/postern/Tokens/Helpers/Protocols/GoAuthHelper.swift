import PosternClient

/// The command that `GOAUTH` names: called without arguments before the first request, and with a URL after a request was refused.
///
///     postern helper goauth [--account NAME] [--origin URL]... [URL]
///
/// Source: `go help goauth`; `cmd/go/internal/auth`.
enum GoAuthHelper: HelperProtocol {
    /// The most origins that are looked up before the first request.
    static let originLimit = 32

    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        guard let options = Options(call.arguments) else { return .usage(usage) }
        switch request(options.rest) {
        case .usage: return .usage(usage)
        case .nothing: return HelperOutput()
        case .token(let url):
            let answer = source.answer(options.request(url))
            switch answer {
            case .token(let token):
                return HelperOutput(self.answer([Grant(prefixes: [token.prefix ?? url], token: token.secret.reveal())]))
            // Go goes on with the next command either way; the words of one that fails are shown with `-x`.
            case .nothing: return answer.nearMiss == nil ? HelperOutput() : answer.inWords
            case .signInNeeded, .unavailable, .noDaemon: return answer.inWords
            }
        case .everything:
            return HelperOutput(self.answer(grants(options, source)))
        }
    }

    /// The tokens available now. Those that are not are no loss: Go asks again about a URL that was refused.
    private static func grants(_ options: Options, _ source: some HelperSource) -> [Grant] {
        var grants: [Grant] = []
        for origin in options.origins {
            switch source.answer(options.request(origin)) {
            case .token(let token): grants.append(Grant(prefixes: [origin], token: token.secret.reveal()))
            case .nothing, .signInNeeded, .unavailable: continue
            // The daemon would not answer the next call either.
            case .noDaemon: return grants
            }
        }
        return grants
    }

    /// The words in GOAUTH; the URL that Go adds follows them.
    struct Options: Equatable {
        var account: String?
        var origins: [String] = []
        var rest: [String] = []

        init?(_ arguments: [String]) {
            var words = arguments[...]
            while let word = words.popFirst() {
                let option = OptionWord(word)
                switch option.name {
                case "--account":
                    guard account == nil, let name = option.value(&words), !name.isEmpty else { return nil }
                    account = name
                case "--origin":
                    guard origins.count < GoAuthHelper.originLimit, let url = option.value(&words), url.begins(with: "https://"),
                        HelperURL.isAcceptable(url)
                    else { return nil }
                    origins.append(url)
                default: rest.append(word)
                }
            }
        }

        func request(_ url: String) -> HelperRequest {
            HelperRequest(subject: account.map { .name($0, destination: url) } ?? .url(url))
        }
    }

    enum Request: Equatable {
        /// All tokens available now.
        case everything
        case token(url: String)
        case nothing
        case usage
    }

    /// - Parameter arguments: the words after Postern's own options.
    static func request(_ arguments: [String]) -> Request {
        switch arguments.count {
        case 0: return .everything
        case 1:
            // Go itself sends credentials only to https addresses.
            let url = arguments[0]
            return url.begins(with: "https://") && HelperURL.isAcceptable(url) ? .token(url: url) : .nothing
        default: return .usage
        }
    }

    struct Grant: Equatable {
        /// The URLs below which the token is valid; Go compares host and whole path segments.
        var prefixes: [String]
        var token: String
    }

    /// Each part of a block ends with an empty line. Without the last one Go discards the whole output.
    static func answer(_ grants: [Grant]) -> String {
        var text = ""
        for grant in grants {
            let prefixes = grant.prefixes.compactMap(prefix)
            guard !prefixes.isEmpty else { continue }
            text += prefixes.map { $0 + "\n" }.joined() + "\n"
            text += "Authorization: Bearer \(grant.token)\n\n"
        }
        return text
    }

    /// Older versions of Go match nothing below a URL with a trailing slash (golang/go issue 71889).
    private static func prefix(_ url: String) -> String? {
        guard url.begins(with: "https://"), HelperURL.isAcceptable(url) else { return nil }
        var text = Substring(url.before { $0 == "?" || $0 == "#" })
        while text.ends(with: "/") { text = text.dropLast() }
        return text.utf8.count > "https://".utf8.count ? String(text) : nil
    }

    static let usage = "GOAUTH must be: postern helper goauth [--account NAME] [--origin https://HOST]..."
}
