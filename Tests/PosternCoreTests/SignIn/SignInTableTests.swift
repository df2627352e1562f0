import PosternCore
import Testing

@Suite("The table of sign-ins")
struct SignInTableTests {
    let start = Timestamp(seconds: 1_800_000_000)

    let binding = ProviderBinding(clientID: "client", authority: "https://as.example")

    func question(app: String = "default", scopes: [String] = ["openid", "email"], hint: String? = nil) -> SignInQuestion {
        SignInQuestion(providerID: "work", intent: .signIn, app: app, scopes: scopes, loginHint: hint)
    }

    func session(_ id: String, _ question: SignInQuestion? = nil, state: UInt8 = 1, at start: Timestamp? = nil) -> SignInSession {
        let start = start ?? self.start
        return SignInSession(
            id: id, question: question ?? self.question(), binding: binding,
            requester: "tool", startedAt: start, expiresAt: start.adding(seconds: 600),
            stateHashes: [[state]], codeVerifier: Secret("verifier"), nonce: nil,
            redirectURI: "http://127.0.0.1:7678/__/auth/handler", pageID: "page-\(id)")
    }

    let path = "/__/auth/handler"

    @Test("an answer that a page elsewhere hands on is taken at the listener, or where that page is")
    func relayed() {
        var session = session("a")
        session.redirectURI = "https://app.example.com/__/auth/other"
        session.relayedTo = "http://127.0.0.1:7678/__/auth/handler/work"
        for place in ["/__/auth/handler/work", "https://app.example.com/__/auth/other"] {
            var table = SignInTable()
            table.began(session)
            for wrong in [
                path, "/__/auth/other", "https://app.example.com/__/auth/other/",
                "https://app.example.com/__/auth/handler/work", "https://APP.example.com/__/auth/other",
            ] {
                #expect(table.callbackArrived(stateHash: [1], path: wrong, digest: [9], now: start) == .notRecognised)
            }
            #expect(table.callbackArrived(stateHash: [1], path: place, digest: [9], now: start) == .take(session))
        }
    }

    @Test("an answer by an application's scheme is taken at exactly that URI, and never at the listener")
    func privateScheme() {
        var session = session("a")
        session.redirectURI = "com.example.app:/__/auth/OK"
        var table = SignInTable()
        table.began(session)
        for wrong in [
            path, "com.example.app:/__/auth/OK/", "com.example.app://__/auth/OK", "com.example.other:/__/auth/OK",
            // The sign of the kelvin, which Unicode calls equivalent to the letter.
            "com.example.app:/__/auth/O\u{212A}",
        ] {
            #expect(table.callbackArrived(stateHash: [1], path: wrong, digest: [9], now: start) == .notRecognised)
        }
        #expect(table.callbackArrived(stateHash: [1], path: session.redirectURI, digest: [9], now: start) == .take(session))
    }

    @Test("a URL that leads elsewhere is not taken for the listener's, though its path is the same")
    func elsewhere() {
        var table = SignInTable()
        table.began(session("a"))
        #expect(table.callbackArrived(stateHash: [1], path: "http://evil.example" + path, digest: [9], now: start) == .notRecognised)
    }

    @Test("the same question joins the sign-in that waits, whatever the order of its scopes")
    func joins() {
        var table = SignInTable()
        table.began(session("a"))
        #expect(table.opening(for: question(scopes: ["email", "openid"]), now: start) == .join(sessionID: "a"))
    }

    @Test("a page of the provider that had the name before is joined by nobody")
    func otherBinding() {
        var table = SignInTable()
        table.began(session("a"))
        var other = binding
        other.clientID = "another"
        #expect(table.opening(for: question(), now: start, isCurrent: { $0 == other }) == .start)
    }

    @Test("another app, hint or scope is another question")
    func otherQuestions() {
        var table = SignInTable()
        table.began(session("a"))
        for other in [question(app: "other"), question(scopes: ["openid"]), question(hint: "ada@example.com")] {
            #expect(table.opening(for: other, now: start) == .start)
        }
    }

    @Test("the page waits for the most patient of those who joined, and each gives up at a time of its own")
    func patience() {
        var table = SignInTable()
        table.began(session("a"))
        table.waiterJoined(WaiterID(1), session: "a", deadline: start.adding(seconds: 600))
        table.waiterJoined(WaiterID(2), session: "a", deadline: start.adding(seconds: 1200))
        #expect(table["a"]?.expiresAt == start.adding(seconds: 1200))
        let expiry = table.expired(now: start.adding(seconds: 700))
        #expect(expiry.timedOut.isEmpty && expiry.impatient.map(\.waiter) == [WaiterID(1)])
    }

