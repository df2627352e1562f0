/// What the credential is for, where a user of an app is concerned; the names are the interface's.
public enum Intent: String, Sendable, CaseIterable {
    case signIn, link, reauthenticate, credential
}
