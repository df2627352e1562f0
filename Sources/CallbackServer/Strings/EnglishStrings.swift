import PosternCore

struct EnglishStrings: PageStrings {
    let language = PageLanguage.english

    let providerFallback = "(unnamed provider)"
    let accountLabel = "Account"
    let askedForLabel = "Expected account"
    let programLabel = "For"
    let mayCloseTab = "You can close this tab."
    func notYou(provider: OutsideText) -> HTML {
        "Not you? Remove access in your account settings at \(provider)."
    }
    let finishingHeading = "Finishing your sign-in"
    func finishingExplanation(provider: OutsideText) -> HTML {
        "\(provider) is taking a little longer to answer. This page updates by itself."
    }
    func providerSays(provider: OutsideText) -> HTML { "\(provider) says:" }

    func failure(_ page: ProviderFailure.Page, _ situation: PageSituation) -> NoticeText {
        let (provider, program) = (situation.provider, self.program(situation.program))
        return switch page {
        case .denied:
            NoticeText(
                heading: deniedHeading(situation.purpose),
                explanation: "Access was not granted. If you declined, there is nothing more to do.",
                advice: "If you change your mind, try again in \(program).")
        case .exchangeFailed:
            NoticeText(
                heading: "The sign-in could not be completed",
                explanation: "Postern did not get access from \(provider).",
                advice: """
                    Try again in \(program). If it happens again, check the settings with \
                    <code>postern doctor</code>.
                    """)
        case .foreignAnswer:
            NoticeText(
                heading: "The sign-in could not be completed",
                explanation:
                    "Postern stopped this sign-in: the answer did not come from the provider that was asked. Nothing was sent.",
                advice:
                    "Start again in \(program). If it happens again, somebody or something may be tampering with your sign-ins."
            )
        case .unreachable:
            NoticeText(
                heading: "The provider could not be reached",
                explanation: "The answer arrived, but then the connection to \(provider) failed. Nothing was refused.",
                advice: "Check your network connection, and try again in a moment.")
        case .invalidIDToken:
            NoticeText(
                heading: "The answer could not be trusted",
                explanation: "What \(provider) says about who you are could not be verified, so nobody was signed in.",
                advice: "Check that this computer’s clock is right, then try again in \(program).")
        case .notConfigured:
            NoticeText(
                heading: "This provider is not set up",
                explanation: "Postern lacks a setting that it needs to sign you in with \(provider).",
                advice: "Run <code>postern doctor</code> to see what is missing.")
        case .scopeRejected:
            NoticeText(
                heading: "A scope was not accepted",
                explanation: "Postern asked for a scope that \(provider) does not accept.",
                advice: """
                    Check the scopes that \(program) asks for, or change the configured ones: \
                    <code>\(self.scopesCommand(situation))</code>
                    """)
        case .storeProblem:
            NoticeText(
                heading: "The sign-in could not be saved",
                explanation: "\(provider) has confirmed who you are, but the result could not be saved on this computer.",
                advice: "Check that the disk is not full, then try again. <code>postern doctor</code> helps to find the cause.")
        case .internal:
            NoticeText(
                heading: "Something went wrong here",
                explanation: "Postern had an internal error. You did nothing wrong.",
                advice: "Try again in \(program). If it happens again, look at <code>journalctl --user -u postern</code>.")
        }
    }

    func failure(_ page: SignInFailure.Ending.Page, _ situation: PageSituation) -> NoticeText {
        let program = self.program(situation.program)
        return switch page {
        case .timedOut:
            NoticeText(
                heading: "The sign-in timed out",
                explanation: "It was not finished in time.",
                advice: "Try again in \(program), and finish within a few minutes.")
        case .cancelled:
            NoticeText(
                heading: "The sign-in was cancelled",
                explanation: "The program cancelled it.",
                advice: "To continue, try again in \(program).")
        }
    }

    func program(_ program: OutsideText?) -> HTML { program.map { "\($0)" } ?? "the program you were using" }

