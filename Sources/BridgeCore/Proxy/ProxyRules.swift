import PosternValues

/// What a reverse proxy for accounts passes on. Decided by the head of a request alone; bodies are nobody's business.
public struct ProxyRules: Sendable {
    /// Those that a program may use if nobody says otherwise.
    public static let usualMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// Either one, without a secret in its paths, or several with one each.
    let routes: [ProxyRoute]
    let methods: [String]
    /// What programs have in place of a token. It is no secret, and no business of the server.
    let dummy: String
    /// The values of `Host` that are accepted, in lower case; empty accepts each, for who connects to a socket by its path names none.
    let hosts: [String]

    public init(routes: [ProxyRoute], methods: [String] = usualMethods, dummy: String, hosts: [String] = []) {
        self.routes = routes
        self.methods = methods
        self.dummy = dummy
        self.hosts = hosts
    }

    /// The head of a request.
    public struct Head: Sendable {
        public var method: String
        /// In origin form.
        public var target: String
        /// Of a target in absolute form.
        public var authority: String?
        public var fields: [(name: String, value: String)]

        public init(method: String, target: String, authority: String? = nil, fields: [(name: String, value: String)] = []) {
            self.method = method
            self.target = target
            self.authority = authority
            self.fields = fields
        }
    }

    public func admit(_ head: Head) throws(ProxyRefusal) -> ProxyPassage {
        guard head.authority == nil, head.method != "CONNECT" else { throw .noForwardProxy }
        let (route, rest) = try route(of: head.target)
        let host = try host(of: head.fields)
        guard methods.contains(head.method) else { throw .method(methods) }
        guard !ProxyFields.wantUpgrade(head.fields) else { throw .upgrade }
        guard !ProxyFields.areOfPage(head.fields) else { throw .page }
        let url = try route.url(of: rest).text
        var passage = ProxyPassage(
            account: route.account, request: BridgeRequest(method: head.method, url: url), route: route, address: "http://\(host)")
        passage.request.headers = ProxyFields.keptOfRequest(head.fields).compactMap { field in
            passed(field, by: passage).map { (field.name, $0) }
        }
        return passage
    }

    // MARK: The route

    /// Each is compared, in a time that does not depend on how much of it is right.
    private func route(of target: String) throws(ProxyRefusal) -> (ProxyRoute, rest: Substring) {
        if let only = routes.first, only.secret == nil {
            // `/` is the URL itself.
            guard target.begins(with: "/") else { throw .malformed("the target is not a path") }
            let rest = target.rest(after: "/") ?? ""
            return (only, rest.isEmpty || rest.begins(with: "?") ? rest : target[...])
        }
        guard let path = target.rest(after: "/") else { throw .malformed("the target is not a path") }
        let segment = path.before { $0 == "/" || $0 == "?" }
        let given = Secret(segment.utf8)
        var found: ProxyRoute?
        for route in routes where route.secret == given { found = route }
        guard let found else { throw .unknownPath }
        return (found, path[segment.endIndex...])
    }

    /// How the client calls this server.
    private func host(of fields: [ProxyFields.Field]) throws(ProxyRefusal) -> String {
        guard let field = fields.first(where: { $0.name.isEqualIgnoringCase("host") }), !field.value.isEmpty else {
            return hosts.first ?? "localhost"
        }
        guard hosts.isEmpty || hosts.contains(field.value.lowercased()) else { throw .wrongHost }
        // It returns in the URLs of answers.
        let isName = field.value.utf8.allSatisfy { $0.isUnreserved || "[]:".utf8.contains($0) }
        guard isName, HostAndPort(field.value[...]) != nil else { throw .malformed("the Host field is not a host name") }
        return field.value
    }

    // MARK: A request's fields

    /// The value that the server gets; nil if it gets none.
    private func passed(_ field: ProxyFields.Field, by passage: ProxyPassage) -> String? {
        var value = field.value
        switch field.name.lowercased() {
        case "origin": if isOwn(value, passage) { value = passage.origin }
        // Of WebDAV's COPY and MOVE: where to, so nowhere else.
        case "destination":
            guard isOwn(value, passage), let url = ownURL(value, of: passage.route) else { return nil }
            value = url
        case "referer":
            if isOwn(value, passage) {
                guard let url = ownURL(value, of: passage.route) else { return nil }
                value = url
            }
        default: break
        }
        let isTelling = value.holds(dummy) || routes.contains { $0.secret.map { value.holds($0.reveal()) } ?? false }
        return isTelling ? nil : value
    }

    /// Whether a URL is at this proxy.
    private func isOwn(_ url: String, _ passage: ProxyPassage) -> Bool {
        let parts = URIParts(url)
        return parts.scheme?.lowercased() == "http" && parts.authority.map { "http://\($0.lowercased())" } == passage.address.lowercased()
    }

    private func ownURL(_ text: String, of route: ProxyRoute) -> String? {
        let parts = URIParts(text)
        let target = (parts.path.isEmpty ? "/" : String(parts.path)) + (parts.query.map { "?\($0)" } ?? "")
        guard let (found, rest) = try? self.route(of: target), found.account == route.account else { return nil }
        return try? found.url(of: rest).text
    }
}
