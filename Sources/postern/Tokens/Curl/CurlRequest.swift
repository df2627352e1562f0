import Glibc
import PosternClient
import PosternValues

/// A call of `postern curl`: whose token to use, and curl's own command line.
struct CurlRequest: Equatable {
    /// An account or a provider; nil: the one whose tokens are for the URL.
    var account: String?
    var scopes: [String] = []
    var socket: String?
    var line: CurlCommandLine

    static let ownOptions = ["--account", "--scope", "--socket"]

    /// - Parameter words: all words after `curl`; postern's own options come first.
    init(_ words: [String]) throws(CommandFailure) {
        var rest = words[...]
        while let option = rest.first.map({ OptionWord($0) }), Self.ownOptions.contains(option.name) {
            rest.removeFirst()
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
    }

    /// Requests the headers for each URL, runs curl, and ends as curl does. Returns only by throwing.
    func run(searchPath: String) throws -> Never {
        guard let curl = Executable.find("curl", path: searchPath) else { throw CommandFailure("curl is not installed, or not in PATH") }
        let connection = try PosternConnection(socketPath: socket ?? SocketPath.current)
        var authorization = try CurlAuthorization(connection.call(parameters(for: line.urls[0])))
        ProcessMemory.hide()
        for url in line.urls.dropFirst() {
            guard try !authorization.isForOneRequest && CurlAuthorization(connection.call(parameters(for: url))) == authorization else {
                throw CurlCommandLine.refusal("each of these URLs needs its own authorization: run postern curl once for each")
            }
        }
        try check(authorization)
        if line.followsRedirects { try checkRedirects(connection, authorization, curl: curl) }
        // A proxy of the environment would see the headers of unencrypted requests, which are only sent to this machine.
        let withoutProxy = !line.urls.allSatisfy(\.isEncrypted)
        if authorization.isProof, line.canBeSentAgain {
            let trial = CurlTrial(curl: curl, arguments: line.arguments)
            let outcome = try trial.run { head throws(CommandFailure) in
                try Self.path(of: authorization.settings(withoutProxy: withoutProxy, head: head))
            }
            switch outcome {
            case .ended(let ending, let isTokenRefused):
                if isTokenRefused { report(authorization) }
                ending.passOn()
            case .nonce(let nonce): authorization = try CurlAuthorization(connection.call(parameters(for: line.urls[0], nonce: nonce)))
            }
        }
        connection.close()
        let head = CurlHeadFile()
        let settings = try Self.path(of: authorization.settings(withoutProxy: withoutProxy, head: head?.path))
        let held = CommandRun.holdSignals()
        let ending = try CommandRun(words: [curl, "--disable", "--config", settings, "--globoff"] + line.arguments).wait(held) {}
        CommandRun.releaseSignals(held)
        if case .exited = ending, head?.first().refusesToken == true { report(authorization) }
        ending.passOn()
    }

    /// Milliseconds until the answer to a report is no longer waited for: the output is there already.
    private static let patience: Int64 = 10_000

    /// The server refused the token: the daemon renews it, or asks the provider whether it is still valid.
    private func report(_ authorization: CurlAuthorization) {
        guard let token = authorization.token, let connection = try? PosternConnection(socketPath: socket ?? SocketPath.current)
        else { return }
        defer { connection.close() }
        let report = Interface.ReportRefusedToken(url: line.urls[0].text, accessToken: token)
        _ = try? connection.call(report, timeoutMilliseconds: Self.patience)
    }

    private func parameters(for url: CurlURL, nonce: String? = nil) -> Interface.AuthorizeRequest {
        var form: [FormParameter]?
        if case .parameters(let parameters) = line.form { form = parameters }
        return Interface.AuthorizeRequest(
            method: line.requestMethod, url: url.text, providerID: account, scopes: scopes.isEmpty ? nil : scopes, form: form,
            dpopNonce: nonce)
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

    /// A pipe with the settings, which only curl can read: they are in no argument and no file.
    private static func path(of settings: String) throws(CommandFailure) -> String {
        // A pipe holds 64 KiB without a reader.
        guard settings.utf8.count < 60_000 else { throw CommandFailure("the authorization is too long for curl") }
        let pipe = try PipeEnds(blocking: true)
        guard FileDescriptorWriter.writeAll(Array(settings.utf8), to: pipe.writeEnd) else {
            throw CommandFailure("the settings could not be passed to curl")
        }
        close(pipe.writeEnd)
        _ = fcntl(pipe.readEnd, F_SETFD, 0)
        return "/proc/self/fd/\(pipe.readEnd)"
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
    /// The access token in the header.
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
        token = isSignature ? Self.signedToken(in: authorization) : Self.bareToken(in: authorization)
        isProof = headers.contains { $0.name.lowercased() == "dpop" }
    }

    private static func bareToken(in header: String) -> Secret? {
        header.unicodeScalars.firstIndex(of: " ").map { Secret(String(header.after($0))) }
    }

    /// A parameter of the header (RFC 5849 section 3.5.1), percent-encoded.
    private static func signedToken(in header: String) -> Secret? {
        guard let begin = header.range(ofText: "oauth_token=\"") else { return nil }
        return PercentEncoding.decode(header[begin.upperBound...].before { $0 == "\"" }.utf8).map { Secret($0) }
    }

    /// In the format of `--config`: in quotes, with a backslash before each backslash and quote.
    ///
    /// - Parameter head: where to write the head of the response.
    func settings(withoutProxy: Bool, head: String? = nil) -> String {
        var text = ""
        for line in lines {
            let quoted = line.mapping { $0 == "\\" || $0 == "\"" ? "\\\($0)" : String($0) }
            text += "header = \"\(quoted)\"\n"
        }
        if let head { text += "dump-header = \"\(head)\"\nsuppress-connect-headers\n" }
        return text + (withoutProxy ? "noproxy = \"*\"\n" : "")
    }
}
