import Glibc
import PosternClient
import PosternValues

/// A call of `postern curl`: whose token to use, and curl's own command line.
struct CurlRequest: Equatable {
    /// An account or a provider; nil: the one whose tokens are for the URL.
    var account: String?
    var scopes: [String] = []
    var socket: String?
    /// Sign in at once if that is what the server wants.
    var stepsUp = false
    var line: CurlCommandLine

    static let ownOptions = ["--account", "--scope", "--socket", "--step-up"]

    /// - Parameter words: all words after `curl`; postern's own options come first.
    init(_ words: [String]) throws(CommandFailure) {
        var rest = words[...]
        while let option = rest.first.map({ OptionWord($0) }), Self.ownOptions.contains(option.name) {
            rest.removeFirst()
            if option.name == "--step-up" {
                guard option.standsAlone else { throw CurlCommandLine.refusal("--step-up takes no value") }
                stepsUp = true
                continue
            }
            guard let value = option.value(&rest), !value.isEmpty, !value.begins(with: "-") else {
                throw CurlCommandLine.refusal("\(option.name) needs a value")
            }
            switch option.name {
            case "--account": account = value
            case "--scope": scopes.append(value)
            default: socket = value
            }
        }
        line = try CurlCommandLine(Array(rest))
        guard !stepsUp || line.canBeSentAgain else {
            throw CurlCommandLine.refusal(
                "--step-up sends the request again, and that needs one URL, a body that can be read twice, and none of "
                    + CurlOption.unrepeatable.sorted().map { "--\($0)" }.joined(separator: ", "))
        }
    }

    var socketPath: String { socket ?? SocketPath.current }

    /// Requests the headers for each URL, runs curl, and ends as curl does. Returns only by throwing.
    func run(searchPath: String) throws -> Never {
        guard let curl = Executable.find("curl", path: searchPath) else { throw CommandFailure("curl is not installed, or not in PATH") }
        let connection = try PosternConnection(socketPath: socketPath)
        let authorization = try CurlAuthorization(connection.call(parameters(for: line.urls[0])))
        ProcessMemory.hide()
        for url in line.urls.dropFirst() {
            guard try !authorization.isForOneRequest && CurlAuthorization(connection.call(parameters(for: url))) == authorization else {
                throw CurlCommandLine.refusal("each of these URLs needs its own authorization: run postern curl once for each")
            }
        }
        try check(authorization)
        if line.followsRedirects { try checkRedirects(connection, authorization, curl: curl) }
        connection.close()
        var exchange = CurlExchange(self, curl: curl, authorization)
        try exchange.perform()
    }

    func parameters(for url: CurlURL) -> Interface.AuthorizeRequest {
        var form: [FormParameter]?
        if case .parameters(let parameters) = line.form { form = parameters }
        return Interface.AuthorizeRequest(
            method: line.requestMethod, url: url.text, providerID: account, scopes: scopes.isEmpty ? nil : scopes, form: form)
    }

    /// A signature or a proof is for one request, and for everything that it covers.
    private func check(_ authorization: CurlAuthorization) throws(CommandFailure) {
        guard authorization.isForOneRequest else { return }
        guard !line.followsRedirects else {
            throw CurlCommandLine.refusal(
                "--location is not passed on: the authorization is only for the first request; see where it leads with --head")
        }
        guard !line.repeats else { throw CurlCommandLine.refusal("--retry is not passed on: the authorization is valid for one request") }
        guard !authorization.isSignature || line.form != .unknown else {
            throw CurlCommandLine.refusal("a body from a file cannot be signed: give the parameters with --data or --data-urlencode")
        }
    }

    /// curl omits a header if a redirect leads to another scheme, host or port, and keeps it if only the path differs.
    private func checkRedirects(_ connection: PosternConnection, _ authorization: CurlAuthorization, curl: String) throws {
        for url in line.urls {
            let served = try connection.call(Interface.FindAccount(url: url.text)).accounts.filter {
                $0.providerID == authorization.providerID && $0.uid == authorization.uid
            }
            guard served.contains(where: { WebAddress($0.prefix)?.target == "/" }) else {
                throw CurlCommandLine.refusal(
                    "--location is not passed on: the account's tokens are for only a part of the server, and a redirect may lead to another part"
                )
            }
        }
        guard let version = Self.version(of: curl), version >= Self.firstVersionForRedirects else {
            throw CurlCommandLine.refusal(
                "--location needs curl 7.83 or later: earlier ones send the token on to other ports (CVE-2022-27774)")
        }
    }

    /// Major and minor as one number.
    static let firstVersionForRedirects = 7083

    /// - Parameter text: the first line of `curl --version`.
    static func version(text: String) -> Int? {
        let words = text.parts(separator: " ", maxSplits: 2)
        guard words.count > 1, words[0] == "curl" else { return nil }
        let numbers = words[1].parts(separator: ".").prefix(2).compactMap { Int($0) }
        guard numbers.count == 2, (0...999).contains(numbers[0]), (0...999).contains(numbers[1]) else { return nil }
        return numbers[0] * 1000 + numbers[1]
    }

    private static func version(of curl: String) -> Int? {
        (try? ChildProcess.output(of: curl, ["--disable", "--version"], [:], timeout: 5000)).flatMap { version(text: $0) }
    }
}

/// The headers that authorize a request, in the format of curl's configuration.
struct CurlAuthorization: Equatable {
    /// `Name: value`, in the order of their names.
    let lines: [String]
    let providerID: String
    let uid: String
    let isSignature: Bool
    /// DPoP (RFC 9449).
    let isProof: Bool
    /// The access token in the header; nil if the header is a signature.
    let token: Secret?
    var isForOneRequest: Bool { isSignature || isProof }

    init(_ reply: Interface.AuthorizeRequest.Reply) throws(CommandFailure) {
        let headers = reply.headers.map { (name: $0.key, value: $0.value.reveal()) }.sorted { $0.name < $1.name }
        guard !headers.isEmpty else { throw CommandFailure("the daemon gave no header for this request") }
        for header in headers {
            let isName = !header.name.isEmpty && header.name.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x2D }
            guard isName, header.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw CommandFailure("the daemon gave a header that is not valid in a request")
            }
        }
        lines = headers.map { "\($0.name): \($0.value)" }
        providerID = reply.providerID
        uid = reply.uid
        let authorization = headers.first { $0.name.lowercased() == "authorization" }?.value ?? ""
        isSignature = authorization.lowercased().begins(with: "oauth ")
        token = isSignature ? nil : authorization.unicodeScalars.firstIndex(of: " ").map { Secret(String(authorization.after($0))) }
        isProof = headers.contains { $0.name.lowercased() == "dpop" }
    }

    /// In the format of `--config`: in quotes, with a backslash before each backslash and quote.
    ///
    /// - Parameter head: where to write the head of the response.
    func settings(withoutProxy: Bool, head: String) -> String {
        var text = ""
        for line in lines {
            let quoted = line.mapping { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }
            text += "header = \"\(quoted)\"\n"
        }
        text += "dump-header = \"\(head)\"\nsuppress-connect-headers\n"
        return text + (withoutProxy ? "noproxy = \"*\"\n" : "")
    }
}