    @Test("however many join, a sign-in lives an hour at most, and who attached waits as long as it does")
    func longestLife() {
        var table = SignInTable()
        table.began(session("a"))
        table.waiterJoined(WaiterID(1), session: "a", deadline: nil)
        #expect(table["a"]?.expiresAt == start.adding(seconds: 600))
        table.waiterJoined(WaiterID(2), session: "a", deadline: start.adding(seconds: 3000))
        table.waiterJoined(WaiterID(3), session: "a", deadline: start.adding(seconds: 5000))
        #expect(table["a"]?.expiresAt == start.adding(seconds: 3600))
        let expiry = table.expired(now: start.adding(seconds: 3599))
        #expect(expiry.timedOut.isEmpty && expiry.impatient.map(\.waiter) == [WaiterID(2)])
        #expect(table.expired(now: start.adding(seconds: 3600)).timedOut == ["a"])
    }

    @Test("of finished sign-ins 256 are remembered, and a result that nobody has fetched yet goes last")
    func finishedLimit() {
        var table = SignInTable()
        let identity = Identity(providerID: "work", subject: "1")
        let grant = Grant(accessToken: Secret("token"), tokenType: "bearer", scopes: [], obtainedAt: start)
        let completed = CompletedSignIn(
            grant: grant, profile: ProviderProfile(identity: identity, document: [:]), proof: CredentialProof(.flow, at: start),
            rawNonce: nil, user: nil, isNewUser: false)
        func finish(_ id: String, state: UInt8, _ outcome: SignInOutcome, after seconds: Int64) {
            table.began(session(id, question(app: id), state: state, at: start.adding(seconds: seconds)))
            _ = table.finished(id, outcome: outcome, now: start.adding(seconds: seconds))
        }
        finish("unfetched", state: 1, .completed(completed), after: 0)
        for index in 0..<257 { finish("\(index)", state: 2, .failed(.cancelled), after: Int64(index + 1)) }
        #expect(table.surplus == ["0", "1"])
        for id in table.surplus { table.forgot(id) }
        #expect(table.surplus.isEmpty && table["unfetched"] != nil)
    }

    @Test("a result that was handed out leaves no secret in the table")
    func deliveredHoldsNoSecret() {
        var table = SignInTable()
        table.began(session("a"))
        _ = table.callbackArrived(stateHash: [1], path: path, digest: [9], now: start)
        let grant = Grant(
            accessToken: Secret("token"), tokenType: "bearer", refreshToken: Secret("r"), scopes: [], obtainedAt: start,
            tokenSecret: Secret("s"))
        let identity = Identity(providerID: "work", subject: "1", displayName: "Ada")
        let completed = CompletedSignIn(
            grant: grant, profile: ProviderProfile(identity: identity, document: ["a": 1]), proof: CredentialProof(.flow, at: start),
            rawNonce: nil, user: nil, isNewUser: false)
        _ = table.finished("a", outcome: .completed(completed), now: start)
        table.delivered("a")
        guard case .completed(let kept)? = table["a"]?.outcome else {
            Issue.record("the outcome is gone")
            return
        }
        #expect(kept.grant.accessToken.isEmpty && kept.grant.refreshToken == nil && kept.grant.tokenSecret == nil && kept.profile.identity.displayName == "Ada")
    }

    @Test("nobody joins a sign-in whose time is over")
    func expiredIsNotJoined() {
        var table = SignInTable()
        table.began(session("a"))
        #expect(table.opening(for: question(), now: start.adding(seconds: 600)) == .start)
    }

    @Test("the sixty-fifth sign-in is refused, and there is room again when one has ended")
    func limit() {
        var table = SignInTable()
        for index in 0..<64 { table.began(session("\(index)", question(app: "app\(index)"), state: UInt8(index))) }
        #expect(table.opening(for: question(app: "one more"), now: start) == .tooManySessions(limit: 64))
        #expect(table.opening(for: question(app: "app7"), now: start) == .join(sessionID: "7"))
        _ = table.finished("7", outcome: .failed(.cancelled), now: start)
        #expect(table.opening(for: question(app: "one more"), now: start) == .start)
    }

    @Test("a state is taken once; the same callback again shows the result, another one does not")
    func stateIsUsedOnce() {
        var table = SignInTable()
        table.began(session("a"))
        guard case .take(let taken) = table.callbackArrived(stateHash: [1], path: path, digest: [9], now: start) else {
            Issue.record("the first callback must be taken")
            return
        }
        #expect(taken.id == "a")
        #expect(table["a"]?.phase == .exchanging)
        #expect(table.callbackArrived(stateHash: [1], path: path, digest: [9], now: start) == .repeated(pageID: "page-a"))
        #expect(table.callbackArrived(stateHash: [1], path: path, digest: [8], now: start) == .notRecognised)
    }

