import StrictJSON
import Testing

@testable import PosternCore

@Suite("What a Firebase project is asked")
struct FirebaseRequestTests {
    private let project = FirebaseProject(apiKey: Secret("key"))

    private func completed(
        _ providerID: String = "google.com", access: String = "", secret: String? = nil, idToken: String? = nil, nonce: String? = nil,
        name: String? = nil
    ) -> CompletedSignIn {
        CompletedSignIn(
            grant: Grant(
                accessToken: Secret(access), tokenType: "Bearer", idToken: idToken.map { Secret($0) }, scopes: [], obtainedAt: now,
                tokenSecret: secret.map { Secret($0) }),
            profile: ProviderProfile(identity: Identity(providerID: providerID, subject: "1", displayName: name), document: [:]),
            proof: Proof(.page, seenAt: now), rawNonce: nonce.map { Secret($0) }, user: nil, isNewUser: false)
    }

    private func body(_ request: ProviderRequest) throws -> JSONObject {
        try #require(try JSON(parsing: request.body).objectValue)
    }

    @Test("values with signs of a query arrive as they are")
    func postBody() {
        #expect(
            FirebasePostBody(completed(access: "a&b+c%d=e f/ü", idToken: "x.y.z", nonce: "n&1")).text
                == "id_token=x.y.z&nonce=n%261&access_token=a%26b%2Bc%25d%3De%20f%2F%C3%BC&providerId=google.com")
        #expect(
            FirebasePostBody(completed("twitter.com", access: "t", secret: "s&")).text
                == "access_token=t&oauth_token_secret=s%26&providerId=twitter.com")
        // A nonce without a token proves nothing.
        #expect(FirebasePostBody(completed("github.com", access: "t", nonce: "n")).text == "access_token=t&providerId=github.com")
    }

    @Test(
        "Apple's name goes along in Apple's form",
        arguments: [
            ("Ada", #"{"name":{"firstName":"Ada"}}"#), ("Ada King Lovelace", #"{"name":{"firstName":"Ada","lastName":"King Lovelace"}}"#),
            ("A\"b", #"{"name":{"firstName":"A\"b"}}"#),
        ])
    func appleName(name: String, document: String) {
        let text = FirebasePostBody(completed("apple.com", idToken: "x", name: name)).text
        #expect(text == "id_token=x&providerId=apple.com&user=\(PercentEncoding.encode(document))")
        #expect(!FirebasePostBody(completed("google.com", idToken: "x", name: name)).text.contains("user="))
    }

    @Test("signing in, linking and proving differ in two members")
    func signInWithIdp() throws {
        let requests = FirebaseRequest(to: project)
        let signIn = requests.signIn(with: completed(access: "t"))
        #expect(signIn.url == "https://identitytoolkit.googleapis.com/v1/accounts:signInWithIdp")
        let members = try body(signIn)
        #expect(members["requestUri"] == "http://localhost")
        #expect(members["returnSecureToken"] == true && members["returnIdpCredential"] == true && members["autoCreate"] == true)
        #expect(members["idToken"] == nil && members["pendingToken"] == nil)
        #expect(try body(requests.signIn(with: completed(), linkedTo: Secret("i")))["idToken"] == "i")
        #expect(try body(requests.signIn(with: completed(), createsUser: false))["autoCreate"] == false)
        var pending = completed()
        pending.pendingToken = Secret("p")
        #expect(try body(requests.signIn(with: pending))["pendingToken"] == "p")
    }

    @Test("an update says what goes and what comes")
    func update() throws {
        var update = FirebaseUpdate()
        update.displayName = "Ada"
        update.photoURL = ""
        update.deletedProviders = ["google.com"]
        let members = try body(FirebaseRequest(to: project).update(Secret("i"), update))
        #expect(
            members == [
                "displayName": "Ada", "deleteAttribute": ["PHOTO_URL"], "deleteProvider": ["google.com"], "idToken": "i",
                "returnSecureToken": true,
            ])
    }

    @Test("the key is in a header of every call, and in no address")
    func key() {
        let emulator = FirebaseProject(apiKey: Secret("key"), emulator: "http://127.0.0.1:9099")
        let requests = [project, emulator].flatMap { project in
            let make = FirebaseRequest(to: project)
            return [
                make.signIn(with: completed()), make.signInAnonymously(), make.signUp(email: "a@b.c", password: Secret("p")),
                make.signIn(email: "a@b.c", password: Secret("p")), make.refresh(Secret("r&")), make.lookUp(Secret("i")),
                make.update(Secret("i"), FirebaseUpdate()), make.delete(Secret("i")), make.providers(ofEmail: "a@b.c"),
                make.startEnrollment(Secret("i"), phoneNumber: nil),
                make.finishEnrollment(Secret("i"), .totp, session: Secret("s"), code: "1", displayName: nil),
                make.withdraw(Secret("i"), factor: "f"), make.startSecondFactor(Secret("p"), factor: "f"),
                make.finishSecondFactor(Secret("p"), factor: "f", session: nil, code: "1"),
            ]
        }
        for request in requests {
            #expect(request.method == "POST")
            #expect(request.headers.contains { $0 == ("x-goog-api-key", "key") })
            #expect(!request.url.contains("key"))
        }
        let addresses = Set(requests.map(\.url))
        #expect(addresses.contains("http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1/accounts:signUp"))
        #expect(addresses.contains("http://127.0.0.1:9099/securetoken.googleapis.com/v1/token"))
        #expect(addresses.contains("https://securetoken.googleapis.com/v1/token"))
        #expect(addresses.contains("https://identitytoolkit.googleapis.com/v2/accounts/mfaSignIn:finalize"))
        #expect(requests.contains { $0.body == Array("grant_type=refresh_token&refresh_token=r%26".utf8) })
    }
}
