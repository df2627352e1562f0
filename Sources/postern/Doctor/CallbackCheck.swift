import Glibc

/// Whether a browser would reach the daemon's listener, and no other program's.
enum CallbackCheck {
    static let title = "callback"

    static func findings(url: String, remedies: Remedies) -> [Finding] {
        guard let address = WebAddress(url) else { return [.fail(title, "the daemon names an invalid address: \(url)")] }
        do { return [try look(at: address)] } catch { return [finding(error, at: address, remedies)] }
    }

    /// The other of the two addresses that `localhost` may mean. If this machine does not have it, nobody else has it either.
    static func findings(otherSide address: WebAddress, remedies: Remedies) -> [Finding] {
        do { return [try look(at: address)] } catch let failure as LoopbackRequest.Failure where failure.isAbsent { return [] } catch {
            return [finding(error, at: address, remedies)]
        }
    }

    /// The listener answers plain HTTP where it speaks https, too, with a page that says what is wrong with it; a handshake is more than
    /// this command can do.
    private static func look(at address: WebAddress) throws -> Finding {
        var page = address
        (page.scheme, page.target) = ("http", "/__/auth/done")
        let finding = judge(try LoopbackRequest(address: page).send(timeout: 5000), at: address)
        guard finding.level == .ok, address.scheme == "https" else { return finding }
        return .ok(title, "\(address.origin) answers; whether your browser trusts its certificate cannot be checked here")
    }

    /// Only Postern answers this page with these headers.
    static func judge(_ response: LoopbackResponse, at address: WebAddress) -> Finding {
        let isOurs =
            response.header("cache-control")?.contains("no-store") == true
            && response.header("content-security-policy")?.contains("default-src 'none'") == true
        guard isOurs else {
            return .fail(title, "\(holder(of: address) ?? "something else") answers at \(address.origin)", fix: fix(taken: address))
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

    private static func holder(of address: WebAddress) -> String? {
        PortHolder.find(host: address.host, port: UInt16(clamping: address.port))?.text(ownUserID: getuid())
    }

    /// Of an address that another program has. The unit of the socket cannot be restarted while the daemon runs, and need not be.
    static func fix(taken address: WebAddress) -> String {
        let end = holder(of: address).map { "\($0) has the port: end it" } ?? "end the program that has the port"
        return "\(end); the daemon takes the port with the next call"
    }

    /// For an address that the daemon claims to have.
    private static func fix(unanswered address: WebAddress, _ remedies: Remedies) -> String {
        let unit = address.host.contains(":") ? "postern-callback-ipv6.socket" : "postern-callback.socket"
        let held = holder(of: address).map { "\($0) has the port: end it" } ?? "nothing listens there"
        let byHand = remedies.hasSystemd ? "; where posternd was started by hand, restart it" : ""
        return "\(held), then \(remedies.restart(callbackSocket: unit))\(byHand)"
    }
}
