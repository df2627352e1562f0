import StrictJSON
import Testing

@testable import PosternCore

@Suite("What a Firebase project answers")
struct FirebaseAnswerTests {
    private static func answer(_ text: String) throws -> FirebaseAnswer {
        try FirebaseAnswer(ProviderResponse(status: 200, body: Array(text.utf8)), now: now)
    }

    private static func token(_ claims: String) -> String {
        [#"{"alg":"none","typ":"JWT"}"#, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".") + "."
    }

    private static let good = token(
        #"{"sub":"u","aud":"p","exp":1800003600,"auth_time":1799999000,"firebase":{"sign_in_provider":"google.com","identities":{}}}"#)

    @Test("tokens are read with what they say of the user", arguments: [#""3600""#, "3600", "3600.5"])
    func tokens(lifetime: String) throws {
        let answer = try Self.answer(#"{"idToken":"\#(Self.good)","refreshToken":"r","expiresIn":\#(lifetime),"localId":"u"}"#)
        guard case .signedIn(let signedIn) = try FirebaseSignIn(answer, now: now) else { Issue.record("nobody signed in"); return }
        let tokens = signedIn.tokens
        #expect(tokens.uid == "u" && tokens.audience == "p" && tokens.signInProvider == "google.com" && tokens.secondFactor == nil)
        #expect(tokens.expiresAt == now.adding(seconds: 3600))
        #expect(tokens.authenticatedAt == Timestamp(seconds: 1_799_999_000))
        #expect(tokens.isGood(now: now.adding(seconds: 3300)) && !tokens.isGood(now: now.adding(seconds: 3301)))
    }

    @Test("the earlier of two ends counts, and none named is an hour")
    func ends() throws {
        func end(_ lifetime: Int64?, exp: String) throws -> Timestamp {
            try FirebaseTokens(
                idToken: Secret(Self.token(#"{"sub":"u","aud":"p"\#(exp)}"#)), refreshToken: Secret("r"), lifetime: lifetime, now: now
            ).expiresAt
        }
        #expect(try end(60, exp: #","exp":1800003600"#) == now.adding(seconds: 60))
        #expect(try end(7200, exp: #","exp":1800003600"#) == now.adding(seconds: 3600))
        #expect(try end(nil, exp: "") == now.adding(seconds: 3600))
        #expect(try end(.max, exp: "") == now.adding(seconds: 86_400))
        #expect(try end(-5, exp: "") == now)
    }

    @Test(
        "an answer that makes no sense signs nobody in",
        arguments: [
            "[]", "7", "hello", "", "{}", #"{"idToken":7}"#, #"{"idToken":"x","refreshToken":"r"}"#,
            #"{"idToken":"\#(good)"}"#, #"{"idToken":"\#(good)","refreshToken":""}"#, #"{"idToken":"\#(good)","refreshToken":"a b"}"#,
            #"{"idToken":"\#(good)","refreshToken":"r","expiresIn":"soon"}"#,
            #"{"idToken":"\#(good)","refreshToken":"r","expiresIn":[]}"#,
            #"{"idToken":"\#(good)","refreshToken":"r","localId":"somebody"}"#,
            #"{"idToken":"\#(good)","refreshToken":"r","isNewUser":1}"#,
            #"{"idToken":"\#(token(#"{"aud":"p"}"#))","refreshToken":"r"}"#,
            #"{"idToken":"\#(token(#"{"sub":"u"}"#))","refreshToken":"r"}"#,
            #"{"idToken":"\#(token(#"{"sub":7,"aud":"p"}"#))","refreshToken":"r"}"#,
            #"{"idToken":"\#(token(#"{"sub":"u","aud":["p"]}"#))","refreshToken":"r"}"#,
            #"{"needConfirmation":"yes"}"#, #"{"needConfirmation":true,"verifiedProvider":"google.com"}"#, #"{"errorMessage":7}"#,
            #"{"mfaPendingCredential":"p","mfaInfo":7}"#, #"{"mfaPendingCredential":"p","mfaInfo":[{"phoneInfo":"+1"}]}"#,
        ])
    func nonsense(text: String) {
        #expect(throws: FirebaseRefusal.self) { try FirebaseSignIn(try Self.answer(text), now: now) }
    }

    @Test("what stands between a credential and its user is told apart")
    func others() throws {
        guard
            case .confirmationNeeded(let email, let providers, let oauth) = try FirebaseSignIn(
                try Self.answer(
                    #"{"needConfirmation":true,"email":"A@x.example","verifiedProvider":["facebook.com"],"#
                        + #""oauthAccessToken":"t","oauthExpireIn":60}"#),
                now: now)
        else { Issue.record("no confirmation"); return }
        #expect(email == "A@x.example" && providers == ["facebook.com"])
        #expect(oauth.accessToken == Secret("t") && oauth.expiresAt == now.adding(seconds: 60) && oauth.idToken == nil)
        guard
            case .alreadyLinked(nil, let back) = try FirebaseSignIn(
                try Self.answer(#"{"errorMessage":"FEDERATED_USER_ID_ALREADY_LINKED","oauthIdToken":"i","pendingToken":"p"}"#), now: now)
        else { Issue.record("not linked already"); return }
        #expect(back.idToken == Secret("i") && back.pendingToken == Secret("p"))
        #expect(throws: FirebaseRefusal(.emailAlreadyInUse, word: "EMAIL_EXISTS")) {
            try FirebaseSignIn(try Self.answer(#"{"errorMessage":"EMAIL_EXISTS","email":"a@x.example"}"#), now: now)
        }
        guard
            case .secondFactor(let pending) = try FirebaseSignIn(
                try Self.answer(
                    #"{"mfaPendingCredential":"p","mfaInfo":[{"mfaEnrollmentId":"1","phoneInfo":"+*******1234","#
                        + #""enrolledAt":"2027-01-15T08:00:00.5Z"},{"mfaEnrollmentId":"2","totpInfo":{}},"#
                        + #"{"mfaEnrollmentId":"3","newInfo":{}}]}"#
                ), now: now)
        else { Issue.record("no second factor"); return }
        #expect(pending.hints.map(\.kind) == [.phone, .totp])
        #expect(pending.hints.first?.enrolledAt == now)
    }

    @Test("a user is read with its providers, its password and its second factors")
    func user() throws {
        let user = try User(
            lookup: try Self.answer(
                #"""
                {"users":[{"localId":"u","email":"Ada@X.example","emailVerified":true,"displayName":"Ada\u0007",
                "photoUrl":"javascript:x",
                "createdAt":"1700000000000","lastLoginAt":"1800000000000","passwordHash":"x",
                "mfaInfo":[{"mfaEnrollmentId":"1","totpInfo":{}}],
                "providerUserInfo":[{"providerId":"password","rawId":"ada@x.example"},
                {"providerId":"google.com","rawId":"S","federatedId":"S","email":"ada@gmail.com","screenName":"ada"},{"rawId":"nobody"}]}]}
                """#), now: now)
        #expect(user.uid == "u" && user.email == "ada@x.example" && user.emailVerified && !user.isAnonymous && user.hasPassword)
        #expect(user.displayName == "Ada" && user.photoURL == nil)
        #expect(user.identities == [Identity(providerID: "google.com", subject: "S", email: "ada@gmail.com", username: "ada")])
        #expect(user.secondFactors.map(\.kind) == [.totp])
        #expect(user.createdAt == Timestamp(seconds: 1_700_000_000) && user.lastSignInAt == now)
        #expect(try User(lookup: try Self.answer(#"{"users":[{"localId":"u"}]}"#), now: now).isAnonymous)
        #expect(throws: FirebaseRefusal.self) { try User(lookup: try Self.answer(#"{"users":[{}]}"#), now: now) }
        #expect(throws: FirebaseRefusal(.userNotFound, word: "USER_NOT_FOUND")) { try User(lookup: try Self.answer("{}"), now: now) }
        let two = try Self.answer(#"{"users":[{"localId":"a"},{"localId":"b"}]}"#)
        #expect(throws: FirebaseRefusal.self) { try User(lookup: two, now: now) }
    }

    @Test("an authenticator's address names all that it needs")
    func enrollment() throws {
        let started = try FirebaseEnrollment(
            .totp,
            try Self.answer(
                #"{"totpSessionInfo":{"sharedSecretKey":"ABC","sessionInfo":"s","verificationCodeLength":8,"#
                    + #""hashingAlgorithm":"SHA256","periodSec":60}}"#))
        #expect(
            started.provisioningURI(issuer: "my project", account: "a@x.example")?.reveal()
                == "otpauth://totp/my%20project:a%40x.example?secret=ABC&issuer=my%20project&algorithm=SHA256&digits=8&period=60")
        #expect(throws: FirebaseRefusal.self) { try FirebaseEnrollment(.totp, try Self.answer("{}")) }
        let phone = try FirebaseEnrollment(.phone, try Self.answer(#"{"phoneSessionInfo":{"sessionInfo":"s"}}"#))
        #expect(phone.provisioningURI(issuer: "p", account: "a") == nil)
    }
}
