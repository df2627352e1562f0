import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Advice after a refusal by the account rules")
struct AccountAdviceTests {
    private static let credential = Credential(handle: "secret-handle", providerID: "github.com", signInMethod: "github.com", scopes: [])
    private static let hint = SecondFactor(factorID: .totp, uid: "f1", enrolledAt: "2026-11-21T06:24:00Z")

    @Test(
        "is given as commands to type",
        arguments: [
            (
                InterfaceError.accountExistsWithDifferentCredential(
                    message: "m", email: "ada@example.com", providerIDs: ["google.com", "password"], credential: credential),
                Intent.signIn, ["postern sign-in --app default google.com or: postern sign-in --app default --email ada@example.com", "postern link github.com"]
            ),
            (.credentialAlreadyInUse(message: "m", email: nil, credential: credential), .link, ["postern sign-in --app default github.com"]),
            (.emailAlreadyInUse(message: "m", email: "ada@example.com"), .link, ["ada@example.com", "postern link github.com"]),
            (.emailAlreadyInUse(message: "m", email: "ada@example.com"), .signIn, ["postern sign-in --app default --email ada@example.com"]),
            (.providerAlreadyLinked(message: "m", providerID: "github.com"), .link, ["postern unlink github.com"]),
            (.noCurrentUser(message: "m", app: "default"), .link, ["postern sign-in --app default PROVIDER"]),
            (.noSuchProvider(message: "m", providerID: "x"), .signIn, ["postern whoami"]),
            (.userMismatch(message: "m"), .reauthenticate, ["postern whoami"]),
            (.requiresRecentSignIn(message: "m"), .signIn, ["postern reauthenticate PROVIDER"]),
        ] as [(InterfaceError, Intent, [String])])
    func commands(refusal: InterfaceError, intent: Intent, words: [String]) throws {
        let failure = AccountAdvice(providerID: "github.com", intent: intent, app: "default").failure(refusal)
        #expect(failure.sentence == "m")
        let advice = try #require(failure.advice)
        for word in words { #expect(advice.contains(word)) }
        #expect(!advice.contains("secret"))
    }

    @Test("names the app where it is not the default one, and the providers that the user has")
    func app() {
        let advice = AccountAdvice(app: "mail", usersProviderIDs: ["google.com", "password"])
        #expect(
            advice.failure(.requiresRecentSignIn(message: "m")).advice
                == "sign in again with: postern reauthenticate google.com --app mail or: postern reauthenticate password --app mail; "
                + "then ask again")
    }

    @Test("names the app of a sign-in, unless an account is to be kept, which concerns none")
    func signIn() {
        #expect(AccountAdvice(intent: .keep, app: "default").signIn("work --device") == "postern sign-in work --device")
        #expect(AccountAdvice(intent: .signIn, app: "default").signIn("work") == "postern sign-in --app default work")
        #expect(CommandFailure.nobody(in: "mail").advice == "sign in with: postern sign-in --app mail PROVIDER")
    }

    @Test("can be typed as it stands, whatever the app and the address are called")
    func quoted() {
        let advice = AccountAdvice(app: "my app")
        #expect(advice.failure(.noCurrentUser(message: "m", app: "my app")).advice == "sign in with: postern sign-in --app 'my app' PROVIDER")
        let taken = advice.failure(.emailAlreadyInUse(message: "m", email: "o'neill&co@example.com")).advice
        #expect(taken?.hasSuffix("postern sign-in --app 'my app' --email 'o'\\''neill&co@example.com'") == true)
    }

    @Test("is empty if the message is enough, and cannot control the terminal")
    func plain() {
        #expect(AccountAdvice(app: "default").failure(.weakPassword(message: "m", reason: "r")).advice == nil)
        let advised = AccountAdvice(providerID: "github.com", intent: .signIn, app: "default")
        #expect(advised.failure(.secondFactorRequired(message: "m", resolver: "secret-resolver", hints: [Self.hint])).advice == nil)
        // Whoever signed in as somebody else than they meant learns nothing from who is signed in here.
        #expect(advised.failure(.userMismatch(message: "m")).advice == nil)
        let advice = AccountAdvice(app: "a\u{1B}[2J").failure(.noCurrentUser(message: "m", app: "a")).advice
        #expect(advice?.contains("\u{1B}") == false)
    }

    @Test(
        "an answer is yes, no, or neither",
        arguments: [("", true, true), ("", false, false), ("Y", false, true), ("no", true, false), ("perhaps", true, nil)]
            as [(String, Bool, Bool?)])
    func yesNo(answer: String, byDefault: Bool, expected: Bool?) {
        #expect(YesNo.read(answer, byDefault: byDefault) == expected)
    }

    @Test("the secret of a program for codes is shown in fours, with a code to read or without")
    func enrollment() {
        let terminal = Terminal(standardErrorIsTerminal: true, standardOutputIsTerminal: true, variable: { _ in nil })
        var reply = Interface.EnrollSecondFactor.Reply(
            enrollmentID: "e", secret: "JBSWY3DPEHPK3PXPJB", provisioningURI: "otpauth://totp/x?secret=JBSWY3DPEHPK3PXPJB")
        let lines = EnrollmentText.lines(for: reply, number: nil, on: terminal)
        #expect(lines.contains("  JBSW Y3DP EHPK 3PXP JB") && lines.contains { $0.contains("█") })
        reply.provisioningURI = Secret(String(repeating: "x", count: 5000))
        #expect(EnrollmentText.lines(for: reply, number: nil, on: terminal).contains("  JBSW Y3DP EHPK 3PXP JB"))
        reply.secret = nil
        #expect(EnrollmentText.lines(for: reply, number: "+39\u{1B}", on: terminal) == ["A code was sent to +39\u{FFFD}."])
    }
}
