import PosternClient

/// git's credential helper (gitcredentials(7), git-credential(1)).
///
///     git credential-postern [--interactive] [--account NAME] get|store|erase|capability
enum GitHelper: HelperProtocol {
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        var mayOpenPage = false
        var account: String?
        var rest = call.arguments[...]
        while let argument = rest.first, argument.begins(with: "-") {
            rest.removeFirst()
            let option = OptionWord(argument)
            switch option.name {
            case "--interactive" where option.standsAlone: mayOpenPage = true
            case "--account":
                guard let name = option.value(&rest) else { return .usage("--account needs the name of an account") }
                account = name
            default: return .usage("\(argument) is not known; a git helper takes --interactive and --account NAME")
            }
        }
        switch rest.first {
        case "get":
            // If prompts are forbidden, there is nobody who could sign in.
            let isAttended = call.variable("GIT_TERMINAL_PROMPT") != "0"
            return get(call.input(.emptyLine), account: account, mayOpenPage: mayOpenPage && isAttended, source)
        case "erase":
            return erase(call.input(.emptyLine), source)
        case "capability":
            return HelperOutput("version 0\ncapability authtype\n")
        default:
            // `store`: credentials from others are not stored. git may get more operations: a helper must ignore those.
            _ = call.input(.emptyLine)
            return HelperOutput()
        }
    }

    private static func get(_ input: [UInt8]?, account: String?, mayOpenPage: Bool, _ source: some HelperSource) -> HelperOutput {
        guard let request = GitCredential(input), let url = request.url else { return HelperOutput() }
        let user = account ?? request.username.flatMap { HelperUserName.placeholders.contains($0) ? nil : $0 }
        let answer = source.answer(
            HelperRequest(subject: .url(url, user: user), mayOpenPage: mayOpenPage, pathAdvice: request.pathAdvice))
        switch answer {
        case .token(let token): return HelperOutput(text(token, for: request))
        // Another helper or the user may know a password. git asks only where a server wants one, so the reason is worth a line.
        case .nothing(let sentence, _): return HelperOutput(words: sentence)
        case .noDaemon: return answer.inWords
        // Otherwise git would ask for a password, and none can work.
        case .signInNeeded(let sentence), .unavailable(let sentence):
            return HelperOutput("quit=1\n", words: sentence, status: answer.status.rawValue)
        }
    }

    private static func text(_ token: HelperToken, for request: GitCredential) -> String {
        var text: String
        if request.takesBearer {
            text = "capability[]=authtype\nauthtype=Bearer\ncredential=\(token.secret.reveal())\nephemeral=1\n"
        } else {
            text = "username=\(HelperUserName.git(providerID: token.providerID, host: request.hostName))\n"
            text += "password=\(token.secret.reveal())\n"
        }
        if let expiry = token.expiry { text += "password_expiry_utc=\(expiry)\n" }
        return text
    }

    /// git removes what the server refused.
    private static func erase(_ input: [UInt8]?, _ source: some HelperSource) -> HelperOutput {
        if let request = GitCredential(input), let url = request.url, let token = request.token { source.refused(token, at: url) }
        return HelperOutput()
    }
}

/// git's description of a credential that it needs, or that was refused.
struct GitCredential {
    private(set) var scheme = ""
    private(set) var host = ""
    private(set) var path: String?
    private(set) var username: String?
    private(set) var token: Secret?
    /// git has announced that it supports more than a name and a password, and the server that it accepts a bearer token.
    var takesBearer: Bool { announcesAuthType && offersBearer }

    private var announcesAuthType = false
    private var offersBearer = false

    /// git has a dozen keys; the limit permits more in future.
    private static let keyLimit = 64

    /// Nil for input that git never writes: a line without `=`, control bytes, a duplicate key, no protocol or host. Such lines have made
    /// helpers send one host's password to another (CVE-2020-5260, CVE-2020-11008, CVE-2024-52006).
    init?(_ input: [UInt8]?) {
        guard let input else { return nil }
        // A set of strings would look up their hash function at run time, which takes longer than everything else here.
        var seen: [String] = []
        for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
            // An empty line ends the request.
            if line.isEmpty { break }
            guard line.count < 65535, let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let value = line[line.index(after: equals)...]
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
            guard let key = String(validating: line[..<equals], as: UTF8.self), let text = String(validating: value, as: UTF8.self) else {
                return nil
            }
            if key.ends(with: "[]") {
                takeOne(of: key, text)
            } else {
                guard !key.isEmpty, !seen.contains(key), seen.count < Self.keyLimit else { return nil }
                seen.append(key)
                take(key, text)
            }
        }
        guard !scheme.isEmpty, !host.isEmpty else { return nil }
    }

    private mutating func take(_ key: String, _ value: String) {
        switch key {
        case "protocol": scheme = value
        case "host": host = value
        case "path": path = value
        case "username": username = value.isEmpty ? nil : value
        case "password", "credential": if !value.isEmpty { token = Secret(value) }
        default: break
        }
    }

    private mutating func takeOne(of list: String, _ value: String) {
        switch list {
        case "capability[]" where value == "authtype": announcesAuthType = true
        case "wwwauth[]":
            // A field may have several challenges (RFC 9110 section 11.6.1); the scheme is the first word of each.
            let words = value.lowercased().parts { $0 == " " || $0 == "," }
            if words.contains("bearer") { offersBearer = true }
        default: break
        }
    }

    /// Nil if scheme or host contain characters that would change the URL.
    var url: String? {
        guard scheme == "https" || scheme == "http" else { return nil }
        guard HelperURL.isHost(host) else { return nil }
        guard let path, !path.isEmpty else { return "\(scheme)://\(host)" }
        // git has decoded it.
        return HelperURL.encoded(path: path).map { "\(scheme)://\(host)/\($0)" }
    }

    /// Nil if git has sent the path.
    var pathAdvice: String? {
        guard path == nil else { return nil }
        let key = ShellWord.quoted("credential.\(scheme)://\(host).useHttpPath")
        return "git sends the path, which tells accounts apart, after: git config --global \(key) true"
    }

    /// In lower case, without the port.
    var hostName: String {
        guard let colon = host.unicodeScalars.lastIndex(of: ":"), !host.ends(with: "]") else { return host.lowercased() }
        return host[..<colon].lowercased()
    }
}
