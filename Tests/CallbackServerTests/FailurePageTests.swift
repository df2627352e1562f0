import Foundation
import Testing

@testable import CallbackServer
@testable import PosternCore

/// What the browser shows after each failure, word for word in each language.
@Suite("Pages of failures")
struct FailurePageTests {
    private static let outcomes: [(String, SignInOutcome)] =
        [
            ("denied", .provider(.denied(error: "access_denied", description: "No"))),
            ("denied by the server", .provider(.denied(error: "server_error", description: "Oops"))),
            ("exchangeFailed", .provider(.exchangeFailed(error: "invalid_grant", description: "Used", message: "m"))),
            ("foreignAnswer", .provider(.foreignAnswer(message: "m"))), ("unreachable", .provider(.unreachable(message: "m"))),
            ("invalidIDToken", .provider(.invalidIDToken(reason: "r"))),
            ("providerNotConfigured", .provider(.providerNotConfigured(message: "m"))),
            ("scopeRejected", .provider(.scopeRejected(message: "m"))),
            ("requestRejected", .provider(.requestRejected(error: "unauthorized_client", description: "D", message: "m"))),
            ("storeUnavailable", .provider(.storeUnavailable(message: "m"))), ("storeLocked", .provider(.storeLocked(message: "m"))),
            ("internal", .provider(.internal(message: "m"))), ("timedOut", .timedOut), ("cancelled", .cancelled),
            ("ownerEnded, signed out", .ownerEnded(isSignedOut: true)), ("ownerEnded", .ownerEnded(isSignedOut: false)),
            ("otherAccount", .otherAccount(asked: "ada", signedIn: "grace")),
            ("notGranted", .notGranted(missing: ["admin"])),
        ].map { (name: String, failure: SignInFailure) in (name, .failed(failure)) }
        + [
            ("noCurrentUser", .noCurrentUser), ("providerAlreadyLinked", .providerAlreadyLinked(providerID: "github.com", account: "octo")),
            ("credentialAlreadyInUse", .credentialAlreadyInUse(email: nil)), ("emailAlreadyInUse", .emailAlreadyInUse(email: "a@b")),
            ("accountExists", .accountExists(email: "a@b", providerIDs: ["google.com", "password"])), ("userMismatch", .userMismatch),
            ("secondFactorRequired", .secondFactorRequired(uid: "u", hints: [])), ("requiresRecentSignIn", .requiresRecentSignIn),
            ("personNotShown", .personNotShown), ("personUnknown", .personUnknown), ("linkNotProved", .linkNotProved(providerID: "github.com")),
            ("personNotSeen", .personNotSeen(providerID: "github.com")),
            ("accountNotConfirmed", .accountNotConfirmed(login: "l", account: "a", subject: "s")),
            ("noSuchProvider", .noSuchProvider(providerID: "p")), ("lastProvider", .lastProvider(providerID: "p")),
            ("userNotFound", .userNotFound), ("tooManyAnonymousUsers", .tooManyAnonymousUsers(limit: 1)),
            ("firebase unreachable", .firebase(FirebaseRefusal(.networkError))), ("firebase", .firebase(FirebaseRefusal(.userDisabled))),
        ].map { (name: String, refusal: AccountRefusal) in (name, .refused(refusal, .sample(.ada))) }

    @Test("Every failure has the page that the table shows")
    func table() throws {
        let lines = Self.outcomes.flatMap { name, outcome in
            PageLanguage.allCases.flatMap { language in
                // Only what was declined is called by what the user wanted.
                (name == "denied" ? [Intent.signIn, .link, .reauthenticate] : [.signIn]).map { intent in
                    let state = ResultPageState(
                        .sample(
                            outcome, intent: intent, wasDeclined: name == "denied",
                            displayNames: ["github.com": "GitHub", "google.com": "Google"]))
                    let html = Page.result(state, strings: language.strings).html.text
                    let body = html[(html.range(of: "<body>")?.upperBound ?? html.startIndex)...].replacing("\n", with: "")
                    return "\(name), \(language.rawValue), \(intent): \(body)"
                }
            }
        }
        let path = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/Failures/pages.txt"
        let expected = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        for (line, wanted) in zip(lines, expected) where line != wanted { Issue.record("\(line)\n\(wanted)") }
        #expect(lines.count == expected.count)
    }
}
