import Glibc

/// What is known of curl's options: whether one takes a value, and what it does to a request with a token.
///
/// Only options that are known to leave the request's destination and its headers alone are passed on. curl has hundreds of options, and
/// gets new ones: those not in the table are refused.
enum CurlOption: Equatable {
    /// Passed on, without a value.
    case flag
    /// Passed on with its value.
    case value
    /// Describes the request itself.
    case request(RequestPart)
    /// With the reason, which completes "--x is not passed on: it …".
    case refused(String)

    enum RequestPart: Equatable {
        case url, method, header, head, get, follow, retry, upload, otherBody
        case data(DataKind)

        var takesValue: Bool {
            switch self {
            case .head, .get, .follow: false
            default: true
            }
        }
    }

    enum DataKind: Equatable {
        /// `@FILE` reads a file.
        case plain
        case raw
        case urlencoded
    }

    static func named(_ name: String) -> CurlOption? {
        if flags.contains(name) { return .flag }
        if values.contains(name) { return .value }
        if let part = requestParts[name] { return .request(part) }
        return reasons[name].map { .refused($0) }
    }

    /// The options whose values may have control characters: they are bodies, or curl prints them. Any other value could become part of
    /// the request line or of a header, where a line break begins another header or another request.
    static let texts: Set<String> = [
        "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "form", "form-string", "json", "write-out",
    ]

    /// What the first run leaves behind changes what a second one does or sends; or the head of the response goes elsewhere.
    static let unrepeatable: Set<String> = [
        "continue-at", "cookie-jar", "dump-header", "etag-save", "no-clobber", "remote-header-name",
    ]

    /// Whether a second run can use this value as the first one did: it names nothing that can be read or written only once.
    static func canBeRepeated(_ name: String, _ value: String) -> Bool {
        guard !unrepeatable.contains(name) else { return false }
        let file: Substring?
        switch name {
        case "url", "header", "user-agent", "referer", "data-raw", "form-string": return true
        // What it prints may go into a file, behind what is there.
        case "write-out": return !value.begins(with: "@") && !value.holds("%output{")
        case "output", "stderr": return value == "-" || isFile(value)
        case "upload-file": file = value == "." ? "-" : value[...]
        case "data", "data-ascii", "data-binary", "json": file = value.rest(after: "@")
        case "data-urlencode":
            let mark = value.unicodeScalars.firstIndex { $0 == "=" || $0 == "@" }
            file = mark.flatMap { value.unicodeScalars[$0] == "@" ? value.after($0) : nil }
        case "form":
            let mark = value.range(ofText: "=@") ?? value.range(ofText: "=<")
            file = mark.map { value[$0.upperBound...].before { $0 == ";" } }
            // Several files, or a name in quotes.
            if file?.unicodeScalars.contains(where: { $0 == "," || $0 == "\"" }) == true { return false }
        // A file, such as one of certificates, or no file at all.
        default: return value != "-" && isFile(value)
        }
        return file.map { !$0.begins(with: "-") && isFile(String($0)) } ?? true
    }

    /// A file or nothing yet: no pipe, no device and no directory.
    private static func isFile(_ path: String) -> Bool {
        var information = stat()
        guard stat(path, &information) == 0 else { return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG }
        return information.st_mode & S_IFMT == S_IFREG || path == "/dev/null"
    }

    /// The long names of one-letter options.
    static let letters: [Unicode.Scalar: String] = [
        "#": "progress-bar", "0": "http1.0", "1": "tlsv1", "4": "ipv4", "6": "ipv6", "A": "user-agent", "b": "cookie", "c": "cookie-jar",
        "C": "continue-at", "d": "data", "D": "dump-header", "e": "referer", "E": "cert", "f": "fail", "F": "form", "g": "globoff",
        "G": "get",
        "H": "header", "i": "include", "I": "head", "j": "junk-session-cookies", "J": "remote-header-name", "k": "insecure", "K": "config",
        "L": "location", "m": "max-time", "n": "netrc", "N": "no-buffer", "o": "output", "O": "remote-name", "q": "disable", "r": "range",
        "R": "remote-time", "s": "silent", "S": "show-error", "T": "upload-file", "u": "user", "U": "proxy-user", "v": "verbose",
        "w": "write-out", "x": "proxy", "X": "request", "y": "speed-time", "Y": "speed-limit", "z": "time-cond", "Z": "parallel",
        ":": "next",
    ]

