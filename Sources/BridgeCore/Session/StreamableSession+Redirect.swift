import PosternValues

/// A server that moves a request below its own URL, such as from `/mcp` to `/mcp/`. Everything else is no redirect that a bridge follows:
/// the authorization is for the URL alone.
extension StreamableSession {
    private static let mostRedirects = 3

    /// True if the request was sent again to where the server says. It was not carried out: 307 and 308 ask for the same once more.
    mutating func redirected(_ id: ExchangeID, _ answer: BridgeAnswer) -> Bool {
        guard answer.status == 307 || answer.status == 308, let exchange = exchanges[id], exchange.redirects < Self.mostRedirects,
            var request = exchange.request, let target = target(of: answer)
        else { return false }
        request.url = target
        var moved = exchange
        moved.redirects += 1
        drain(id, answer)
        let next = open(moved, request)
        if barrier == id { barrier = next }
        if stream.state == .open(id) { stream.state = .open(next) }
        return true
    }

    private func target(of answer: BridgeAnswer) -> String? {
        let values = answer.values(of: "Location")
        let parts = URIParts(url)
        guard values.count == 1, let location = values.first, let own = try? EndpointURL(url), let scheme = parts.scheme,
            let authority = parts.authority
        else { return nil }
        let isPath = location.begins(with: "/") && !location.begins(with: "//")
        guard let target = try? EndpointURL(isPath ? "\(scheme)://\(authority)\(location)" : location), target.hasSameOrigin(as: own),
            target.path.begins(with: own.path.ends(with: "/") ? own.path : own.path + "/")
        else { return nil }
        // Nothing that another reader of the path takes for a step up.
        let path = target.path.lowercased()
        guard !path.holds("/."), !path.holds("%2e"), !path.holds("%2f"), !path.holds("%5c"), !path.holds(";") else { return nil }
        return target.text
    }
}
