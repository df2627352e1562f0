@testable import PosternCore
import Testing

@Suite("Whose sign-in it is")
struct AccountRulesTests {
    let now = Timestamp(seconds: 1_800_000_000)
    let ada = Identity(providerID: "work", subject: "1", displayName: "Ada", email: "ada@example.com", emailVerified: true)

    private func signedIn(as identity: Identity, owner: User?, newUID: String, now: Timestamp) throws -> AccountRules.Decision {
        try AccountRules.decide(
            IdentityRequest(
                identity: identity, isAuthority: false, intent: .signIn, app: "default", oneAccountPerEmail: true,
                proof: Proof(.page, seenAt: now), newUID: newUID, newSignIn: "sign-in", isRecent: { $0.isRecent(now: now) }, now: now),
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
        let owner = PageOwner(signIn: "sign-in", generation: 3)
        for intent in [Intent.link, .reauthenticate, .signIn] { #expect(try AccountRules.pageOwner(for: intent, current: owner) == owner) }
        #expect(try AccountRules.pageOwner(for: .credential, current: owner) == nil)
        for intent in [Intent.link, .reauthenticate] {
            #expect(throws: AccountFailure.refused(.noCurrentUser)) { try AccountRules.pageOwner(for: intent, current: nil) }
        }
        for intent in [Intent.signIn, .credential] { #expect(try AccountRules.pageOwner(for: intent, current: nil) == nil) }
    }

    @Test("a link is of the sign-in that its page was opened for, and a page that was opened for nobody links nothing")
    func linkOfAnother() throws {
        let page = AskedMoment.earlier(PageOwner(signIn: "sign-in", generation: 3))
        func link(as signIn: String = "sign-in", generation: Int64 = 3, _ asked: AskedMoment) throws -> AccountRules.Decision {
            let user = User(uid: "uid", createdAt: now, lastSignInAt: now, generation: generation)
            let request = IdentityRequest(
                identity: ada, isAuthority: false, intent: .link, app: "default", oneAccountPerEmail: true, asked: asked,
                proof: Proof(.page, seenAt: now), newUID: "new", newSignIn: "new sign-in", isRecent: { $0.isRecent(now: now) }, now: now)
            let signIn = AppSignIn(id: signIn, app: "default", uid: user.uid, authenticatedAt: now, providerID: "github.com")
            return try AccountRules.decide(request, AccountFacts(current: (signIn, user)))
        }
        #expect(try link(page).user.identities.count == 1)
        #expect(try link(as: "another", .now).user.identities.count == 1)
        // The same user again, by another sign-in; and the same sign-in, after a way in was taken away.
        #expect(throws: AccountRefusal.userMismatch) { try link(as: "another", page) }
        #expect(throws: AccountRefusal.userMismatch) { try link(generation: 4, page) }
        #expect(throws: AccountRefusal.noCurrentUser) { try link(.earlier(nil)) }
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
