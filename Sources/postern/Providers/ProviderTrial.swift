import Glibc
import PosternClient
import StrictJSON

/// A sign-in that nobody is asked to finish, for what it shows of a provider.
///
/// The interface has no method that checks a provider. But the daemon cannot begin a sign-in before it knows the provider's
/// endpoints, which it reads over its own TLS, proxy and certificate authorities; and of a code that the provider never gave, the
/// provider says more than no: it authenticates the client first (RFC 6749 section 5.2).
struct ProviderTrial {
    /// What the provider made of the client ID and secret.
    enum Client: Equatable {
        /// It refused the code alone. The word is its own.
        case taken(error: String)
        case refused(reason: String)
        case notTried(reason: String)
    }

    /// The page that a person would have seen.
    var page: String
    var client: Client

    /// Seconds after which a trial that was cut short ends by itself.
    private static let lifetime = 60
    /// To be recognised in the provider's log.
    private static let code = "postern-provider-check"

    init(page: String, client: Client) {
        self.page = page
        self.client = client
    }

    /// - Parameter connect: makes a further connection, for what happens while the sign-in waits.
    init(of providerID: String, over connection: PosternConnection, connect: () throws -> PosternConnection) throws {
        // An app name of its own keeps this from joining a sign-in that a person has before them.
        let question = Interface.SignIn(
            providerID: providerID, intent: .credential, app: "postern-provider-check-\(getpid())", flow: .browser,
            presentation: .client, timeoutSeconds: Self.lifetime)
        var page: String?
        do {
            try connection.callMore(Interface.SignIn.method.name, question.object, beginsAtOnce: true) { reply in
                let event = try PosternConnection.read(Interface.SignIn.Reply.self, from: reply).event
                guard page == nil, event.state == .authorizationPending, let url = event.authorizationURL else { return }
                page = url
                let other = try connect()
                defer { other.close() }
                try Self.comeBack(to: event.sessionID, from: url, over: other)
            }
            client = .notTried(reason: "the provider gave a token for a code that it cannot know")
        } catch PosternError.refused(let refusal) where page != nil {
            client = Client(refusal)
        }
        guard let page else { throw PosternError.malformedReply(reason: "a sign-in that ends without a page") }
        self.page = page
    }

    /// Ends the sign-in: as its browser would, with the made-up code, or where that cannot be done, by cancelling.
    private static func comeBack(to sessionID: String, from page: String, over connection: PosternConnection) throws {
        if let url = redirect(from: page) {
            do throws(PosternError) {
                _ = try connection.call(Interface.DeliverRedirect(url: Secret(url)))
                return
            } catch .refused(.redirectNotRecognised) {
                // Some other redirect than one to a loopback address.
            }
        }
        _ = try connection.call(Interface.CancelSession(sessionID: sessionID))
    }

    /// Nil for a page that does not say where it leads.
    static func redirect(from page: String) -> String? {
        guard let address = WebAddress(page), let redirectURI = address.parameter("redirect_uri"),
            let state = address.parameter("state"), state.utf8.allSatisfy(isUnreserved)
        else { return nil }
        return "\(redirectURI)?state=\(state)&code=\(code)"
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~".utf8.contains(byte)
        }
    }
}

extension ProviderTrial.Client {
    /// RFC 6749 section 5.2, and GitHub's words for the same.
    private static let codeRefusals: Set = ["invalid_grant", "bad_verification_code"]
    private static let clientRefusals: Set = ["invalid_client", "unauthorized_client", "incorrect_client_credentials"]

    /// What the end of the trial tells.
    init(_ refusal: InterfaceError) {
        guard case .exchangeFailed(let message, _, let error?, _) = refusal else {
            self = .notTried(reason: refusal.message)
            return
        }
        if Self.codeRefusals.contains(error) {
            self = .taken(error: error)
        } else if Self.clientRefusals.contains(error) {
            self = .refused(reason: message)
        } else {
            self = .notTried(reason: message)
        }
    }
}

extension ProviderTrial {
    /// What was checked, and what was not.
    func findings(for provider: Provider) -> [Finding] {
        let origin = WebAddress(page)?.origin ?? "an address that is not shown"
        var findings: [Finding] = [
            .ok("configuration", "complete"),
            .ok("endpoints", "known, and discovered where the configuration does not name them; the page is at \(origin)"),
        ]
        // A provider of OAuth 1.0a gives a request token for the page, which it does only where all of this is right.
        if provider.kind == .oauth1 {
            return findings + [.ok("client", "the provider takes the key, the secret and the callback URL: it gave a request token")]
        }
        findings.append(clientFinding(providerID: provider.providerID))
        if provider.kind == .oidc {
            findings.append(.warn("keys", "not checked: they are read when somebody has signed in"))
        }
        let redirectURI = provider.redirectURI.map { " \($0)" } ?? ""
        findings.append(.warn("callback URL", "not checked: whether\(redirectURI) is registered shows on the provider's page"))
        return findings
    }

    private func clientFinding(providerID: String) -> Finding {
        switch client {
        case .taken(let error):
            .ok("client", "the provider takes the client ID, and the secret where there is one: of a made-up code it says \(error)")
        case .refused(let reason):
            .fail("client", reason, mend: "compare client-id and client-secret with what the provider shows, then: postern reload")
        case .notTried(let reason):
            .warn("client", "not checked whether the provider takes the client ID and secret: \(reason)")
        }
    }
}
