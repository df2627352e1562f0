import PosternCore
import PosternInterface

/// Hands out access tokens: the stored one while it is good enough, a renewed one where that can be had.
///
/// What is to be done is decided by each credential's ``CredentialRenewal``, which stands beside it on the shelf.
@DaemonActor
final class AccessTokens {
    typealias Answer = @DaemonActor (Result<StoredCredential, InterfaceError>) -> Void

    struct Request {
        var providerID: String
        var subject: String?
        var demand: TokenDemand
    }

    /// A program that wants a token.
    struct Requester {
        var request: Request
        var answer: Answer
    }

    /// Milliseconds between two tries to write what could not be written.
    static let pauseBetweenSaves: Int64 = 30_000

    let shelf: CredentialShelf
    let store: StoreAccess
    let providers: ProviderDirectory
    let exchange: CodeExchange
    let origins: CallbackOrigins
    let revocation: RevocationRequests
    let platform: Platform
    let events: EventLog
    var retry: (any PendingTimer)?

    init(
        shelf: CredentialShelf, store: StoreAccess, providers: ProviderDirectory, exchange: CodeExchange, origins: CallbackOrigins,
        revocation: RevocationRequests, platform: Platform, events: EventLog
    ) {
        self.shelf = shelf
        self.store = store
        self.providers = providers
        self.exchange = exchange
        self.origins = origins
        self.revocation = revocation
        self.platform = platform
        self.events = events
    }

    /// Something stands in memory alone: no time to go for want of anything to do.
    var holdsUnsaved: Bool { shelf.holdsUnsaved }

    /// Answers at once where the stored token will do.
    func get(_ request: Request, answer: @escaping Answer) {
        do throws(InterfaceError) {
            let configured = try providers.configured(request.providerID)
            let credential = try credential(of: configured.id, subject: request.subject)
            guard let provider = providers.client(of: configured, boundTo: credential.binding) else {
                throw .signInRequired(
                    message: "\(configured.displayName) has another issuer, token endpoint or client ID now than when its credential was "
                        + "given, so that one is not used; run `postern sign-in \(configured.id)`",
                    providerID: configured.id, reason: "the provider's configuration changed")
            }
            let now = platform.now
            let key = CredentialShelf.Key(credential)
            let action = shelf.renewal(of: key) {
                $0.wanted(
                    request.demand, by: Requester(request: request, answer: answer), of: credential, dialect: provider.dialect, now: now)
            }
            carryOut(action, of: key)
        } catch {
            answer(.failure(error))
        }
    }

    /// The one credential that is meant.
    func credential(of providerID: String, subject: String?) throws(InterfaceError) -> StoredCredential {
        let name = providers.displayName(providerID)
        if let subject {
            if let credential = shelf[CredentialShelf.Key(providerID: providerID, subject: subject)] { return credential }
            throw .signInRequired(
                message: "no credential of the account \(subject) at \(name) is kept here; sign in with it first",
                providerID: providerID, reason: "nobody has signed in with this account")
        }
        if let only = shelf.onlyCredential(providerID: providerID) { return only }
        let candidates = shelf.credentials(providerID: providerID)
        guard !candidates.isEmpty else {
            throw .signInRequired(
                message: "nobody has signed in at \(name) yet; run `postern sign-in \(providerID)`", providerID: providerID,
                reason: "nobody has signed in")
        }
        throw .ambiguousAccount(
            message: "several accounts at \(name) are kept here; say which one by its uid", uids: candidates.map(\.subject))
    }
}
