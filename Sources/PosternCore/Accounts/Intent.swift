/// What the credential is for; the names are the interface's.
public enum Intent: String, Sendable, CaseIterable {
    case signIn, link, reauthenticate, credential
}
