import PosternValues

/// The URLs of one account, and the paths that lead to them.
///
/// One URL is at the root: `/v1/models` is below it. Of several, the first segment says whose host is meant: `/api.example.com/v1/models`. On a
/// port everything is below a segment that nobody can guess.
public struct ProxyRoute: Sendable {
    /// A provider, or an account in the configuration.
    public let account: String
    /// The first segment of each path; nil where only this user can connect at all.
    private(set) var secret: Secret?
    private let places: [Target]

    private struct Target {
        /// As configured.
        var url: EndpointURL
        var prefix: URLPrefix
    }

    /// - Parameter urls: those of the account; at least one.
    /// - Throws: if one of them is no URL that tokens can be for.
    public init(account: String, urls: [String], secret: Secret? = nil) throws(EndpointURLError) {
        self.account = account
        self.secret = secret
        var places: [Target] = []
        for text in urls {
            let url = try EndpointURL(text)
            places.append(Target(url: url, prefix: try URLPrefix(server: url)))
        }
        self.places = places
    }

    /// Of the account, as configured.
    public var urls: [String] { places.map(\.url.text) }

    /// For a socket that only this user can open.
    public var withoutSecret: ProxyRoute {
        var route = self
        route.secret = nil
        return route
    }

    // MARK: A path's URL

    /// - Parameter rest: of a request's target, behind the secret: empty, or from a slash or a question mark on.
    func url(of rest: Substring) throws(ProxyRefusal) -> URLPrefix.AskedURL {
        let (candidates, below) = places.count == 1 ? try candidates(belowOnly: rest) : try candidates(byHost: rest)
        guard !below.begins(with: "//") else { throw .malformed("the path begins with two slashes; the base URL has none at its end") }
        var fault: EndpointURLError?
        for candidate in candidates {
            do throws(EndpointURLError) {
                let asked = try URLPrefix.AskedURL(candidate)
                if places.contains(where: { $0.prefix.closeness(to: asked) != nil }) { return asked }
            } catch { fault = fault ?? error }
        }
        switch fault {
        // Of a host that is none of the account's, whatever is wrong with it.
        case .invalidHost?, .invalidPort?, .plainHTTP?, .userInformation?, nil: throw .elsewhere(urls)
        case let fault?: throw .malformed("the URL that it means \(fault)")
        }
    }

    private func candidates(belowOnly rest: Substring) throws(ProxyRefusal) -> (urls: [String], below: Substring) {
        guard let url = places.first?.url else { throw .elsewhere([]) }
        // Of an MCP server that has a query there is nothing below.
        guard url.query == nil else {
            guard rest.isEmpty else { throw .elsewhere(urls) }
            return ([url.text], "")
        }
        let text = rest.begins(with: "/") && url.text.ends(with: "/") ? Substring(url.text.utf8.dropLast()) : url.text[...]
        return ([String(text + rest)], rest)
    }

    private func candidates(byHost rest: Substring) throws(ProxyRefusal) -> (urls: [String], below: Substring) {
        guard let path = rest.rest(after: "/") else { throw .elsewhere(urls) }
        let host = path.before { $0 == "/" || $0 == "?" }
        guard !host.isEmpty else { throw .elsewhere(urls) }
        let schemes = [EndpointURL.Scheme.https, .http].filter { scheme in places.contains { $0.url.scheme == scheme } }
        return (schemes.map { "\($0.rawValue)://\(path)" }, path[host.endIndex...])
    }

    // MARK: A URL's path

    /// The path at the proxy, the secret included, with the query; nil if the URL is none of the account's.
    func path(of text: String) -> String? {
        guard let asked = try? URLPrefix.AskedURL(text), let place = places.first(where: { $0.prefix.closeness(to: asked) != nil }),
            let url = try? EndpointURL(text, longest: URLPrefix.longestURL)
        else { return nil }
        let root = secret.map { "/\($0.reveal())" } ?? ""
        guard places.count == 1 else {
            guard !url.path.begins(with: "//") else { return nil }
            return "\(root)/\(Substring(text.utf8.dropFirst(url.scheme.rawValue.utf8.count + 3)))"
        }
        guard let rest = rest(of: url, below: place.url), !rest.begins(with: "//") else { return nil }
        let path = root + rest
        return path.begins(with: "/") ? path : "/\(path)"
    }

    /// What follows the account's URL; nil if the way back would lead to another URL.
    private func rest(of url: EndpointURL, below own: EndpointURL) -> String? {
        if own.query != nil { return url.text == own.text ? "" : nil }
        let path = own.path.ends(with: "/") ? own.path.utf8.dropLast() : own.path.utf8[...]
        let rest = String(Substring(url.path.utf8.dropFirst(path.count))) + (url.query.map { "?\($0)" } ?? "")
        // One of the two has a slash at its end that the other lacks, and a socket's path `/` means the account's URL as it is.
        let endsInSlash = rest.utf8.first == UInt8(ascii: "/") && [nil, UInt8(ascii: "?")].contains(rest.utf8.dropFirst().first)
        let isOther = endsInSlash ? secret == nil && !own.path.ends(with: "/") : !rest.begins(with: "/") && own.path.ends(with: "/")
        return isOther && !path.isEmpty ? nil : rest
    }
}
