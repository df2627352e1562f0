import PosternClient
import StrictJSON

/// docker's credential helper (github.com/docker/docker-credential-helpers), which podman, skopeo and buildah use too.
///
///     docker-credential-postern get|list|store|erase|version
enum DockerHelper: HelperProtocol {
    /// Callers compare these byte for byte.
    enum FixedText {
        static let notFound = "credentials not found in native keychain"
        static let noServer = "no credentials server URL"
        static let noUserName = "no credentials username"
    }

    static func output(for call: HelperCall, _ source: some HelperSource) throws(HelperOutput) -> HelperOutput {
        switch (call.arguments.first, call.arguments.count) {
        case ("get", 1): get(call.input(.endOfInput), source)
        case ("store", 1): store(call.input(.endOfInput))
        // `docker logout`: nothing is stored for docker, and docker must not sign out the account.
        case ("erase", 1): erase(call.input(.endOfInput))
        // The registries are not known until one is requested.
        case ("list", 1): HelperOutput("{}\n")
        case ("version", 1), ("--version", 1), ("-v", 1): HelperOutput("docker-credential-postern (Postern) \(Release.version)\n")
        default: HelperOutput(words: "usage: docker-credential-postern get|list|store|erase|version", status: 1)
        }
    }

    private static func get(_ input: [UInt8]?, _ source: some HelperSource) -> HelperOutput {
        guard let input, let server = text(input) else { return failed(FixedText.notFound) }
        guard !server.isEmpty else { return failed(FixedText.noServer) }
        guard let registry = Registry(server) else { return failed(FixedText.notFound) }
        var answer = HelperAnswer.nothing("")
        var nearMiss: String?
        for url in registry.urls {
            answer = source.answer(HelperRequest(subject: .url(url)))
            nearMiss = nearMiss ?? answer.nearMiss
            guard case .nothing = answer else { break }
        }
        switch answer {
        case .token(let token):
            let reply: JSONObject = [
                "ServerURL": .string(server), "Username": .string(HelperUserName.registry(providerID: token.providerID)),
                "Secret": .string(token.secret.reveal()),
            ]
            return HelperOutput(JSON.object(reply).text + "\n")
        // The caller continues without credentials, which public images permit.
        case .nothing: return failed(FixedText.notFound, words: nearMiss)
        case .noDaemon(let sentence): return failed(FixedText.notFound, words: sentence)
        // podman and skopeo show standard output, docker standard error.
        case .signInNeeded(let sentence), .unavailable(let sentence): return failed("postern: \(sentence)", words: sentence)
        }
    }

    /// `docker login` sends a password; it is not stored.
    private static func store(_ input: [UInt8]?) -> HelperOutput {
        guard let input, let document = try? JSONObject(json: JSON(parsing: input)) else {
            return failed("the credentials are not a JSON object")
        }
        guard let server = document["ServerURL"]?.stringValue, !server.isEmpty else { return failed(FixedText.noServer) }
        guard let user = document["Username"]?.stringValue, !user.isEmpty else { return failed(FixedText.noUserName) }
        return failed("postern keeps no password for \(server); sign in with: postern sign-in PROVIDER".plain)
    }

    private static func erase(_ input: [UInt8]?) -> HelperOutput {
        guard let input, let server = text(input), !server.isEmpty else { return failed(FixedText.noServer) }
        return HelperOutput()
    }

    private static func failed(_ text: String, words: String? = nil) -> HelperOutput { HelperOutput(text + "\n", words: words, status: 1) }

    /// Without surrounding blanks.
    private static func text(_ input: [UInt8]) -> String? {
        let blanks = Set(" \t\r\n".utf8)
        guard let first = input.firstIndex(where: { !blanks.contains($0) }), let last = input.lastIndex(where: { !blanks.contains($0) })
        else {
            return ""
        }
        return String(validating: input[first...last], as: UTF8.self)
    }

    /// A registry as callers write it: `registry.example.org:5000`, `https://index.docker.io/v1/`.
    private struct Registry {
        /// The URLs that it may mean, in the order in which they are looked up.
        var urls: [String]

        /// Nil if it is not a registry, or would become another URL.
        init?(_ server: String) {
            var rest = server[...]
            var schemes = ["https"]
            if let mark = rest.range(ofText: "://") {
                let scheme = String(rest[..<mark.lowerBound])
                guard scheme == "https" || scheme == "http" else { return nil }
                schemes = [scheme]
                rest = rest[mark.upperBound...]
            }
            let authority = rest.before { $0 == "/" }
            let host = String(authority)
            guard HelperURL.isHost(host) else { return nil }
            // It is not known whether a registry on this machine has a certificate.
            if rest.startIndex == server.startIndex, HelperURL.isLoopback(host: host) { schemes.append("http") }
            var path = String(rest[authority.endIndex...].skipping { $0 == "/" })
            // The version of the protocol; without it, it is the same registry.
            if ["v1", "v1/", "v2", "v2/"].contains(path) { path = "" }
            guard let path = HelperURL.encoded(path: path) else { return nil }
            urls = schemes.map { "\($0)://\(host)" + (path.isEmpty ? "" : "/\(path)") }
        }
    }
}
