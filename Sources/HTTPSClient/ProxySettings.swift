/// The proxy for https requests, as curl reads it from the environment.
public struct ProxySettings: Sendable, Hashable {
    public struct Proxy: Sendable, Hashable {
        public var host: String
        public var port: Int
        /// `user:password`, percent-decoded, for `Proxy-Authorization: Basic`.
        var credentials: String?
    }

    /// What `HTTPS_PROXY` says: none, one, or something that is no proxy that we can speak to.
    public enum Choice: Sendable, Hashable {
        case direct
        case through(Proxy)
        /// The reason; never the credentials.
        case unusable(String)
    }

    private var choice = Choice.direct
    /// `NO_PROXY`: names, suffixes, addresses, each with or without a port; or an asterisk.
    private var exceptions: [String] = []

    public init(environment: [String: String]) {
        let name = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].first { environment[$0]?.isEmpty == false }
        if let name, let value = environment[name] { choice = Self.parse(value, name: name) }
        let list = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        exceptions = list.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
    }

    /// The way to a host; this machine itself is never asked through a proxy.
    public func choice(host: String, port: Int) -> Choice {
        if choice == .direct || Self.isLoopback(host) || exceptions.contains(where: { Self.covers($0, host: host, port: port) }) {
            return .direct
        }
        return choice
    }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || (host.hasPrefix("127.") && host.split(separator: ".").count == 4)
    }

    private static func covers(_ exception: String, host: String, port: Int) -> Bool {
        if exception == "*" { return true }
        var name = exception[...]
        if name.hasPrefix("["), let end = name.firstIndex(of: "]") {
            if name.hasSuffix(":\(port)") || name.index(after: end) == name.endIndex { return name[..<end].dropFirst() == host }
            return false
        }
        if name.split(separator: ":", omittingEmptySubsequences: false).count == 2, let colon = name.lastIndex(of: ":") {
            guard name[name.index(after: colon)...] == String(port) else { return false }
            name = name[..<colon]
        }
        if name.hasPrefix("*.") { name = name.dropFirst(1) }
        if name.hasPrefix(".") { return host.hasSuffix(name) || host == name.dropFirst() }
        return host == name || host.hasSuffix(".\(name)")
    }

    private static func parse(_ text: String, name: String) -> Choice {
        var rest = text[...]
        if let scheme = rest.firstIndex(of: ":"), rest[scheme...].hasPrefix("://") {
            guard rest[..<scheme].lowercased() == "http" else {
                return .unusable("\(name) names a proxy of the kind \(rest[..<scheme]); only http:// proxies can be used")
            }
            rest = rest[rest.index(scheme, offsetBy: 3)...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var credentials: String?
        if let at = rest.lastIndex(of: "@") {
            guard let decoded = percentDecoded(rest[..<at]) else { return .unusable("the user and password in \(name) are not well written") }
            credentials = decoded
            rest = rest[rest.index(after: at)...]
        }
        var host = rest
        var port = 1080
        if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
            guard let number = Int(rest[rest.index(after: colon)...]), (1...65535).contains(number) else {
                return .unusable("\(name) has no valid port")
            }
            port = number
            host = rest[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return .unusable("\(name) names no host") }
        return .through(Proxy(host: String(host), port: port, credentials: credentials))
    }

    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
