import PosternInterface

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
        if let user = event.result?.user { return "signed in as \(name(of: user)) with \(providerName.plain)" }
        return "\(providerName.plain) gave a credential"
    }
}
