import PosternCore

/// Why a refresh token of another program was not taken over.
enum ImportFailure: Error {
    case provider(ProviderFailure)
    /// Goes on from the provider's name and a colon.
    case unsupported(String)
    /// Others are being taken over.
    case busy
    /// A credential of the account is kept already.
    case exists(StoredCredential)
    /// This very token was taken over before, and became that credential.
    case tokenKnown(StoredCredential)
    /// The provider does not take the token.
    case refused(String)
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
