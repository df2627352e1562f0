import Glibc
import PosternClient

/// A form that is sent to a web service, through the program `curl`: this command speaks no TLS of its own.
///
/// The form holds a token, so it goes through a pipe, and not into an argument.
enum FormRequest {
    struct Reply: Equatable {
        var status: Int
        var body: [UInt8]
    }

    /// Seconds.
    static let patience: Int64 = 30
    /// Bytes of an answer.
    static let limit = 64 * 1024
    /// What curl is told of the surroundings: how to get out, and whom to trust.
    private static let variables = [
        "ALL_PROXY", "CURL_CA_BUNDLE", "HTTPS_PROXY", "LANG", "NO_PROXY", "SSL_CERT_DIR", "SSL_CERT_FILE", "all_proxy", "https_proxy",
        "no_proxy",
    ]

    /// - Parameter url: `https`, or `http` of this machine.
    static func send(_ form: String, to url: String) throws(CommandFailure) -> Reply {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        guard let curl = Executable.find("curl", path: path) else {
            throw CommandFailure("curl is needed to ask \(url), but it is not in PATH; install the package curl")
        }
        let child: ChildProcess
        do {
            // Its own words say why it could not connect.
            child = try ChildProcess(path: curl, arguments: arguments(url), environment: environment(), log: STDERR_FILENO)
        } catch {
            throw CommandFailure(error)
        }
        // The status is written behind the body; it is 0 if there is none.
        guard child.write(input: Array(form.utf8)),
            let output = child.collectOutput(timeout: (patience + 5) * 1000, limit: limit + 16),
            let end = output.utf8.lastIndex(of: 0x0A), let status = Int(output[output.utf8.index(after: end)...]), status > 0
        else { throw CommandFailure("\(url) could not be reached") }
        return Reply(status: status, body: Array(output.utf8[..<end]))
    }

    private static func arguments(_ url: String) -> [String] {
        let isEncrypted = url.hasPrefix("https://")
        // What is not encrypted stays on this machine, and passes no proxy.
        let proxies = isEncrypted ? [] : ["--noproxy", "*"]
        return [
            // First of all, so that nobody's .curlrc has a say: not about verification, and not about where the form goes.
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
