import PosternCore

/// Why a refresh token of another program was not taken over.
enum ImportFailure: Error {
    case provider(ProviderFailure)
    /// Goes on from the provider's name and a colon.
    case unsupported(String)
    /// Others are being taken over.
    case busy
    /// The provider was asked about many of late.
    case tooMany(retryAfterSeconds: Int64)
    /// A credential of the account is kept already.
    case exists(StoredCredential)
    /// The account's name, which has no `login`, is another's.
    case nameTaken(String, by: StoredCredential)
    /// This very token was taken over before, and became that credential.
    case tokenKnown(StoredCredential)
    /// It was sent before, and no answer came.
    case sentBefore
    /// The provider does not take the token.
    case refused(String)
    /// As it said a while ago.
    case refusedBefore(String)
    /// It was sent, and no answer came: the provider may have given a new one in its place.
    case unanswered(SignInFailure)
    /// The provider took it, and does not say whose it is.
    case nobodyKnown(SignInFailure)
    case otherAccount(asked: String, found: String)
    case signIn(SignInFailure)
    case store(StoreError)
    /// As the failure says, and the provider had given another refresh token in its place, which waits here.
    indirect case heldBack(ImportFailure)
}
