import PosternCore

/// Texts about the accounts: linking, reauthentication, and refusals by the rules.
extension EnglishStrings {
    func completedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "You are signed in"
        case .link: "Your account is linked"
        case .reauthenticate: "Your identity is confirmed"
        }
    }

    func completedExplanation(_ situation: PageSituation) -> HTML {
        let provider = situation.provider
        let back: HTML = "You can go back to \(situation.program.map { "\($0)" } ?? "the program you were using" as HTML)."
        switch (situation.purpose, situation.user) {
        case (.signIn, _): return "\(provider) has confirmed who you are. \(back)"
        case (.link, _): return "\(provider) is linked to your account. From now on you can sign in with it, too. \(back)"
        case (.reauthenticate, let user?): return "\(provider) has confirmed that you are \(user). \(back)"
        case (.reauthenticate, nil): return "\(provider) has confirmed your identity. \(back)"
        }
    }

    func deniedHeading(_ purpose: ResultSummary.Purpose) -> String {
        switch purpose {
        case .signIn: "You are not signed in"
        case .link: "Your account was not linked"
        case .reauthenticate: "Your identity was not confirmed"
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
    var alreadyLinkedLabel: String { "Already linked" }
    var passwordName: String { "password" }

    func linksHeading(_ count: Int) -> String { count == 1 ? "Is this account yours?" : "Are these accounts yours?" }
    func linksExplanation(areLost: Bool) -> String {
        areLost
            ? """
            What a program linked before you had ever signed in was removed. Keep only what is yours: whoever owns a linked account \
            can sign in as you.
            """
            : """
            A program linked this when you had not just signed in. Keep only what is yours: whoever owns a linked account can sign \
            in as you.
            """
    }
    func linkedAt(_ moment: String) -> String { "linked \(moment)" }
    func linkButton(_ answer: LinkReview.Answer) -> String {
        switch answer {
        case .keep: "Keep"
        case .remove: "Remove"
        }
    }
    func linkAnswer(_ status: LinkReview.Status, isLost: Bool) -> String {
        switch status {
        case .open: ""
        case .answered(.keep): "Kept"
        case .answered(.remove): "Removed"
        case .notSaved: "Your answer could not be saved. Try again."
        case .over where isLost: "Nothing was changed. If the account is yours, link it again in your program."
        case .over: "Nothing was changed. You will be asked again when you sign in."
        }
    }

    func failure(_ page: AccountRefusal.Page, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, self.program(situation.program))
        return switch page {
        case .otherAccount:
            NoticeText(
                heading: "This is a different account",
                explanation: "You signed in at \(provider) with a different account than expected. Nothing was saved.",
                advice: """
                    Switch accounts at \(provider), or use another browser or profile, then try again in \(program).
                    """)
        case .accountExists:
            NoticeText(
                heading: "This email address already has an account",
                explanation: """
                    The email address of your \(provider) account belongs to a user who signs in another way. Nobody was signed in, \
                    and nothing was changed.
                    """,
                advice: """
                    Is that you? Go back to \(program), sign in as usual, and link \(provider) there.
                    """)
        case .credentialInUse:
            NoticeText(
                heading: "This account belongs to another user",
                explanation: """
                    Your \(provider) account is already linked to another user, so it was not linked again. Nothing was changed.
                    """,
                advice: """
                    Go back to \(program): sign in with \(provider) as that user, or link another account.
                    """)
        case .emailInUse:
            NoticeText(
                heading: "This email address belongs to another user",
                explanation: """
                    The email address of your \(provider) account belongs to another user, so the account was not linked. Nothing \
                    was changed.
                    """,
                advice: "Sign in as that user in \(program), and link \(provider) there.")
        case .providerAlreadyLinked:
            NoticeText(
                heading: "An account is already linked",
                explanation: """
                    You already linked a \(provider) account; only one is possible. Nothing was changed.
                    """,
                advice: "To use this one instead, unlink the other first, in your program or with <code>postern unlink</code>.")
        case .noCurrentUser:
            NoticeText(
                heading: "Nobody is signed in",
                explanation: """
                    \(provider) has confirmed who you are, but nobody is signed in to Postern. Nothing was changed.
                    """,
                advice: "Sign in first, then try again in \(program).")
        case .secondFactorRequired:
            NoticeText(
                heading: "One more step",
                explanation: "\(provider) has confirmed who you are. Your account also needs a verification code.",
                advice: "Go back to \(program) and enter the code there.")
        case .linkNotProved:
            NoticeText(
                heading: "This account cannot confirm you yet",
                explanation: """
                    Your \(provider) account was linked without a recent sign-in, so it cannot confirm your identity. Nothing was changed.
                    """,
                advice: """
                    Sign in another way in \(program), and say on the page that follows that this account is yours.
                    """)
        case .personNotSeen:
            NoticeText(
                heading: "You were not asked",
                explanation: """
                    \(provider) answered without asking you to sign in again, so this does not confirm your identity. Nothing was changed.
                    """,
                advice: "Sign out at \(provider), then try again in \(program), or confirm your identity in another way there.")
        case .accountNotConfirmed:
            NoticeText(
                heading: "Is this the right account?",
                explanation: """
                    \(provider) does not say whether this is the account that was asked for. Nothing has been saved yet.
                    """,
                advice: "Go back to \(program) and answer the question there.")
        }
    }
}
