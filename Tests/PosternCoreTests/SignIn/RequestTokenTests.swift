import PosternCrypto
import Testing

@testable import PosternCore

@Suite("Sign-ins that wait by a request token") struct RequestTokenTests {
    private let path = "/__/auth/handler"
    private let token = OAuth1Token(token: Secret("token"), secret: Secret("secret"))

    private func session(_ id: String, stateHashes: [[UInt8]] = [[1]], phase: SignInSession.Phase = .authorizationPending) -> SignInSession {
        SignInSession(
            id: id, question: SignInQuestion(providerID: "twitter.com", intent: .signIn, app: id, scopes: []),
            binding: ProviderBinding(clientID: "key", authority: "https://api.x.com:443"), requester: "tool", phase: phase, startedAt: now,
            expiresAt: now.adding(seconds: 600), stateHashes: stateHashes, codeVerifier: Secret("v"), nonce: nil,
            redirectURI: "http://127.0.0.1:7678/__/auth/handler", pageID: "page-\(id)")
    }

    private func waiting(_ token: OAuth1Token, key: [UInt8] = [7]) -> SignInTable {
        var table = SignInTable()
        table.began(session("a"))
        let received = table.requestTokenReceived(token, key: key, for: "a")
        #expect(received != nil)
        return table
    }

    @Test("The token takes the place of the state, which nobody was told")
    func inPlaceOfState() {
        var table = waiting(token)
        #expect(table["a"]?.stateHashes == [[7]] && table["a"]?.requestTokens == [token])
        let byState = table.callbackArrived(stateHash: [1], path: path, digest: [9], now: now)
        #expect(byState == .notRecognised)
        guard case .take(let taken) = table.callbackArrived(stateHash: [7], path: path, requestToken: Secret("token"), digest: [9], now: now) else {
            Issue.record("the callback must be taken")
            return
        }
        #expect(taken.requestTokens == [token])
        #expect(table["a"]?.requestTokens.isEmpty == true)
    }

    @Test("It is used once; the same callback shows the result again, another one does not")
    func once() {
        var table = waiting(token)
        _ = table.callbackArrived(stateHash: [7], path: path, requestToken: Secret("token"), digest: [9], now: now)
        func again(_ digest: [UInt8]) -> SignInTable.CallbackAction {
            table.callbackArrived(stateHash: [7], path: path, requestToken: Secret("token"), digest: digest, now: now)
        }
        #expect(again([9]) == .repeated(pageID: "page-a") && again([8]) == .notRecognised)
    }

    @Test("With a state, the token beside it must be this sign-in's own", arguments: [nil, "other", ""] as [String?])
    func stateAlone(other: String?) {
        var table = waiting(token, key: [1])
        #expect(
            table.callbackArrived(stateHash: [1], path: path, requestToken: other.map { Secret($0) }, digest: [9], now: now)
                == .notRecognised)
        #expect(table["a"]?.phase == .authorizationPending)
        guard case .take = table.callbackArrived(stateHash: [1], path: path, requestToken: Secret("token"), digest: [9], now: now) else {
            Issue.record("the right callback must still be taken")
            return
        }
    }

    @Test("A page handed out anew has a token of its own, and the first to come back uses up both")
    func several() {
        var table = waiting(token)
        let second = OAuth1Token(token: Secret("second"), secret: Secret("s"))
        let received = table.requestTokenReceived(second, key: [8], for: "a")
        #expect(received?.requestTokens == [token, second])
        guard case .take = table.callbackArrived(stateHash: [7], path: path, requestToken: Secret("token"), digest: [9], now: now) else {
            Issue.record("the first token must be taken")
            return
        }
        #expect(table.callbackArrived(stateHash: [8], path: path, requestToken: Secret("second"), digest: [7], now: now) == .notRecognised)
    }

    @Test("A token that another sign-in waits for is not taken from it")
    func stolen() {
        var table = waiting(token)
        table.began(session("b", stateHashes: [[2]]))
        let stolen = table.requestTokenReceived(token, key: [7], for: "b")
        #expect(stolen == nil)
        #expect(table["b"]?.requestTokens.isEmpty == true)
        guard case .take(let taken) = table.callbackArrived(stateHash: [7], path: path, requestToken: Secret("token"), digest: [9], now: now) else {
            Issue.record("the callback must be taken")
            return
        }
        #expect(taken.id == "a")
    }

    @Test("A token that comes when the sign-in is over is dropped")
    func late() {
        var table = SignInTable()
        table.began(session("a"))
        _ = table.finished("a", outcome: .failed(.cancelled), now: now)
        for id in ["a", "unknown"] {
            let received = table.requestTokenReceived(token, key: [7], for: id)
            #expect(received == nil)
        }
        #expect(table.callbackArrived(stateHash: [7], path: path, requestToken: Secret("token"), digest: [9], now: now) == .notRecognised)
    }

    @Test("A sign-in that ends without a callback keeps no request token")
    func ended() {
        var table = waiting(token)
        _ = table.finished("a", outcome: .failed(.timedOut), now: now)
        #expect(table["a"]?.requestTokens.isEmpty == true)
        #expect(table.callbackArrived(stateHash: [7], path: path, requestToken: Secret("token"), digest: [9], now: now) == .notRecognised)
    }

    // MARK: What a callback is known by

    private func key(_ query: String) throws -> [UInt8]? {
        CallbackKey.hash(of: try CallbackParameters(parsing: query.utf8), cryptography: OpenSSLCryptography())
    }

    @Test("A callback is known by its state, else by its request token, authorised or refused")
    func keys() throws {
        let cryptography = OpenSSLCryptography()
        let ofToken = CallbackKey.hash(ofRequestToken: Secret("T"), cryptography: cryptography)
        #expect(try key("state=S&oauth_token=T") == cryptography.sha256(Array("S".utf8)))
        #expect(try key("oauth_token=T&oauth_verifier=V") == ofToken)
        #expect(try key("denied=T") == ofToken)
        // Neither means anything where both are said.
        #expect(try key("denied=T&oauth_token=T") == nil && key("oauth_verifier=V") == nil && key("oauth_token=") == nil)
    }

    @Test("No state passes for a request token")
    func tagged() throws {
        let ofToken = CallbackKey.hash(ofRequestToken: Secret("T"), cryptography: OpenSSLCryptography())
        #expect(try key("state=oauth_tokenT") != ofToken && key("state=T") != ofToken)
        #expect(throws: CallbackParseError.controlCharacter) { try key("state=oauth_token%00T") }
    }
}
