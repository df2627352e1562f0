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

    // Which page each refusal and failure has is in the table of `FailurePageTests`.

    @Test("a refusal shows the account that signed in, and how the owner of the address signs in, by ID where a provider has no name")
    func refused() {
        let refusal = AccountRefusal.accountExists(email: "a@b", providerIDs: ["google.com", "password", "new.example"])
        var expected = Self.summary
        (expected.displayName, expected.email) = (ExpectedAccount.name(of: .ada), "ada@example.com")
        expected.ownersWays = [.provider(name: "Google"), .password, .provider(name: "new.example")]
        let result = SignInResult.sample(.refused(refusal, .sample(.ada)), displayNames: ["github.com": "GitHub", "google.com": "Google"])
        #expect(ResultPageState(result) == .failed(expected, .refused(.accountExists)))
    }

    @Test(
        "an error of the provider's without a description is called by its code, unless somebody declined",
        arguments: [("access_denied", .provider(.denied), nil), ("server_error", .provider(.exchangeFailed), "server_error")]
            as [(String, FailurePage, String?)])
    func failed(error: String, page: FailurePage, message: String?) {
        var expected = Self.summary
        (expected.providerID, expected.providerMessage) = ("github.com", message)
        let outcome = SignInOutcome.failed(.provider(.denied(error: error, description: nil)))
        #expect(ResultPageState(.sample(outcome, wasDeclined: error == "access_denied")) == .failed(expected, page))
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
