import PosternClient

/// Finds the page that ends the user's session at a provider.
///
/// `RevokeCredential` does not return it, so the daemon offers the page to those who watch with `Monitor`: its address is on this machine,
/// and valid for one opening. If the daemon opens the page itself, as configured, the outcome is known later: a browser that cannot be
/// started is noticed after some seconds, and the user may have to choose one.
struct EndSessionWatch {
    /// Milliseconds to wait for what the daemon has already written.
    private static let patience: Int64 = 2000
    /// Milliseconds to wait for the daemon's browser.
    private static let openingPatience: Int64 = 30_000

    private var watch: EventWatch

    /// Starts to watch.
    init(socketPath: String) throws(PosternError) {
        watch = try EventWatch(socketPath: socketPath)
        _ = try PosternConnection.call(Interface.ListSessions(), at: socketPath, timeoutMilliseconds: Self.patience)
    }

    enum Finding: Equatable {
        case offered(String)
        /// Opened by the daemon, as configured.
        case opened
        /// As configured, and it is not known yet whether the browser shows it.
        case opening
        case none
    }

    /// Call it once, after the credential was revoked.
    mutating func finding(at providerID: String) -> Finding {
        defer { watch.close() }
        var isOpening = false
        while let event = try? watch.next(within: isOpening ? Self.openingPatience : Self.patience) {
            guard event.providerID == providerID else { continue }
            switch event.kind {
            case "endSessionOpening": isOpening = true
            case "endSessionOffered": return .offered(event.message)
            case "pageOpened" where event.sessionID == nil: return .opened
            case "credentialRevoked" where !isOpening: return .none
            default: break
            }
        }
        return isOpening ? .opening : .none
    }
}
