import PosternCore
import PosternValues

extension Fuzz {
    /// What a stranger's server says of itself: a character of flags, a line that is its challenge and its redirects' target, and then its
    /// document, which is also read as a client's.
    static func resource(_ bytes: [UInt8]) {
        guard let flags = bytes.first, let end = bytes.firstIndex(of: 0x0A), end > 0 else { return }
        let line = String(decoding: bytes[1..<end], as: UTF8.self)
        let body = Array(bytes[(end + 1)...])
        let headers = [("WWW-Authenticate", line), ("Location", line), ("Content-Type", "application/json")]
        let now = Timestamp(seconds: 1_800_000_000)
        guard let url = try? EndpointURL("https://mcp.example/a/mcp") else { fatalError("no URL") }

        var discovery = ResourceDiscovery(url: url)
        var step = discovery.first
        var asked = 0
        while case .ask(let request) = step {
            asked += 1
            check(request, after: asked)
            let isMoved = flags & 2 != 0 && asked < 4
            let status = request.method == "POST" ? (flags & 1 == 0 ? 401 : 307) : isMoved ? 302 : flags & 4 == 0 ? 200 : 404
            step = discovery.answered(ProviderResponse(status: status, headers: headers, body: body), now: now)
        }
        if case .found(let server) = step {
            guard (1...16).contains(server.issuers.count), (server.scopesSupported ?? []).allSatisfy(Scopes.isValid) else {
                fatalError("found \(server)")
            }
            // The resource's own words are what is sent.
            if let resource = server.resource, (try? EndpointURL(resource))?.hasSameOrigin(as: url) != true {
                fatalError("for \(resource)")
            }
            issuer(
                of: server, ProviderResponse(status: flags & 2 != 0 ? 307 : flags & 4 == 0 ? 200 : 404, headers: headers, body: body), now)
        }
        _ = try? ClientDocument.check(ProviderResponse(status: 200, headers: headers, body: body), of: url, redirectURI: line, now: now)
    }
}

private func issuer(of server: ResourceServer, _ response: ProviderResponse, _ now: Timestamp) {
    var mcp = MCPServer(url: server.url)
    mcp.resource = server.resource
    guard let issuer = try? server.issuer(configured: nil), var discovery = try? IssuerDiscovery(of: mcp, issuer: issuer) else {
        fatalError("refused later than found: \(server)")
    }
    var step = IssuerDiscovery.Step.ask(discovery.firstRequest)
    var asked = 0
    while case .ask(let request) = step {
        asked += 1
        check(request, after: asked)
        step = discovery.answered(response, now: now)
    }
    if case .found(let metadata) = step, !metadata.isAssumed, metadata.codeChallengeMethods?.contains("S256") != true {
        fatalError("without PKCE")
    }
}

/// Nobody is asked whom a server elsewhere may not name, and that comes to an end.
private func check(_ request: ProviderRequest, after count: Int) {
    guard let url = try? EndpointURL(request.url), url.scheme == .https, !LoopbackHost.isMeant(by: url.host) else {
        fatalError("asked \(request.url)")
    }
    guard request.addresses == .publicUnless(host: "mcp.example"), count <= 8 else { fatalError("asked without bounds") }
}
