import StrictJSON
import Testing

@testable import PosternCore

@Suite("The errors of a Firebase project")
struct FirebaseErrorTests {
    @Test("the numbers are all of Firebase's, and no others")
    func numbers() {
        let ranges: [ClosedRange<Int>] = [
            17000...17000, 17002...17002, 17004...17012, 17014...17017, 17020...17021, 17023...17026, 17028...17034, 17036...17048,
            17051...17063, 17066...17067, 17071...17073, 17075...17076, 17078...17078, 17081...17090, 17093...17094, 17105...17105,
            17200...17211, 17214...17214, 17995...17995, 17999...17999, 18000...18000,
        ]
        #expect(FirebaseErrorCode.allCases.map(\.rawValue) == ranges.flatMap { Array($0) })
        #expect(FirebaseErrorCode.allCases.count == 91)
    }

    @Test(
        "a server's word has its number, with a detail behind it and without",
        arguments: [
            ("USER_NOT_FOUND", 17011), ("EMAIL_NOT_FOUND", 17011), ("INVALID_IDENTIFIER", 17008), ("INVALID_EMAIL", 17008),
            ("INVALID_ID_TOKEN", 17017), ("TOKEN_EXPIRED", 17021), ("CREDENTIAL_TOO_OLD_LOGIN_AGAIN", 17014), ("EMAIL_EXISTS", 17007),
            ("OPERATION_NOT_ALLOWED", 17006), ("PASSWORD_LOGIN_DISABLED", 17006), ("USER_DISABLED", 17005), ("INVALID_PASSWORD", 17009),
            ("INVALID_IDP_RESPONSE", 17004), ("INVALID_PENDING_TOKEN", 17004), ("INVALID_LOGIN_CREDENTIALS", 17004),
            ("CREDENTIAL_MISMATCH", 17002), ("INVALID_CUSTOM_TOKEN", 17000), ("FEDERATED_USER_ID_ALREADY_LINKED", 17025),
            ("WEAK_PASSWORD", 17026), ("TOO_MANY_ATTEMPTS_TRY_LATER", 17010), ("EXPIRED_OOB_CODE", 17029), ("INVALID_OOB_CODE", 17030),
            ("MISSING_MFA_PENDING_CREDENTIAL", 17081), ("MISSING_MFA_ENROLLMENT_ID", 17082), ("INVALID_MFA_PENDING_CREDENTIAL", 17083),
            ("MFA_ENROLLMENT_NOT_FOUND", 17084), ("ADMIN_ONLY_OPERATION", 17085), ("UNVERIFIED_EMAIL", 17086),
            ("SECOND_FACTOR_EXISTS", 17087), ("SECOND_FACTOR_LIMIT_EXCEEDED", 17088), ("UNSUPPORTED_FIRST_FACTOR", 17089),
            ("EMAIL_CHANGE_NEEDS_VERIFICATION", 17090), ("INVALID_PROVIDER_ID", 17071), ("MISSING_OR_INVALID_NONCE", 17094),
            ("TENANT_ID_MISMATCH", 17072), ("UNSUPPORTED_TENANT_OPERATION", 17073), ("INVALID_CODE", 17044),
            ("INVALID_SESSION_INFO", 17046), ("SESSION_EXPIRED", 17051), ("QUOTA_EXCEEDED", 17052),
            ("BLOCKING_FUNCTION_ERROR_RESPONSE", 17105), ("PASSWORD_DOES_NOT_MEET_REQUIREMENTS", 17211), ("PROJECT_DISABLED", 17999),
            ("", 17999), ("a sentence", 17999),
        ])
    func words(word: String, number: Int) {
        #expect(FirebaseRefusal(serverMessage: word).code.rawValue == number)
        let detailed = FirebaseRefusal(serverMessage: "\(word) : why \u{1B}[31mit\n is so")
        #expect(detailed.code.rawValue == number)
        guard number != 17999 else { return }
        #expect(detailed.word == word)
        #expect(detailed.detail == "why [31mit is so")
    }

    private func refusal(_ status: Int, _ body: String, retryAfter: String? = nil) -> FirebaseRefusal? {
        FirebaseRefusal(
            ProviderResponse(status: status, headers: retryAfter.map { [("Retry-After", $0)] } ?? [], body: Array(body.utf8)), now: now)
    }

    @Test("an answer is a refusal, a passing failure, or neither")
    func answers() throws {
        #expect(refusal(200, "{}") == nil)
        #expect(refusal(429, "", retryAfter: "7")?.retryAfterSeconds == 7)
        for status in [408, 429, 500, 503] { #expect(refusal(status, "{}")?.code == .networkError) }
        #expect(refusal(400, #"{"error":{"message":"EMAIL_EXISTS"}}"#)?.code == .emailAlreadyInUse)
        #expect(refusal(400, #"{"error":{"message":"Bad","errors":[{"reason":"keyInvalid"}]}}"#)?.code == .invalidAPIKey)
        #expect(refusal(400, #"{"error":{"message":"Bad","details":[7,{"reason":"API_KEY_INVALID"}]}}"#)?.code == .invalidAPIKey)
        #expect(refusal(403, #"{"error":{"message":"Bad","errors":[{"reason":"ipRefererBlocked"}]}}"#)?.code == .appNotAuthorized)
        for body in ["", "x", "[]", "{}", #"{"error":7}"#, #"{"error":{"message":[]}}"#, #"{"error":null}"#] {
            #expect(refusal(400, body)?.code == .internalError)
        }
        #expect(refusal(302, "")?.code == .internalError)
    }

    @Test("what ends a sign-in is what says that its tokens are worth nothing")
    func endings() {
        let ending = FirebaseErrorCode.allCases.filter { FirebaseRefusal($0).endsSession }
        #expect(ending == [.userDisabled, .userNotFound, .invalidUserToken, .userTokenExpired])
    }
}