    @Test("an unknown state, another path and a late callback change nothing")
    func notRecognised() {
        var table = SignInTable()
        table.began(session("a"))
        #expect(table.callbackArrived(stateHash: [2], path: path, digest: [9], now: start) == .notRecognised)
        #expect(table.callbackArrived(stateHash: [1], path: path + "/work", digest: [9], now: start) == .notRecognised)
        #expect(table.callbackArrived(stateHash: [1], path: path, digest: [9], now: start.adding(seconds: 600)) == .notRecognised)
        #expect(table["a"]?.phase == .authorizationPending)
    }

    @Test("a page handed out anew has another state, and the first to come back uses up both")
    func severalStates() {
        var table = SignInTable()
        table.began(session("a"))
        table.stateAdded([2], to: "a")
        guard case .take = table.callbackArrived(stateHash: [2], path: path, digest: [9], now: start) else {
            Issue.record("the second state must be taken")
            return
        }
        #expect(table.callbackArrived(stateHash: [1], path: path, digest: [7], now: start) == .notRecognised)
    }

    @Test("a cancelled sign-in is not revived by its callback or by a late result")
    func cancelledStaysCancelled() {
        var table = SignInTable()
        table.began(session("a"))
        table.waiterJoined(WaiterID(1), session: "a", deadline: start.adding(seconds: 600))
        #expect(table.finished("a", outcome: .failed(.cancelled), now: start) == [WaiterID(1)])
        #expect(table.callbackArrived(stateHash: [1], path: path, digest: [9], now: start) == .notRecognised)
        #expect(table.finished("a", outcome: .failed(.timedOut), now: start).isEmpty)
        #expect(table["a"]?.outcome == .failed(.cancelled))
    }

    @Test("one waiter who leaves ends nothing for the others")
    func oneLeaves() {
        var table = SignInTable()
        table.began(session("a"))
        table.waiterJoined(WaiterID(1), session: "a", deadline: start.adding(seconds: 600))
        table.waiterJoined(WaiterID(2), session: "a", deadline: start.adding(seconds: 600))
        table.waiterLeft(WaiterID(1), session: "a")
        #expect(table.waiters(of: "a") == [WaiterID(2)])
        #expect(table["a"]?.phase == .authorizationPending)
    }

    @Test("time ends a pending sign-in, an impatient waiter, and the memory of a finished one")
    func expiry() {
        var table = SignInTable()
        table.began(session("a", state: 1))
        table.began(session("b", question(app: "b"), state: 2))
        table.waiterJoined(WaiterID(1), session: "a", deadline: start.adding(seconds: 30))
        table.waiterJoined(WaiterID(2), session: "a", deadline: start.adding(seconds: 600))
        #expect(table.nextDeadline == start.adding(seconds: 30))
        #expect(table.expired(now: start.adding(seconds: 30)).impatient.map(\.waiter) == [WaiterID(1)])
        _ = table.finished("b", outcome: .failed(.cancelled), now: start)
        let end = table.expired(now: start.adding(seconds: 600))
        #expect(end.timedOut == ["a"])
        #expect(end.forgotten == ["b"])
        table.forgot("b")
        #expect(table.session(page: "page-b") == nil)
        #expect(table.callbackArrived(stateHash: [2], path: path, digest: [9], now: start) == .notRecognised)
    }

    @Test("an exchange under way is not cut off by the clock")
    func exchangeOutlivesTheDeadline() {
        var table = SignInTable()
        table.began(session("a"))
        _ = table.callbackArrived(stateHash: [1], path: path, digest: [9], now: start)
        #expect(table.expired(now: start.adding(seconds: 601)).timedOut.isEmpty)
    }
}

@Suite("When a page may be opened")
struct PagePolicyTests {
    let start = Timestamp(seconds: 1_800_000_000)

    @Test("one page per provider in five seconds")
    func onePage() {
        var policy = PagePolicy()
        #expect(policy.pageWanted(providerID: "a", now: start) == .open)
        #expect(policy.pageWanted(providerID: "a", now: start.adding(seconds: 2)) == .wait(until: start.adding(seconds: 5)))
        #expect(policy.pageWanted(providerID: "b", now: start.adding(seconds: 2)) == .open)
        #expect(policy.pageWanted(providerID: "a", now: start.adding(seconds: 5)) == .open)
    }

    @Test("a clock that was set back does not keep pages shut")
    func clockSetBack() {
        var policy = PagePolicy()
        _ = policy.pageWanted(providerID: "a", now: start)
        #expect(policy.pageWanted(providerID: "a", now: start.adding(seconds: -86_400)) == .open)
    }
}
