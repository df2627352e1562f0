import Testing

@testable import CallbackServer
@testable import PosternCore

@Suite("What a result page shows of a sign-in")
struct ResultPageStateTests {
    private static let summary: ResultSummary = {
        var summary = ResultSummary(providerName: "GitHub", programName: "my-app")
        summary.otherPrograms = ["git"]
        return summary
    }()

    @Test("a page of no sign-in is unknown, and one without an outcome is waited for")
    func noOutcome() {
        #expect(ResultPageState(nil) == .unknown)
        #expect(ResultPageState(.sample(nil)) == .finishing(providerName: "GitHub"))
        #expect(ResultPageState(.sample(nil, displayNames: [:])) == .finishing(providerName: "github.com"))
    }

    @Test(
        "an account is called by its name, then by its user name, then by its number",
        arguments: [
            (Identity.ada, "Ada", "ada@example.com"), (Identity(providerID: "github.com", subject: "7", username: "ada"), "ada", nil),
            (Identity(providerID: "github.com", subject: "7"), "7", nil),
        ] as [(Identity, String, String?)])
    func completed(identity: Identity, name: String, email: String?) {
        var expected = Self.summary
        (expected.displayName, expected.email) = (name, email)
        #expect(ResultPageState(.sample(.completed(.sample(identity)))) == .completed(expected))
    }

    @Test(
        "the purpose and the user are those of the request",
        arguments: [
            (Intent.signIn, ResultSummary.Purpose.signIn), (.credential, .signIn), (.link, .link), (.reauthenticate, .reauthenticate),
        ])
    func purposes(intent: Intent, purpose: ResultSummary.Purpose) {
        let at = Timestamp(seconds: 1_800_000_000)
        var expected = Self.summary
        (expected.displayName, expected.email, expected.purpose) = ("Ada", "ada@example.com", purpose)
        let names: [(user: User?, shown: String?)] = [
            (nil, nil), (User(uid: "u", email: "home@example.com", createdAt: at, lastSignInAt: at), "home@example.com"),
            (User(uid: "u", displayName: "Lovelace", email: "home@example.com", createdAt: at, lastSignInAt: at), "Lovelace"),
        ]
        for (user, shown) in names {
            expected.userName = shown
            #expect(ResultPageState(.sample(.completed(.sample(.ada, user: user)), intent: intent)) == .completed(expected))
        }
    }

    private static let refusals: [(AccountRefusal, FailurePage)] = [
        (.noCurrentUser, .refused(.noCurrentUser)), (.providerAlreadyLinked(providerID: "github.com", account: "octo"), .refused(.providerAlreadyLinked)),
        (.credentialAlreadyInUse(email: nil), .refused(.credentialInUse)), (.emailAlreadyInUse(email: "a@b"), .refused(.emailInUse)),
        (.accountExists(email: "a@b", providerIDs: ["google.com", "password", "new.example"]), .refused(.accountExists)),
        (.userMismatch, .refused(.otherAccount)), (.secondFactorRequired(uid: "u", hints: []), .refused(.secondFactorRequired)),
        (.requiresRecentSignIn, .provider(.internal)), (.personNotShown, .provider(.internal)), (.personUnknown, .provider(.internal)),
        (.linkNotProved(providerID: "github.com"), .refused(.linkNotProved)),
        (.accountNotConfirmed(login: "l", account: "a", subject: "s"), .refused(.accountNotConfirmed)),
        (.noSuchProvider(providerID: "p"), .provider(.internal)), (.lastProvider(providerID: "p"), .provider(.internal)), (.userNotFound, .provider(.internal)),
        (.tooManyAnonymousUsers(limit: 1), .provider(.internal)), (.firebase(FirebaseRefusal(.networkError)), .provider(.unreachable)),
        (.firebase(FirebaseRefusal(.tooManyRequests)), .provider(.internal)),
    ]

