import Glibc

/// Whether a browser would reach the daemon's listener, and nobody else's.
enum CallbackCheck {
    static let title = "callback"

    static func findings(url: String) -> [Finding] {
        guard let address = WebAddress(url) else { return [.fail(title, "the daemon names an address that is none: \(url)")] }
        guard address.scheme == "http" else { return [secure(address)] }
        guard let page = address.resolving("/__/auth/done") else {
            return [.fail(title, "the daemon names an address that is none: \(url)")]
        }
        do {
            return [judge(try LoopbackRequest(address: page).send(timeout: 5000), at: address)]
        } catch {
            return [finding(error, at: address)]
        }
    }

    /// Only Postern answers this page with these headers.
    static func judge(_ response: LoopbackResponse, at address: WebAddress) -> Finding {
        let isOurs =
            response.header("cache-control")?.contains("no-store") == true
            && response.header("content-security-policy")?.contains("default-src 'none'") == true
        guard isOurs else { return .fail(title, "something else answers at \(address.origin)", mend: mend(address)) }
        return .ok(title, "\(address.origin) answers")
    }

    /// A handshake is more than this command can do. But the listener answers plain HTTP too, with a page that says what is wrong with it.
    private static func secure(_ address: WebAddress) -> Finding {
        guard var page = address.resolving("/__/auth/done") else {
            return .fail(title, "the daemon names an address that is none: \(address.origin)")
        }
        page.scheme = "http"
        do {
            let finding = judge(try LoopbackRequest(address: page).send(timeout: 5000), at: address)
            guard finding.level == .ok else { return finding }
            return .ok(title, "\(address.origin) answers; whether your browser trusts its certificate cannot be seen from here")
        } catch {
            return finding(error, at: address)
        }
    }

    private static func finding(_ error: any Error, at address: WebAddress) -> Finding {
        if let failure = error as? LoopbackRequest.Failure, failure.isUnanswered {
            return .fail(
                title, "\(address.origin) closes this user's connections without an answer",
                mend:
                    "if another user's Postern has the port, take another one; in a container or on WSL set same-user = false under [callback]"
            )
        }
        return .fail(title, "\(address.origin) cannot be reached: \(error)", mend: mend(address))
    }

    private static func mend(_ address: WebAddress) -> String {
        "ss -ltnp 'sport = :\(address.port)' shows who has the port; systemctl --user restart postern-callback.socket takes it anew"
    }
}
