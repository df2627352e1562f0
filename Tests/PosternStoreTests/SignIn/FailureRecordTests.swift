import Foundation
import StrictJSON
import Testing

@testable import PosternCore
@testable import PosternStore

/// How each failure is written in the store, byte for byte: an older store must stay readable.
@Suite("Failures in the store")
struct FailureRecordTests {
    private static let failures: [SignInFailure] = [
        .provider(.denied(error: "access_denied", description: "no")), .provider(.denied(error: "access_denied", description: nil)),
        .provider(.exchangeFailed(error: "invalid_grant", description: "old", message: "m")),
        .provider(.exchangeFailed(error: nil, description: nil, message: "m")), .provider(.foreignAnswer(message: "m")),
        .provider(.unreachable(message: "m")), .provider(.invalidIDToken(reason: "nonce")), .provider(.providerNotConfigured(message: "m")),
        .provider(.scopeRejected(message: "m")), .provider(.requestRejected(error: "e", description: "d", message: "m")),
        .provider(.requestRejected(error: "e", description: nil, message: "m")), .provider(.storeUnavailable(message: "m")),
        .provider(.storeLocked(message: "m")), .provider(.internal(message: "m")), .timedOut, .cancelled, .ownerEnded(isSignedOut: true),
        .ownerEnded(isSignedOut: false), .otherAccount(asked: "ada@example.com", signedIn: "grace@example.com"),
        .notGranted(missing: ["admin"]),
    ]

    private static let refusals: [AccountRefusal] = [
        .noCurrentUser, .providerAlreadyLinked(providerID: "work", account: "ada"), .providerAlreadyLinked(providerID: "work"),
        .credentialAlreadyInUse(email: "a@b.example"), .credentialAlreadyInUse(email: nil), .emailAlreadyInUse(email: "a@b.example"),
        .accountExists(email: "a@b.example", providerIDs: ["one", "two"]), .userMismatch,
        .secondFactorRequired(
            uid: "u", hints: [SecondFactor(kind: .phone, uid: "f", phoneNumber: "+819012345678", enrolledAt: Samples.now)]),
        .requiresRecentSignIn, .personNotShown, .personUnknown, .linkNotProved(providerID: "work"), .linkNotProved(providerID: "work", isOfNobody: true),
        .personNotSeen(providerID: "work"), .personNotSeen(providerID: "work", .oldIDToken),
        .accountNotConfirmed(login: "ada", account: "Ada", subject: "1"), .noSuchProvider(providerID: "work"),
        .lastProvider(providerID: "work"), .userNotFound, .tooManyAnonymousUsers(limit: 3),
        .firebase(FirebaseRefusal(.tooManyRequests, word: "W", detail: "d", retryAfterSeconds: 3)),
        .firebase(FirebaseRefusal(.networkError)),
    ]

    private static func lines(_ records: [JSONObject]) -> [String] { records.map { String(decoding: $0.serialized, as: UTF8.self) } }

    @Test("Every failure is written as the table says")
    func table() throws {
        let lines = Self.lines(Self.failures.map(\.record) + Self.refusals.map(\.record))
        let path = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/Failures/records.txt"
        let expected = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        for (line, wanted) in zip(lines, expected) where line != wanted { Issue.record("\(line)\n\(wanted)") }
        #expect(lines.count == expected.count)
    }

    @Test("Every failure is read as it was written")
    func reading() throws {
        for failure in Self.failures { #expect(try SignInFailure(record: failure.record) == failure) }
        for refusal in Self.refusals { #expect(try AccountRefusal(record: refusal.record) == refusal) }
    }

    @Test(
        "What lacks a member, or is unknown, is damaged",
        arguments: [
            #"{"kind":"new"}"#, #"{"kind":"denied"}"#, #"{"kind":"unreachable"}"#, #"{"kind":"invalidIDToken","message":"m"}"#,
            #"{"kind":"exchangeFailed","error":"e"}"#, #"{"kind":"requestRejected","message":"m"}"#, #"{"kind":"ownerEnded"}"#,
            #"{"kind":"otherAccount","asked":"ada"}"#, #"{"kind":"notGranted"}"#, #"{"error":"e"}"#,
        ])
    func damaged(text: String) throws {
        let object = try #require(try JSON(parsing: Array(text.utf8)).objectValue)
        #expect(throws: JSONMemberError.self) { try SignInFailure(record: object) }
    }
}
