/// What concerns the accounts: linking, confirming who one is, and what the rules refuse.
extension EnglishStrings {
    func completedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "You are signed in"
        case .link: "Your account is linked"
        case .reauthenticate: "It is still you"
        }
    }

    func completedExplanation(_ situation: PageSituation) -> HTML {
        let provider = situation.provider
        let back: HTML = "You can go back to \(situation.program.map { "\($0)" } ?? "the program that asked" as HTML)."
        switch (situation.purpose, situation.user) {
        case (.signIn, _): return "\(provider) has confirmed who you are. \(back)"
        case (.link, _): return "\(provider) is linked to your account: from now on you can sign in with it, too. \(back)"
        case (.reauthenticate, let user?): return "You are still \(user), and \(provider) has confirmed it. \(back)"
        case (.reauthenticate, nil): return "\(provider) has confirmed that you are still the same person. \(back)"
        }
    }

    func deniedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "You are not signed in"
        case .link: "Nothing was linked"
        case .reauthenticate: "Nothing was confirmed"
        }
    }

    func providerLabel(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "Signed in with"
        case .link: "Linked"
        case .reauthenticate: "Confirmed by"
        }
    }

    var linkedToLabel: String { "Linked to" }
    var ownersWaysLabel: String { "Signs in with" }
    var passwordName: String { "a password" }

    func accountExists(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "This address has an account already",
            explanation: """
                The address of your account at \(situation.provider) belongs to a user who signs in another way. Nobody was signed in, \
                and nothing was changed.
                """,
            advice: """
                Is that you? Go back to \(program(situation.program)), sign in as you did before, and link \(situation.provider) there.
                """)
    }

    func credentialInUse(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "This account belongs to another user",
            explanation: """
                Your account at \(situation.provider) is linked to another user here already, so it was not linked a second time. Nothing \
                was changed.
                """,
            advice: """
                Go back to \(program(situation.program)): there you can sign in with \(situation.provider) and become that user, or link \
                another account.
                """)
    }

    func emailInUse(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "This address is another user’s",
            explanation: """
                The address of your account at \(situation.provider) belongs to another user here, so the account was not linked. Nothing \
                was changed.
                """,
            advice: "Sign in as that user in \(program(situation.program)), and link \(situation.provider) there.")
    }

    func providerAlreadyLinked(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "One is linked already",
            explanation: """
                You have an account of \(situation.provider) linked already, and there is room for one. Nothing was changed.
                """,
            advice: "To link this one in its place, unlink the other one first, in your program or with <code>postern unlink</code>.")
    }

    func noCurrentUser(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "Nobody is signed in",
            explanation: """
                \(situation.provider) has confirmed who you are, but here nobody is signed in. Nothing was changed.
                """,
            advice: "Sign in first, then start again in \(program(situation.program)).")
    }

    func secondFactorRequired(_ situation: PageSituation) -> NoticeText {
        NoticeText(
            heading: "One more step",
            explanation: "\(situation.provider) has confirmed who you are. Your account asks for a code as well.",
            advice: "Go back to \(program(situation.program)) and give the code there.")
    }
}