    private static let flags: Set<String> = [
        "cert-status", "compressed", "create-dirs", "fail", "fail-early", "fail-with-body", "globoff", "http1.0", "http1.1", "http2",
        "ignore-content-length", "include", "ipv4", "ipv6", "junk-session-cookies", "no-buffer", "no-clobber", "no-keepalive",
        "no-progress-meter", "no-sessionid", "parallel", "parallel-immediate", "post301", "post302", "post303", "progress-bar", "raw",
        "remote-header-name", "remote-name", "remote-name-all", "remote-time", "remove-on-error", "show-error", "silent", "tcp-nodelay",
        "tlsv1", "tlsv1.2", "tlsv1.3", "tr-encoding", "xattr",
    ]

    static let values: Set<String> = [
        "cacert", "capath", "cert", "cert-type", "connect-timeout", "continue-at", "cookie", "cookie-jar", "create-file-mode", "crlfile",
        "dump-header", "etag-compare", "etag-save", "expect100-timeout", "happy-eyeballs-timeout-ms", "keepalive-time", "key", "key-type",
        "limit-rate", "max-filesize", "max-redirs", "max-time", "output", "output-dir", "parallel-max", "pinnedpubkey", "range", "rate",
        "referer", "speed-limit", "speed-time", "stderr", "time-cond", "tls-max", "user-agent", "write-out",
    ]

    static let requestParts: [String: RequestPart] = [
        "url": .url, "request": .method, "header": .header, "head": .head, "get": .get, "location": .follow, "upload-file": .upload,
        "data": .data(.plain), "data-ascii": .data(.plain), "data-binary": .data(.plain), "data-raw": .data(.raw),
        "data-urlencode": .data(.urlencoded), "form": .otherBody, "form-string": .otherBody, "json": .otherBody,
        "retry": .retry, "retry-delay": .retry, "retry-max-time": .retry,
    ]

    private static let reasons: [String: String] = {
        let groups: [(String, [String])] = [
            (
                "would send the token to every server that a redirect names",
                ["location-trusted"]
            ),
            ("reads more options from a file, where they cannot be checked", ["config"]),
            ("begins another request; run postern curl once for each", ["next"]),
            (
                "does not verify the server",
                ["insecure", "proxy-insecure", "doh-insecure", "ssl-allow-beast", "ciphers", "tls13-ciphers"]
            ),
            (
                "would print the token; --include shows the answer's headers",
                ["verbose", "trace", "trace-ascii", "trace-config", "trace-ids"]
            ),
            ("would write the token into a file", ["libcurl"]),
            (
                "authorizes the request in another way",
                [
                    "user", "oauth2-bearer", "basic", "digest", "ntlm", "negotiate", "anyauth", "netrc", "netrc-file", "netrc-optional",
                    "aws-sigv4", "delegation", "krb", "service-name",
                ]
            ),
            (
                "sends the request elsewhere than its URL says",
                [
                    "connect-to", "resolve", "unix-socket", "abstract-unix-socket", "doh-url", "dns-servers", "interface", "request-target",
                    "path-as-is", "haproxy-protocol", "haproxy-clientip", "alt-svc", "hsts", "proto", "proto-default", "proto-redir",
                    "http0.9",
                ]
            ),
            (
                "sets a proxy; use the environment (https_proxy) instead",
                [
                    "proxy", "proxy1.0", "preproxy", "proxy-header", "proxy-user", "proxytunnel", "noproxy", "socks4", "socks4a", "socks5",
                    "socks5-hostname",
                ]
            ),
            ("is always on here: .curlrc is not read", ["disable"]),
            ("changes the URL; write it in full", ["url-query", "variable", "expand-url", "expand-header", "expand-data"]),
        ]
        var reasons: [String: String] = [:]
        for (reason, names) in groups { for name in names { reasons[name] = reason } }
        return reasons
    }()
}
