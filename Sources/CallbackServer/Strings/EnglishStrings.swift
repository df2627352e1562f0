struct EnglishStrings: PageStrings {
    let language = PageLanguage.english

    let providerFallback = "The provider"
    let accountLabel = "Account"
    let askedForLabel = "Asked for"
    let programLabel = "For"
    let mayCloseTab = "You can close this tab."
    func notYou(provider: OutsideText) -> HTML {
        "Not you, or not your doing? Take the access back in your account settings at \(provider)."
    }
    let finishingHeading = "Finishing your sign-in"
    func finishingExplanation(provider: OutsideText) -> HTML {
        "\(provider) is taking a little longer to answer. This page follows up by itself."
    }
    func providerSays(provider: OutsideText) -> HTML { "\(provider) says:" }

    func failure(_ failure: FailurePage, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, situation.program)
        return switch failure {
        case .denied:
            NoticeText(
                heading: deniedHeading(situation.purpose),
                explanation: "\(provider) gave no access. If you said no, all is as you wanted it: nothing was changed.",
                advice: "If you change your mind, start again in \(self.program(program)).")
        case .timedOut:
            NoticeText(
                heading: "The sign-in ran out of time",
                explanation: "It was not finished in time, so it was given up.",
                advice: "Start it again in \(self.program(program)), and finish it within a few minutes.")
        case .cancelled:
            NoticeText(
                heading: "The sign-in was cancelled",
                explanation: "The program that had asked for it gave it up.",
                advice: "If you still want to sign in, start again in \(self.program(program)).")
        case .exchangeFailed:
            NoticeText(
                heading: "The sign-in could not be completed",
                explanation: "\(provider) refused to hand over the access, for a reason of its own.",
                advice: """
                    Start again in \(self.program(program)). If it happens again, check the settings with \
                    <code>postern provider check</code>.
                    """)
        case .unreachable:
            NoticeText(
                heading: "The provider could not be reached",
                explanation: "Your answer arrived here, but then the connection to \(provider) failed. Nothing was refused.",
                advice: "Check your network connection, and start again in a moment.")
        case .invalidIDToken:
            NoticeText(
                heading: "The answer could not be trusted",
                explanation: "The proof of identity that \(provider) sent did not hold, so nobody was signed in.",
                advice: "Check that this computer’s clock is right, then start again in \(self.program(program)).")
        case .otherAccount:
            NoticeText(
                heading: "This is another account",
                explanation: "You signed in at \(provider) with another account than the one that was asked for, so nothing was kept.",
                advice: """
                    Switch the account at \(provider), or use another browser or profile, then start again in \(self.program(program)).
                    """)
        case .accountExists: accountExists(situation)
        case .credentialInUse: credentialInUse(situation)
        case .emailInUse: emailInUse(situation)
        case .providerAlreadyLinked: providerAlreadyLinked(situation)
        case .noCurrentUser: noCurrentUser(situation)
        case .secondFactorRequired: secondFactorRequired(situation)
        case .notConfigured:
            NoticeText(
                heading: "This provider is not set up",
                explanation: "Postern is missing something that it needs to sign you in with \(provider).",
                advice: "Run <code>postern doctor</code>: it says what is missing.")
        case .storeProblem:
            NoticeText(
                heading: "The sign-in could not be saved",
                explanation: "\(provider) let you in, but the result could not be kept on this computer.",
                advice: "Check that the disk is not full, then start again. <code>postern doctor</code> helps to find the cause.")
        case .internal:
            NoticeText(
                heading: "Something went wrong here",
                explanation: "Postern made a mistake. It was nothing you did.",
                advice: "Start again in \(self.program(program)). If it happens again, look at <code>journalctl --user -u postern</code>.")
        }
    }

    func program(_ program: OutsideText?) -> HTML { program.map { "\($0)" } ?? "your program" }

    let fragmentHeading = "One moment"
    let fragmentExplanation = "Your sign-in is being handed over."
    let fragmentNeedsScriptHeading = "Scripts are needed here"
    let fragmentNeedsScript = """
        This provider sends its answer in a way that only a script can read. Allow scripts for this page and reload it, \
        or copy the whole address from the address bar and paste it into the program that asked.
        """
    let fragmentEmptyHeading = "Nothing arrived here"
    let fragmentEmptyExplanation = """
        This address receives sign-ins, and yours brought no answer. Start the sign-in again in your program.
        """

    func notice(_ notice: Notice) -> NoticeText {
        switch notice {
        case .notRecognised:
            NoticeText(
                heading: "This sign-in is not known",
                explanation:
                    "The page you came from does not belong to a sign-in that is waiting here. It may be too old, or used already.",
                advice: "Start the sign-in again in your program. If you did not start one, just close this tab: nothing was changed.")
        case .storeLocked:
            NoticeText(
                heading: "Postern is locked",
                explanation: "Its store cannot be opened just now, so what you bring from the provider was not taken yet.",
                advice: "Unlock it with <code>postern unlock</code>, then load this page again. Nothing was changed.")
        case .storeUnusable:
            NoticeText(
                heading: "Postern cannot open its store",
                explanation: "What you bring from the provider was not taken yet.",
                advice: "Run <code>postern doctor</code> to see what is wrong, then load this page again. Nothing was changed.")
        case .configurationInvalid:
            NoticeText(
                heading: "Postern’s configuration is not valid",
                explanation: "Nobody can sign in until it is corrected. What you bring from a provider was not used.",
                advice: "Correct it, run <code>postern reload</code>, then load this page again.")
        case .malformed:
            NoticeText(
                heading: "This request makes no sense",
                explanation: "What arrived here is not the answer of a sign-in.",
                advice: "Start the sign-in again in your program.")
        case .resultUnknown:
            NoticeText(
                heading: "This result is gone",
                explanation: "The sign-in that this page told about is not known here any more.",
                advice: "Look into your program: if it still asks you to sign in, start again there.")
        case .signedOut:
            NoticeText(
                heading: "You are signed out",
                explanation: "The provider has ended your session in this browser, and Postern has forgotten its credential.",
                advice: "You can close this tab.")
        case .linkUsed:
            NoticeText(
                heading: "This link is good once",
                explanation: "It was used already, or is too old.",
                advice: "If you wanted to sign out, look at the provider’s own page whether you still are signed in there.")
        case .noResultAsked:
            NoticeText(
                heading: "Nothing to show",
                explanation: "This is where the result of a sign-in is shown once there is one.",
                advice: "Sign-ins start in a program, or with <code>postern sign-in</code>.")
        case .notFound:
            NoticeText(
                heading: "There is nothing here",
                explanation: "This address belongs to Postern, which receives sign-ins on this computer.",
                advice: "Sign-ins start in a program, or with <code>postern sign-in</code>.")
        case .wrongMethod:
            NoticeText(
                heading: "This cannot be done here",
                explanation: "The address is right, but it is used in another way.",
                advice: "Start the sign-in again in your program.")
        case .wrongHost:
            NoticeText(
                heading: "Wrong address",
                explanation: "Postern is not known by the name that your browser asked for.",
                advice: "If you came from a sign-in, check the redirect address registered at the provider. Otherwise, close this tab.")
        case .notEncrypted:
            NoticeText(
                heading: "This address begins with https",
                explanation: "Postern takes sign-ins over an encrypted connection here, and your browser came without one.",
                advice: """
                    Put <code>https</code> in place of <code>http</code> in the address bar. If the provider sent you here, register the \
                    address that <code>postern provider show</code> names.
                    """)
        case .notNavigated:
            NoticeText(
                heading: "Refused",
                explanation: "Sign-ins are only taken from a page that a person opens.",
                advice: "If you are signing in, open the link itself in a tab.")
        case .timedOut:
            NoticeText(
                heading: "The request took too long",
                explanation: "It did not arrive in time.",
                advice: "Reload this page.")
        case .tooLarge:
            NoticeText(
                heading: "The request is too large",
                explanation: "No sign-in needs that much.",
                advice: "Start the sign-in again in your program.")
        case .failed:
            NoticeText(
                heading: "Something went wrong here",
                explanation: "Postern made a mistake. It was nothing you did.",
                advice: "Reload this page. If it happens again, look at <code>journalctl --user -u postern</code>.")
        }
    }
}
