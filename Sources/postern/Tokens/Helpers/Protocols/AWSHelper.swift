import PosternClient
import StrictJSON

/// `credential_process` of the AWS configuration: AWS keys, obtained from the Security Token Service for an account's ID token (STS,
/// `AssumeRoleWithWebIdentity`).
///
///     postern helper aws ACCOUNT --role-arn ARN [--session-name NAME] [--duration SECONDS] [--region REGION] [--sts-endpoint URL]
enum AWSHelper: HelperProtocol {
    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        try output(for: call, source, exchange: FormRequest.send)
    }

    /// - Parameter exchange: sends a form to a URL.
    static func output(
        for call: HelperCall, _ source: some HelperSource,
        exchange: (_ form: String, _ url: String) throws(CommandFailure) -> FormRequest.Reply
    ) throws(HelperOutput) -> HelperOutput {
        let request = try request(call.arguments)
        let idToken = try source.token(HelperRequest(subject: .name(request.account), kind: .idToken)).secret.reveal()
        let reply: FormRequest.Reply
        do throws(CommandFailure) {
            reply = try exchange(SecurityTokenService.form(request, idToken: idToken), request.endpoint)
        } catch {
            throw HelperOutput(words: error.sentence, status: error.status.rawValue)
        }
        switch SecurityTokenService.answer(status: reply.status, body: reply.body) {
        case .keys(let keys): return HelperOutput(answer(keys))
        case .refused(let code, let message):
            // The SDK shows this text, and may log it.
            let reason = message.holds(idToken) ? "" : ": \(message.prefix(300))"
            throw .failed("\(request.endpoint) refused the ID token of \(request.account) (\(code.prefix(64)))\(reason)".plain)
        case .notUnderstood:
            throw .failed(
                "\(request.endpoint) answered with status \(reply.status), unlike the Security Token Service; is --sts-endpoint right?")
        }
    }

    struct KeyRequest: Equatable {
        var account: String
        var role: String
        var sessionName = "postern"
        /// STS uses an hour by default.
        var durationSeconds: Int?
        var endpoint: String
    }

    static let usage = """
        credential_process runs: postern helper aws ACCOUNT --role-arn ARN [--session-name NAME] [--duration SECONDS] [--region REGION] [--sts-endpoint URL]
        """

    static func request(_ arguments: [String]) throws(HelperOutput) -> KeyRequest {
        var account: String?
        var options: [String: String] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            guard argument.begins(with: "-") else {
                guard account == nil else { throw .usage(usage) }
                account = argument
                continue
            }
            let option = OptionWord(argument)
            guard ["--role-arn", "--session-name", "--duration", "--region", "--sts-endpoint"].contains(option.name),
                options[option.name] == nil, let value = option.value(&rest)
            else { throw .usage(usage) }
            options[option.name] = value
        }
        guard let account, !account.isEmpty, let role = options["--role-arn"] else { throw .usage(usage) }
        return try request(account: account, role: role, options)
    }

    private static func request(account: String, role: String, _ options: [String: String]) throws(HelperOutput) -> KeyRequest {
        guard isRole(role) else {
            throw .usage("--role-arn is not a role: write arn:aws:iam::123456789012:role/NAME")
        }
        let sessionName = options["--session-name"] ?? "postern"
        guard isSessionName(sessionName) else {
            throw .usage("--session-name takes 2 to 64 letters, digits and the signs _ = , . @ + -")
        }
        var durationSeconds: Int?
        if let text = options["--duration"] {
            guard let seconds = Int(text), (900...43_200).contains(seconds) else {
                throw .usage("--duration takes 900 to 43200 seconds, and no more than the role allows")
            }
            durationSeconds = seconds
        }
        let region = options["--region"]
        guard region.map(isRegion) ?? true else { throw .usage("--region takes a region's name, such as eu-central-1") }
        let endpoint = options["--sts-endpoint"] ?? defaultEndpoint(region: region)
        guard let address = WebAddress(endpoint), HelperURL.isAcceptable(endpoint), address.scheme == "https" || address.isLoopback else {
            throw .usage("--sts-endpoint takes an https URL: the account's ID token is sent there")
        }
        return KeyRequest(
            account: account, role: role, sessionName: sessionName, durationSeconds: durationSeconds, endpoint: endpoint)
    }

    private static func defaultEndpoint(region: String?) -> String {
        guard let region else { return "https://sts.amazonaws.com/" }
        return "https://sts.\(region).amazonaws.com\(region.begins(with: "cn-") ? ".cn" : "")/"
    }

    private static func isRole(_ text: String) -> Bool {
        let parts = text.parts(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        return parts.count == 6 && parts[0] == "arn" && parts[1].begins(with: "aws") && parts[2] == "iam" && parts[3].isEmpty
            && parts[4].utf8.count == 12 && parts[4].utf8.allSatisfy { (0x30...0x39).contains($0) } && parts[5].begins(with: "role/")
            && parts[5].utf8.count > "role/".utf8.count && text.utf8.count <= 2048 && HelperURL.isPrintable(text)
    }

    private static func isSessionName(_ text: String) -> Bool {
        (2...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || "_=,.@+-".utf8.contains($0) }
    }

    private static func isRegion(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: "-")
            }
    }

    static func answer(_ keys: JSONObject) -> String { JSON.object(keys).text + "\n" }
}