    let fragmentHeading = "One moment"
    let fragmentExplanation = "Your sign-in is being completed."
    let fragmentNeedsScriptHeading = "JavaScript is required"
    let fragmentNeedsScript = """
        This provider’s answer can only be read by a script. Allow JavaScript for this page and reload it, \
        or copy the whole address from the address bar and paste it into the program you were using.
        """
    let fragmentEmptyHeading = "No answer arrived"
    let fragmentEmptyExplanation = """
        This page receives sign-ins, but there was no answer in the address. Try again in the program you were using.
        """

    func notice(_ notice: Notice) -> NoticeText {
        switch notice {
        case .notRecognised:
            NoticeText(
                heading: "This sign-in has expired or was already used",
                explanation: "No waiting sign-in matches this answer.",
                advice: "Try again in the program you were using. If you did not start a sign-in, close this tab: nothing was changed.")
        case .storeLocked:
            NoticeText(
                heading: "Postern is locked",
                explanation: "Its store is locked, so the provider’s answer has not been used yet.",
                advice: "Unlock it with <code>postern unlock</code>, then load this page again. Nothing was changed.")
        case .storeUnusable:
            NoticeText(
                heading: "Postern cannot open its store",
                explanation: "The provider’s answer has not been used yet.",
                advice: "Run <code>postern doctor</code> to see what is wrong, then load this page again. Nothing was changed.")
        case .configurationInvalid:
            NoticeText(
                heading: "Postern’s configuration is not valid",
                explanation: "Nobody can sign in until it is fixed. The provider’s answer has not been used.",
                advice: "Fix it, run <code>postern reload</code>, then load this page again.")
        case .malformed:
            NoticeText(
                heading: "Invalid request",
                explanation: "This is not the answer to a sign-in.",
                advice: "Try again in the program you were using.")
        case .resultUnknown:
            NoticeText(
                heading: "This result is no longer available",
                explanation: "Postern no longer has a record of this sign-in.",
                advice: "Check the program you were using. If it still asks you to sign in, try again there.")
        case .signedOut:
            NoticeText(
                heading: "You are signed out",
                explanation: "The provider has ended your session in this browser, and Postern has forgotten its credential.",
                advice: "You can close this tab.")
        case .linkUsed:
            NoticeText(
                heading: "This link works only once",
                explanation: "It has expired or was already used.",
                advice: "If you wanted to sign out, check on the provider’s own page whether you are still signed in.")
        case .noResultAsked:
            NoticeText(
                heading: "Nothing to show",
                explanation: "The result of a sign-in is shown on this page.",
                advice: "Start a sign-in from a program, or with <code>postern sign-in</code>.")
        case .notFound:
            NoticeText(
                heading: "Page not found",
                explanation: "This address belongs to Postern, which receives sign-ins on this computer.",
                advice: "Start a sign-in from a program, or with <code>postern sign-in</code>.")
        case .wrongMethod:
            NoticeText(
                heading: "Unsupported request",
                explanation: "This page cannot be opened this way.",
                advice: "Try again in the program you were using.")
        case .wrongHost:
            NoticeText(
                heading: "Wrong address",
                explanation: "Postern does not answer under the name that your browser asked for.",
                advice: "If you were signing in, check the callback URL registered at the provider. Otherwise, close this tab.")
        case .notEncrypted:
            NoticeText(
                heading: "Use https for this address",
                explanation: "Postern accepts sign-ins over an encrypted connection only, and your browser used a plain one.",
                advice: """
                    Replace <code>http</code> with <code>https</code> in the address bar. If the provider sent you here, register the \
                    address that <code>postern provider show</code> names.
                    """)
        case .notNavigated:
            NoticeText(
                heading: "Refused",
                explanation: "A sign-in is accepted only from a page that you opened yourself.",
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
                advice: "Try again in the program you were using.")
        case .failed:
            NoticeText(
                heading: "Something went wrong here",
                explanation: "Postern had an internal error. You did nothing wrong.",
                advice: "Reload this page. If it happens again, look at <code>journalctl --user -u postern</code>.")
        }
    }
}