    @Test("each refusal has its page, with the account that signed in", arguments: refusals)
    func refused(refusal: AccountRefusal, page: FailurePage) {
        var expected = Self.summary
        (expected.displayName, expected.email) = (ExpectedAccount.name(of: .ada), "ada@example.com")
        switch page {
        case .refused(.providerAlreadyLinked): expected.linkedAccount = "octo"
        case .refused(.accountExists): expected.ownersWays = [.provider(name: "Google"), .password, .provider(name: "new.example")]
        default: break
        }
        let result = SignInResult.sample(
            .refused(refusal, .sample(.ada)), displayNames: ["github.com": "GitHub", "google.com": "Google"])
        #expect(ResultPageState(result) == .failed(expected, page))
    }

    private static let failures: [(SignInFailure, FailurePage, message: String?)] = [
        (.provider(.denied(error: "access_denied", description: "No")), .provider(.denied), "No"), (.provider(.denied(error: "access_denied", description: nil)), .provider(.denied), nil),
        (.provider(.denied(error: "server_error", description: "Oops")), .provider(.exchangeFailed), "server_error: Oops"),
        (.provider(.denied(error: "server_error", description: nil)), .provider(.exchangeFailed), "server_error"), (.timedOut, .ended(.timedOut), nil),
        (.cancelled, .ended(.cancelled), nil), (.ownerEnded(isSignedOut: true), .refused(.noCurrentUser), nil),
        (.ownerEnded(isSignedOut: false), .ended(.cancelled), nil),
        (.provider(.exchangeFailed(error: "invalid_grant", description: "Used", message: "m")), .provider(.exchangeFailed), "Used"),
        (.provider(.requestRejected(error: "unauthorized_client", description: "D", message: "m")), .provider(.exchangeFailed), "unauthorized_client: D"),
        (.provider(.foreignAnswer(message: "m")), .provider(.foreignAnswer), nil), (.provider(.unreachable(message: "m")), .provider(.unreachable), nil),
        (.provider(.invalidIDToken(reason: "r")), .provider(.invalidIDToken), nil), (.otherAccount(asked: "ada", signedIn: "grace"), .refused(.otherAccount), nil),
        (.provider(.providerNotConfigured(message: "m")), .provider(.notConfigured), nil), (.provider(.scopeRejected(message: "m")), .provider(.scopeRejected), nil),
        (.provider(.storeUnavailable(message: "m")), .provider(.storeProblem), nil), (.provider(.storeLocked(message: "m")), .provider(.storeProblem), nil),
        (.provider(.internal(message: "m")), .provider(.internal), nil), (.notGranted(missing: ["admin"]), .provider(.scopeRejected), nil),
    ]

    @Test("each failure has its page, and what the provider itself said", arguments: failures)
    func failed(failure: SignInFailure, page: FailurePage, message: String?) {
        var expected = Self.summary
        (expected.providerID, expected.providerMessage) = ("github.com", message)
        if page == .refused(.otherAccount) { (expected.displayName, expected.askedFor) = ("grace", "ada") }
        let wasDeclined = if case .provider(let failure) = failure { failure.error == "access_denied" } else { false }
        #expect(ResultPageState(.sample(.failed(failure), wasDeclined: wasDeclined)) == .failed(expected, page))
    }

    @Test(
        "a callback leads to its result page, or to the reason why it has none",
        arguments: [
            (CallbackDisposition.taken(pageID: "p/1"), 303, "/__/auth/done?page=p%2F1", nil), (.notRecognised, 400, nil, .notRecognised),
            (.storeLocked, 503, nil, .storeLocked), (.storeUnusable, 503, nil, .storeUnusable),
        ] as [(CallbackDisposition, Int, String?, Notice?)])
    func disposition(_ disposition: CallbackDisposition, status: Int, location: String?, notice: Notice?) {
        let response = CallbackRouter.response(to: disposition, strings: EnglishStrings())
        #expect(response.status == status && response.headers.first { $0.name == "Location" }?.value == location)
        #expect(response.body == notice.map { Page.notice($0, status: status, strings: EnglishStrings()).response().body } ?? [])
    }
}
