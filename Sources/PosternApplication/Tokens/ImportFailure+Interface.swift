import PosternCore
import PosternInterface

extension InterfaceError {
    /// How a failed import of a token is reported on the socket.
    ///
    /// - Parameter name: the provider's display name.
    init(_ failure: ImportFailure, providerID: String, name: String) {
        let words = failure.words(at: name)
        switch failure.cause {
        case .provider(let failure): self.init(failure)
        case .unsupported: self = .unsupportedFlow(message: words, providerID: providerID, flow: "import")
        case .otherIssuer, .otherResource: self = .invalidCredential(message: words)
        case .clientRefused(.invalidText(let member)): self = .invalidParameter(member)
        case .clientRefused: self = .unsupportedFlow(message: words, providerID: providerID, flow: "import")
        case .busy: self = .tooManyAttempts(message: words, retryAfterSeconds: 10)
        case .tooMany(let seconds): self = .tooManyAttempts(message: words, retryAfterSeconds: Int(seconds))
        case .sentBefore:
            self = .signInRequired(
                message: words, providerID: providerID, reason: "the refresh token was sent before, and its answer was lost")
        case .exists(let credential), .lasts(let credential), .tokenKnown(let credential), .nameTaken(_, let credential):
            self = .credentialExists(message: words, providerID: providerID, uid: credential.subject)
        case .refused, .refusedBefore, .notIdentified: self = .invalidCredential(message: words)
        case .unanswered: self = .providerUnreachable(message: words, providerID: providerID)
        case .nobodyKnown: self = .signInRequired(message: words, providerID: providerID, reason: "it is unknown whose token it is")
        case .otherAccount, .notConfirmed: self = .userMismatch(message: words)
        case .store(let error): self.init(error)
        case .signIn(let cause), .heldBack(.signIn(let cause)):
            switch cause.reason.row.error {
            case .invalidIDToken: self = .invalidIDToken(message: words, providerID: providerID, reason: cause.message)
            case .providerUnreachable: self = .providerUnreachable(message: words, providerID: providerID)
            case .exchangeFailed:
                self = .exchangeFailed(
                    message: words, providerID: providerID, error: cause.error, errorDescription: cause.errorDescription)
            case .signInDenied, .providerNotConfigured, .invalidCredential, .storeDamaged, .storeLocked, .internalError:
                self.init(cause, providerID: providerID, providerName: name)
            }
        case .heldBack: self = .internalError(message: words)
        }
    }
}

extension ImportFailure {
    /// The failure itself, without the token that is kept.
    fileprivate var cause: ImportFailure { if case .heldBack(let cause) = self { cause.cause } else { self } }

    /// The message for people.
    ///
    /// - Parameter name: the provider's display name.
    func words(at name: String) -> String {
        switch self {
        case .provider(let failure): InterfaceError(failure).message
        case .unsupported(let reason): "no such token can be imported for \(name): \(reason); sign in instead"
        case .otherIssuer(let issuer, let found, let server):
            "the token was issued by \(Self.shown(issuer)), but \(server) now names \(Self.shown(found)); it was not sent; sign in instead"
        case .otherResource(let resource, let found):
            "the token is for \(Self.shown(resource)), which does not cover \(Self.shown(found)); it was not sent; sign in instead"
        case .clientRefused(let refusal): "the token's client cannot be kept for \(name): \(Self.words(refusal)); sign in instead"
        case .busy: "too many tokens are being imported now; try again when they are done"
        case .tooMany(let seconds):
            "\(name) was asked about too many tokens without success; try again in \(seconds) s"
        case .sentBefore:
            "this refresh token was sent to \(name) before, and the answer was lost: it may be used up, and \(name) may take a second use for "
                + "a theft; sign in instead, or send it again all the same (replace)"
        case .nameTaken(let account, let credential):
            "the account \(account) is \(credential.calling)'s at \(name), and the token is another's; revoke that credential first, or "
                + "give the account its login"
        case .exists(let credential):
            "a credential of \(credential.calling) at \(name) is already stored here; nothing was changed"
        case .lasts(let credential):
            "a credential of \(credential.calling) at \(name) is already kept, with a refresh token, which an access token alone does not "
                + "replace; nothing was changed"
        case .tokenKnown(let credential):
            "this token was already imported, for \(credential.calling) at \(name); it was not sent again"
        case .refused(let reason):
            "\(name) does not accept this refresh token (\(reason)): it was used up or revoked, or belongs to another client; nothing was stored"
        case .refusedBefore(let reason):
            "\(name) refused this token a while ago (\(reason)), and it was not sent again; nothing was stored"
        case .unanswered(let cause):
            "\(InterfaceError(cause, providerID: "", providerName: name).message); it is unknown whether the refresh token is used up"
        case .nobodyKnown(let cause):
            "\(name) renewed the token, but does not say whose it is (\(InterfaceError(cause, providerID: "", providerName: name).message)); "
                + "sign in once, with a scope that shows it, such as openid"
        case .notIdentified(let cause):
            "\(name) does not accept this access token, or does not say whose it is "
                + "(\(InterfaceError(cause, providerID: "", providerName: name).message)); nothing was stored"
        case .otherAccount(let asked, let found):
            "the token belongs to \(found) at \(name), not to \(asked); no credential was stored"
        case .notConfirmed(let login, let found, let subject):
            "the token belongs to \(found) at \(name), which does not say whether that is \(login); no credential was stored; "
                + "if it is, put login = { id = \"\(subject)\" } under the account's name"
        case .signIn(let cause): InterfaceError(cause, providerID: "", providerName: name).message
        case .store(let error): "\(error)"
        case .heldBack(let cause):
            "\(cause.words(at: name)); \(name) gave a new refresh token instead, which is kept sealed for a day: "
                + "import the same one again to use it"
        }
    }

    /// A program named it, or a server.
    private static func shown(_ url: String) -> String { ProviderText.cleaned(url, longest: EndpointURL.longest) ?? "nobody" }

    private static func words(_ refusal: ImportedClient.Refusal) -> String {
        switch refusal {
        case .invalidText(let member): "its \(member) is too long or has characters that are not allowed"
        case .noAuthentication(let offered):
            "clients with a secret authenticate there by \(ProviderText.cleaned(names: offered).joined(separator: ", "))"
        case .otherSecret: "a client of the same ID is kept already, with another secret"
        case .noRoom: "as many clients as may be kept are in use"
        }
    }
}
