import PosternCore
import Testing

@Suite("Whose sign-in it is")
struct AccountRulesTests {
    let now = Timestamp(seconds: 1_800_000_000)
    let ada = Identity(providerID: "work", subject: "1", displayName: "Ada", email: "ada@example.com", emailVerified: true)

    private func signedIn(as identity: Identity, owner: User?, newUID: String, now: Timestamp) throws -> AccountRules.Decision {
        try AccountRules.decide(
            IdentityQuestion(
                identity: identity, isAuthority: false, intent: .signIn, app: "default", oneAccountPerEmail: true,
                proof: CredentialProof(.flow, at: now), newUID: newUID, now: now),
            AccountFacts(owner: owner))
    }

    @Test("a new identity makes a user with the identity's name and address")
    func newUser() throws {
        let decision = try signedIn(as: ada, owner: nil, newUID: "uid", now: now)
        #expect(decision.isNewUser)
        #expect(decision.user.uid == "uid")
        #expect(decision.user.email == "ada@example.com")
        #expect(decision.user.emailVerified)
    }

    @Test("a known identity finds its user, whose own name and address stay as they are")
    func knownUser() throws {
        let user = try signedIn(as: ada, owner: nil, newUID: "uid", now: now).user
        var renamed = ada
        renamed.displayName = "Countess"
        renamed.email = "other@example.com"
        let decision = try signedIn(as: renamed, owner: user, newUID: "unused", now: now.adding(seconds: 60))
        #expect(!decision.isNewUser)
        #expect(decision.user.uid == "uid")
        #expect(decision.user.displayName == "Ada")
        #expect(decision.user.email == "ada@example.com")
        #expect(decision.user.identities == [renamed])
        #expect(decision.user.lastSignInAt == now.adding(seconds: 60))
    }

    @Test("a page for a link or a proof is opened for a user, and for nobody it is not opened")
    func pageOwner() throws {
        let user = User(uid: "uid", createdAt: now, lastSignInAt: now)
        #expect(try AccountRules.pageOwner(for: .link, current: user) == "uid")
        #expect(try AccountRules.pageOwner(for: .reauthenticate, current: user) == nil)
        for intent in [Intent.link, .reauthenticate] {
            #expect(throws: AccountFailure.refused(.noCurrentUser)) { try AccountRules.pageOwner(for: intent, current: nil) }
        }
        for intent in [Intent.signIn, .credential] { #expect(try AccountRules.pageOwner(for: intent, current: nil) == nil) }
    }

    @Test("a link is of the user that its page was opened for, and a page that was opened for nobody links nothing")
    func linkOfAnother() throws {
        func link(as user: User, _ target: LinkTarget = .pageOwner("begun")) throws -> AccountRules.Decision {
            let question = IdentityQuestion(
                identity: ada, isAuthority: false, intent: .link, app: "default", oneAccountPerEmail: true, linksTo: target,
                proof: CredentialProof(.flow, at: now), newUID: "new", now: now)
            let signIn = AppSignIn(app: "default", uid: user.uid, authenticatedAt: now, providerID: "github.com")
            return try AccountRules.decide(question, AccountFacts(current: (signIn, user)))
        }
        let (begun, other) = (User(uid: "begun", createdAt: now, lastSignInAt: now), User(uid: "other", createdAt: now, lastSignInAt: now))
        #expect(try link(as: begun).user.uid == "begun")
        #expect(try link(as: other, .currentUser).user.uid == "other")
        #expect(throws: AccountRefusal.userMismatch) { try link(as: other) }
        #expect(throws: AccountRefusal.noCurrentUser) { try link(as: other, .pageOwner(nil)) }
    }

    @Test(
        "a credential is left where nothing takes its place and nobody has judged it",
        arguments: [
            (.noCurrentUser, true), (.userMismatch, true), (.providerAlreadyLinked(providerID: "work"), true),
            (.emailAlreadyInUse(email: "a@b"), true), (.credentialAlreadyInUse(email: nil), false),
            (.accountExists(email: "a@b", providerIDs: []), false), (.secondFactorRequired(uid: "uid", hints: []), false),
            (.firebase(FirebaseRefusal(.networkError)), true), (.firebase(FirebaseRefusal(.tooManyRequests)), true),
            (.firebase(FirebaseRefusal(.invalidCredential)), false),
        ] as [(AccountRefusal, Bool)])
    func leftCredential(refusal: AccountRefusal, isLeft: Bool) { #expect(refusal.leavesCredential == isLeft) }

    @Test("a name that is reported once stays known, an address that is gone does not")
    func nameToldOnce() throws {
        let user = try signedIn(as: ada, owner: nil, newUID: "uid", now: now).user
        let later = Identity(providerID: "work", subject: "1")
        let identity = try signedIn(as: later, owner: user, newUID: "unused", now: now).user.identities.first
        #expect(identity?.displayName == "Ada" && identity?.email == nil)
    }

    @Test("an address is verified only where there is one")
    func noAddress() throws {
        var nameless = ada
        nameless.email = nil
        #expect(try !signedIn(as: nameless, owner: nil, newUID: "uid", now: now).user.emailVerified)
    }

    @Test("a uid has 28 letters and digits, whatever the bytes")
    func uid() {
        for byte in [UInt8(0), 61, 62, 128, 255] {
            let uid = RandomIdentifier.uid(randomBytes: Array(repeating: byte, count: 28))
            #expect(uid.count == 28)
            #expect(uid.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) })
        }
    }
}
