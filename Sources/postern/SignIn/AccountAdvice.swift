import PosternClient

/// What a refusal by the account rules means for the user of the command line: the commands to run next.
struct AccountAdvice {
    /// The requested provider, as named on the command line; nil if there was none.
    var providerID: String?
    var intent: Intent?
    var app: String
    /// The providers of the current user, if known.
    var usersProviderIDs: [String] = []

    func failure(_ refusal: InterfaceError) -> CommandFailure {
        let failure = CommandFailure(refusal)
        return advice(for: refusal).map(failure.advising) ?? failure
    }

    private func advice(for refusal: InterfaceError) -> String? {
        let provider = providerID ?? "PROVIDER"
        switch refusal {
        case .accountExistsWithDifferentCredential(_, let email, let owners, _):
            return "sign in as before: \(owners.map { signIn($0, email: email) }.joined(separator: " or: ")); "
                + "then: \(command("link \(provider)"))"
        case .credentialAlreadyInUse where intent == .link:
            return "to become that user: \(signIn(provider))"
        case .emailAlreadyInUse(_, let email) where intent == .link:
            return "sign in as the user of \(email), then: \(command("link \(provider)"))"
        case .emailAlreadyInUse(_, let email):
            return "if it is yours, sign in as before, such as with: \(signIn("--email \(ShellWord.quoted(email))"))"
        case .providerAlreadyLinked(_, let linked):
            return "to take the other one off: \(command("unlink \(linked)"))"
        case .noSuchProvider:
            return "what is linked: \(command("whoami"))"
        case .noCurrentUser:
            return "sign in with: \(signIn("PROVIDER"))"
        case .requiresRecentSignIn:
            let providers = usersProviderIDs.isEmpty ? ["PROVIDER"] : usersProviderIDs
            return "sign in again with: \(providers.map { command("reauthenticate \($0)") }.joined(separator: " or: ")); then ask again"
        // In a sign-in it means that another account than the requested one signed in; the sentence says which.
        case .userMismatch where intent == .reauthenticate:
            return "who it is: \(command("whoami"))"
        case .userMismatch where intent == .keep:
            return "another account gets a name of its own: postern sign-in PROVIDER --as NAME"
        case .userNotFound where providerID == SignInWay.passwordID:
            return "to make a user with that address: \(command("create-user EMAIL"))"
        default:
            return nil
        }
    }

    private func signIn(_ providerID: String, email: String) -> String {
        signIn(providerID == SignInWay.passwordID ? "--email \(ShellWord.quoted(email))" : providerID)
    }

    /// A sign-in to type: of the same app's user, whom it does not concern without the app's name, or of an account to keep.
    func signIn(_ words: String) -> String {
        intent == .keep ? "postern sign-in \(words)" : "postern sign-in --app \(ShellWord.quoted(app)) \(words)"
    }

    /// A command to type, for the same app.
    func command(_ words: String) -> String { "postern \(words)" + (app == "default" ? "" : " --app \(ShellWord.quoted(app))") }
}
