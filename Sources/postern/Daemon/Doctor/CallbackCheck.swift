import Glibc

/// Whether a browser would reach the daemon's listener, and no other program's.
enum CallbackCheck {
    static let title = "callback"

    static func findings(url: String, remedies: Remedies) -> [Finding] {
        guard let address = WebAddress(url) else { return [.fail(title, "the daemon names an invalid address: \(url)")] }
        do { return [try look(at: address, remedies)] } catch { return [finding(error, at: address, remedies)] }
    }

    /// The other of the two addresses that `localhost` may mean. If this machine does not have it, nobody else has it either.
    static func findings(otherSide address: WebAddress, remedies: Remedies) -> [Finding] {
        do { return [try look(at: address, remedies)] } catch {
            if let failure = error as? LoopbackRequest.Failure, failure.isAbsent { return [] }
            return [finding(error, at: address, remedies)]
        }
    }

    /// Even with https, the listener answers plain HTTP with a page that explains the mistake; this command cannot do a TLS handshake.
    private static func look(at address: WebAddress, _ remedies: Remedies) throws -> Finding {
        var page = address
        (page.scheme, page.target) = ("http", "/__/auth/done")
        let finding = judge(try LoopbackRequest(address: page).send(timeout: 5000), at: address, remedies: remedies)
        guard finding.level == .ok, address.scheme == "https" else { return finding }
        return .ok(title, "\(address.origin) answers; whether your browser trusts its certificate cannot be checked here")
    }

    /// Only Postern answers this page with these headers.
    static func judge(_ response: LoopbackResponse, at address: WebAddress, remedies: Remedies) -> Finding {
        let isOurs =
            response.header("cache-control")?.holds("no-store") == true
            && response.header("content-security-policy")?.holds("default-src 'none'") == true
        guard isOurs else {
            let holder = holder(of: address)?.text(ownUserID: getuid()) ?? "something else"
            return .fail(title, "\(holder) answers at \(address.origin)", fix: fix(taken: address, remedies))
        }
        return .ok(title, "\(address.origin) answers")
    }

    private static func finding(_ error: any Error, at address: WebAddress, _ remedies: Remedies) -> Finding {
        if let failure = error as? LoopbackRequest.Failure, failure.isUnanswered {
            return .fail(
                title, "\(address.origin) closes this user's connections without an answer",
                fix:
                    "if another user's Postern has the port, choose another one; in a container or on WSL set same-user = false under [callback]"
            )
        }
        return .fail(title, "\(address.origin) cannot be reached: \(error)", fix: fix(unanswered: address, remedies))
    }

    private static func holder(of address: WebAddress) -> PortHolder? {
        PortHolder.find(host: address.host, port: UInt16(clamping: address.port))
    }

    /// Another user's program has it: the normal case for everybody but the first user of Postern on a machine.
    static func isForeign(_ address: WebAddress) -> Bool { holder(of: address)?.isForeign(ownUserID: getuid()) == true }

    /// For an address that another program has.
    static func fix(taken address: WebAddress, _ remedies: Remedies) -> String {
        fix(taken: holder(of: address), ownUserID: getuid(), remedies)
    }

    /// The socket unit cannot be restarted while the daemon runs, and need not be.
    static func fix(taken holder: PortHolder?, ownUserID: UInt32, _ remedies: Remedies) -> String {
        guard let holder else { return "end the program that has the port; the daemon takes the port with the next call" }
        let text = "\(holder.text(ownUserID: ownUserID)) has the port"
        guard !holder.isForeign(ownUserID: ownUserID) else { return "\(text); \(remedies.otherPort)" }
        return "\(text): end it; the daemon takes the port with the next call"
    }

    /// For an address that the daemon claims to have.
    private static func fix(unanswered address: WebAddress, _ remedies: Remedies) -> String {
        let unit = address.host.unicodeScalars.contains(":") ? "postern-callback-ipv6.socket" : "postern-callback.socket"
        let holder = holder(of: address)
        if let holder, holder.isForeign(ownUserID: getuid()) { return fix(taken: holder, ownUserID: getuid(), remedies) }
        let held = holder.map { "\($0.text(ownUserID: getuid())) has the port: end it" } ?? "nothing listens there"
        let byHand = remedies.hasSystemd ? "; where posternd was started by hand, restart it" : ""
        return "\(held), then \(remedies.restart(callbackSocket: unit))\(byHand)"
    }
}
