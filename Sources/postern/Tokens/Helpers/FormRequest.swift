import Glibc
import PosternClient

/// Submits a form to a web service with the program `curl`: this command has no TLS itself.
///
/// The form contains a token, so it is passed through a pipe and not as an argument.
enum FormRequest {
    struct Reply: Equatable {
        var status: Int
        var body: [UInt8]
    }

    /// Seconds.
    static let patience: Int64 = 30
    /// The limit for a response, in bytes.
    static let limit = 64 * 1024
    /// curl's environment: how to reach the network, and whom to trust.
    private static let variables = [
        "ALL_PROXY", "CURL_CA_BUNDLE", "HTTPS_PROXY", "LANG", "NO_PROXY", "SSL_CERT_DIR", "SSL_CERT_FILE", "all_proxy", "https_proxy",
        "no_proxy",
    ]

    /// - Parameter url: `https`, or `http` on this machine.
    static func send(_ form: String, to url: String) throws(CommandFailure) -> Reply {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        guard let curl = Executable.find("curl", path: path) else {
            throw CommandFailure("curl is needed to ask \(url), but it is not in PATH; install the package curl")
        }
        let child: ChildProcess
        do {
            // Its own error message says why it could not connect.
            child = try ChildProcess(path: curl, arguments: arguments(url), environment: environment(), log: STDERR_FILENO)
        } catch {
            throw CommandFailure(error)
        }
        // The status is written after the body; it is 0 if there was no response.
        guard child.write(input: Array(form.utf8)),
            let output = child.collectOutput(timeout: (patience + 5) * 1000, limit: limit + 16),
            let end = output.utf8.lastIndex(of: 0x0A), let status = Int(output[output.utf8.index(after: end)...]), status > 0
        else { throw CommandFailure("\(url) could not be reached") }
        return Reply(status: status, body: Array(output.utf8[..<end]))
    }

    private static func arguments(_ url: String) -> [String] {
        let isEncrypted = url.begins(with: "https://")
        // Unencrypted requests stay on this machine and bypass any proxy.
        let proxies = isEncrypted ? [] : ["--noproxy", "*"]
        return [
            // First, so that no .curlrc is read: it could change verification or the destination of the form.
            "--disable", "--silent", "--show-error", "--globoff", "--proto", isEncrypted ? "=https" : "=http",
            "--max-redirs", "0", "--max-time", "\(patience)", "--max-filesize", "\(limit)", "--header", "Accept: text/xml",
            "--data-binary", "@-", "--write-out", "\\n%{http_code}", "--url", url,
        ] + proxies
    }

    private static func environment() -> [String: String] {
        var environment: [String: String] = [:]
        for name in variables {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        return environment
    }
}
