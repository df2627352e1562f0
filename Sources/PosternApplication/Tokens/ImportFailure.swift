import PosternCore

/// Why a token of another program was not taken over.
enum ImportFailure: Error {
    case provider(ProviderUnavailable)
    /// Continues a sentence after the provider's name and a colon.
    case unsupported(String)
    /// The other program got it from an issuer, or a token endpoint, that the server does not name now. Nothing was sent.
    case otherIssuer(String, found: String, server: String)
    /// It is for something else than what the server's tokens are for.
    case otherResource(String, found: String)
    /// The client that it was issued to cannot be kept here.
    case clientRefused(ImportedClient.Refusal)
    /// Too many other imports are waiting.
    case busy
    /// The provider was asked about many recently.
    case tooMany(retryAfterSeconds: Int64)
    /// A credential of the account is already stored.
    case exists(StoredCredential)
    /// An access token alone does not replace a credential that has a refresh token.
    case lasts(StoredCredential)
    /// The account's name, which has no `login`, belongs to another account.
    case nameTaken(String, by: StoredCredential)
    /// This very token was imported before, and became that credential.
    case tokenKnown(StoredCredential)
    /// It was sent before, and no answer arrived.
    case sentBefore
    /// The provider does not accept the token.
    case refused(String)
    /// The provider refused it earlier.
    case refusedBefore(String)
    /// It was sent, and no answer arrived: the provider may have replaced it with a new one.
    case unanswered(ProviderFailure)
    /// The provider accepted it, but does not say whose it is.
    case nobodyKnown(ProviderFailure)
    /// An access token, which the provider does not accept, or of which it does not say whose it is.
    case notIdentified(ProviderFailure)
    case otherAccount(asked: String, found: String)
    /// It may be the account of that name, and the provider does not say so.
    case notConfirmed(login: String, found: String, subject: String)
    case signIn(ProviderFailure)
    case store(StoreError)
    /// As the inner failure, but the provider had already replaced the refresh token with another one, which is kept here.
    indirect case heldBack(ImportFailure)
}
