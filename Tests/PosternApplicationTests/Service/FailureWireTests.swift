import Foundation
import PosternInterface
import StrictJSON
import Testing

@testable import PosternApplication
@testable import PosternCore

/// Which error of the interface each failure becomes, word for word: programs and scripts depend on it.
@Suite("Failures on the wire")
struct FailureWireTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static let request = SignInRequest(providerID: "work", intent: .signIn, app: "mail", scopes: [])
    private static let session = SignInSession(
        id: "session", request: request, binding: binding, requester: "git", startedAt: now, redirectURI: "http://127.0.0.1/",
        pageID: "page")
    private static let binding = ProviderBinding(clientID: "client", authority: "https://a:443", tokenOrigin: "https://t:443")
    private static let provider = Provider(
        id: "work", displayName: "Work", kind: .oidc, dialect: StandardDialect(), issuer: nil,
        profileMapping: ProfileMapping(uid: "sub", displayName: "name", email: "email", photo: "picture", username: "username"))
    private static let factors = [SecondFactor(kind: .phone, uid: "f", phoneNumber: "+819012345678", enrolledAt: now)]

    private static func credential(_ subject: String, _ name: String?) -> StoredCredential {
        StoredCredential(
            providerID: "work", subject: subject, displayName: name, binding: binding,
            grant: Grant(accessToken: Secret("t"), tokenType: "Bearer", scopes: [], obtainedAt: now), generation: 0)
    }

    private static let ada = credential("1", "Ada")

    private static let providerFailures: [(String, ProviderFailure)] = [
        ("denied", .denied(error: "access_denied", description: "No")),
        ("denied without words", .denied(error: "access_denied", description: nil)),
        ("denied by the server", .denied(error: "server_error", description: "Oops")),
        ("denied for another reason", .denied(error: "login_required", description: nil)),
        ("exchangeFailed", .exchangeFailed(error: "invalid_grant", description: "Used", message: "m")),
        ("exchangeFailed without an error", .exchangeFailed(error: nil, description: nil, message: "m")),
        ("foreignAnswer", .foreignAnswer(message: "m")), ("unreachable", .unreachable(message: "m")),
        ("invalidIDToken", .invalidIDToken(reason: "the nonce is wrong")), ("providerNotConfigured", .providerNotConfigured(message: "m")),
        ("scopeRejected", .scopeRejected(message: "m")),
        ("requestRejected", .requestRejected(error: "unauthorized_client", description: "D", message: "m")),
        ("storeUnavailable", .storeUnavailable(message: "m")), ("storeLocked", .storeLocked(message: "m")),
        ("internal", .internal(message: "m")),
    ]

    private static var ofProviders: [(String, InterfaceError)] {
        providerFailures.flatMap { name, failure in
            var pausing = failure
            pausing.pauseSeconds = 30
            pausing.followsLostAnswer = true
            return [
                ("at a provider: \(name)", InterfaceError(failure, providerID: "work", providerName: "Work")),
                ("of a renewal: \(name)", InterfaceError(failure, providerID: "work", providerName: "Work", isOfRenewal: true)),
                (
                    "of a renewal that must wait: \(name)",
                    InterfaceError(pausing, providerID: "work", providerName: "Work", isOfRenewal: true)
                ),
            ]
        } + [
            ("no provider", InterfaceError(ProviderUnavailable.unknown("x", known: []))),
            ("no provider or account", InterfaceError(ProviderUnavailable.unknown("x", known: ["work"]), accounts: ["ada"])),
            ("unusable provider", InterfaceError(ProviderUnavailable.unusable(provider, problem: "p"))),
        ]
    }

    private static let signInFailures: [(String, SignInFailure)] = [
        ("provider", .provider(.unreachable(message: "m"))), ("timedOut", .timedOut), ("cancelled", .cancelled),
        ("ownerEnded, signed out", .ownerEnded(isSignedOut: true)), ("ownerEnded", .ownerEnded(isSignedOut: false)),
        ("otherAccount", .otherAccount(asked: "ada", signedIn: "bob")),
        ("otherAccount of the same name", .otherAccount(asked: "ada", signedIn: "ada")),
        ("notGranted", .notGranted(missing: ["a", "b"])),
    ]

    private static let sessionFailures: [(String, SessionFailure)] = [
        ("unknown", .unknown), ("ended", .ended), ("ending", .ending), ("delivered", .delivered), ("tooMany", .tooMany(limit: 8)),
        ("locked", .locked(sessionID: "s")), ("locked for good", .locked(sessionID: nil)),
        ("store", .store(StoreError(.full, file: "f", reason: "r"))),
    ]

    private static let tokenFailures: [(String, TokenFailure)] = [
        ("provider", .provider(.unknown("x", known: ["work"]))), ("nobodySignedIn", .nobodySignedIn),
        ("unknownAccount", .unknownAccount(subject: "9")), ("ambiguousAccount", .ambiguousAccount([ada, credential("2", nil)])),
        ("noSuchAccount", .noSuchAccount("eve", among: [ada])), ("providerChanged", .providerChanged),
        ("signInRequired", .signInRequired(.noRefreshToken(expiresAt: nil))), ("scopeNotGranted", .scopeNotGranted(missing: ["a", "b"])),
        ("noIDToken", .noIDToken), ("noTokensForResources", .noTokensForResources),
        ("otherResource", .otherResource("https://other.example/", server: "https://mcp.example/mcp")), ("boundToKey", .boundToKey),
        ("notRenewed", .notRenewed(.unreachable(message: "m"))), ("tooMany", .tooMany(.requests(seconds: 7))),
        ("tooMany valid", .tooMany(.validTokens(seconds: 7))), ("tooMany valid for ever", .tooMany(.validTokens(seconds: nil))),
        ("notSaved", .notSaved(StoreError(.full, file: "f", reason: "r"))), ("takenBack", .takenBack),
        ("storeClosed", .storeClosed(StoreError(.sealedOff, file: "the store", reason: "is locked"))), ("ending", .ending),
    ]

    private static let importFailures: [(String, ImportFailure)] =
        [
            ("provider", .provider(.unknown("x", known: ["work"]))), ("unsupported", .unsupported("r")), ("busy", .busy),
            ("tooMany", .tooMany(retryAfterSeconds: 9)), ("exists", .exists(ada)), ("nameTaken", .nameTaken("me", by: ada)),
            ("tokenKnown", .tokenKnown(ada)), ("sentBefore", .sentBefore), ("refused", .refused("r")),
            ("refusedBefore", .refusedBefore("r")),
            ("unanswered", .unanswered(.unreachable(message: "m"))), ("nobodyKnown", .nobodyKnown(.providerNotConfigured(message: "m"))),
            ("notIdentified", .notIdentified(.providerNotConfigured(message: "m"))),
            ("otherAccount", .otherAccount(asked: "ada", found: "bob")),
            ("notConfirmed", .notConfirmed(login: "ada", found: "bob", subject: "2")),
            ("store", .store(StoreError(.full, file: "f", reason: "r"))),
            ("heldBack", .heldBack(.nobodyKnown(.exchangeFailed(error: nil, description: nil, message: "m")))),
            ("heldBack for another account", .heldBack(.otherAccount(asked: "ada", found: "bob"))),
        ]
        + providerFailures.flatMap { name, failure in
            [("signIn: \(name)", .signIn(failure)), ("heldBack, signIn: \(name)", .heldBack(.signIn(failure)))]
        }

    private static let refusals: [(String, AccountRefusal)] = [
        ("noCurrentUser", .noCurrentUser), ("providerAlreadyLinked", .providerAlreadyLinked(providerID: "work", account: "ada")),
        ("providerAlreadyLinked without an account", .providerAlreadyLinked(providerID: "work")),
        ("credentialAlreadyInUse", .credentialAlreadyInUse(email: "a@b.example")),
        ("emailAlreadyInUse", .emailAlreadyInUse(email: "a@b.example")),
        ("accountExists", .accountExists(email: "a@b.example", providerIDs: ["one", "two"])), ("userMismatch", .userMismatch),
        ("secondFactorRequired", .secondFactorRequired(uid: "u", hints: factors)), ("requiresRecentSignIn", .requiresRecentSignIn),
        ("personNotShown", .personNotShown), ("personUnknown", .personUnknown), ("linkNotProved", .linkNotProved(providerID: "work")),
        ("linkNotProved of nobody", .linkNotProved(providerID: "work", isOfNobody: true)),
        ("personNotSeen", .personNotSeen(providerID: "work")), ("personNotSeen, long ago", .personNotSeen(providerID: "work", .longAgo)),
        ("personNotSeen, an old ID token", .personNotSeen(providerID: "work", .oldIDToken)),
        ("accountNotConfirmed", .accountNotConfirmed(login: "ada", account: "Ada", subject: "1")),
        ("accountNotConfirmed by its number", .accountNotConfirmed(login: "ada", account: "1", subject: "1")),
        ("noSuchProvider", .noSuchProvider(providerID: "work")), ("lastProvider", .lastProvider(providerID: "work")),
        ("userNotFound", .userNotFound), ("tooManyAnonymousUsers", .tooManyAnonymousUsers(limit: 3)),
        ("firebase", .firebase(FirebaseRefusal(.networkError))),
    ]

    private static var ofRefusals: [(String, InterfaceError)] {
        refusals.flatMap { name, refusal in
            var context = InterfaceError.RefusalContext(app: "mail", providerName: "Work")
            let bare = InterfaceError(refusal, context)
            context.credential = Interface.Credential(
                handle: Secret("h"), providerID: "work", signInMethod: "work", scopes: [])
            context.resolver = Secret("r")
            return [
                ("refusal: \(name)", InterfaceError(refusal, context)), ("refusal without a credential: \(name)", bare),
                (
                    "refused in an account: \(name)",
                    InterfaceError(.refused(refusal, app: "other"), app: "mail", providerName: { "<\($0)>" })
                ),
                (
                    "in the journal: \(name)",
                    .internalError(message: refusal.words(app: "mail", providerName: "Work", namesAddress: false))
                ),
            ]
        }
    }

    private static let secondFactorRefusals: [(String, SecondFactorRefusal)] = [
        ("anonymousUser", .anonymousUser), ("unprovedAddress", .unprovedAddress("a@b.example")), ("no address", .unprovedAddress(nil)),
        ("alreadyEnrolled totp", .alreadyEnrolled(.totp)), ("alreadyEnrolled phone", .alreadyEnrolled(.phone)),
        ("limitReached", .limitReached(5)), ("noSuchFactor", .noSuchFactor), ("notATelephone", .notATelephone), ("noResolver", .noResolver),
        ("noEnrolment", .noEnrolment), ("telephonesOutOfReach", .telephonesOutOfReach(problem: "p")),
        ("telephones not configured", .telephonesOutOfReach(problem: nil)), ("messageNotSent", .messageNotSent(problem: "p")),
        ("invalidPhoneNumber", .invalidPhoneNumber), ("userDeleted", .userDeleted), ("accountChanged", .accountChanged),
        ("wrongCode", .wrongCode(triesLeft: 2)), ("wrongCode, one left", .wrongCode(triesLeft: 1)), ("codeNotSent", .codeNotSent),
        ("codeExpired", .codeExpired), ("noTriesLeft", .noTriesLeft(seconds: 0)), ("tooManyWrongCodes", .tooManyWrongCodes(seconds: 60)),
        ("tooManyMessages", .tooManyMessages(seconds: 600)),
    ]

    private static let accountFailures: [(String, AccountFailure)] =
        [
            ("tokenSpent", .tokenSpent), ("tooManyTokens", .tooManyTokens(retryAfterSeconds: 5)), ("audienceRefused", .audienceRefused),
            ("store", .store(StoreError(.full, file: "f", reason: "r"))),
            ("passwordDerivation", .passwordDerivation(PasswordDerivationFailure("p"))),
            ("internal", .internal(message: "m")),
            ("secondFactorNeeded", .secondFactorNeeded(SecondFactorDemand(uid: "u", hints: factors, intent: .signIn, app: "mail"))),
            ("invalidEmail", .password(.invalidEmail)), ("addressMissing", .password(.addressMissing)),
            ("weakPassword", .password(.weakPassword(.tooShort))), ("wrongPassword", .password(.wrongPassword)),
            ("one second", .password(.tooManyAttempts(retryAfterSeconds: 1))),
            ("seconds", .password(.tooManyAttempts(retryAfterSeconds: 2))),
            ("firebase with words", .firebase(FirebaseRefusal(.weakPassword, word: "WEAK_PASSWORD", detail: "6 characters"))),
            ("firebase with a time", .firebase(FirebaseRefusal(.tooManyRequests, retryAfterSeconds: 5))),
        ] + secondFactorRefusals.map { ("second factor: \($0)", .secondFactor($1)) }
        + FirebaseErrorCode.allCases.map { ("firebase: \($0)", .firebase(FirebaseRefusal($0))) }

    private static let unlockFailures: [(String, UnlockFailure)] =
        [("tooManyGuesses", .tooManyGuesses(retryAfterSeconds: 5))]
        + StoreError.Kind.allCases.map { ("\($0)", .store(StoreError($0, file: "f", reason: "r"))) }

    private static var all: [(String, InterfaceError)] {
        ofProviders
            + signInFailures.map { ("sign-in: \($0)", InterfaceError($1, session: session, providerName: "Work")) }
            + sessionFailures.map { ("session: \($0)", InterfaceError($1)) }
            + tokenFailures.map { ("token: \($0)", InterfaceError($1, providerID: "work", name: "Work", accounts: ["me"])) }
            + importFailures.map { ("import: \($0)", InterfaceError($1, providerID: "work", name: "Work")) } + ofRefusals
            + accountFailures.map {
                ("account: \($0)", InterfaceError($1, app: "mail", resolver: Secret("r"), providerName: { "<\($0)>" }))
            }
            + unlockFailures.map { ("unlock: \($0)", InterfaceError($1)) }
    }

    @Test("Every failure becomes the error of the interface that the table names")
    func table() throws {
        let lines = Self.all.map { name, error in
            "\(name): \(error.name) \(String(decoding: error.object.serialized, as: UTF8.self))"
        }
        let path = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Failures/wire.txt"
        let expected = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        for (line, wanted) in zip(lines, expected) where line != wanted { Issue.record("\(line)\n\(wanted)") }
        #expect(lines.count == expected.count)
    }
}
