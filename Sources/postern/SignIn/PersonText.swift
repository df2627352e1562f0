import PosternClient

/// How a user is named to a person.
enum PersonText {
    /// `Ada Lovelace <ada@example.org>`, or as much of it as is known.
    static func name(of user: User) -> String {
        switch (user.displayName, user.email) {
        case (let name?, let email?): "\(name) <\(email)>".plain
        case (let name?, nil): name.plain
        case (nil, let email?): email.plain
        case (nil, nil): user.isAnonymous ? "an anonymous user" : "user \(user.uid)".plain
        }
    }

    /// The last line of a sign-in.
    static func outcome(of event: SignInEvent, providerName: String) -> String {
        guard let result = event.result else { return "\(providerName.plain) gave a credential" }
        return outcome(of: result, wayName: providerName)
    }

    static func outcome(of proved: AccountDialogue.Proved) -> String {
        guard let result = proved.result else { return "\(proved.wayName.plain) gave a credential" }
        return outcome(of: result, wayName: proved.wayName)
    }

    private static func outcome(of result: AuthResult, wayName: String) -> String {
        let user = name(of: result.user)
        return switch result.operation {
        case .signIn where wayName.isEmpty: "signed in as \(user)"
        case .signIn: "signed in as \(user) with \(wayName.plain)"
        case .link: "\(wayName.plain) is linked to \(user)"
        case .reauthenticate: "still \(user), confirmed with \(wayName.plain)"
        }
    }
}
