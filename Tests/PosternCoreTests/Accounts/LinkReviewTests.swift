import Testing

@testable import PosternCore

@Suite("An answer about an account that was linked unseen")
struct LinkReviewTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private static let own = Identity(providerID: "work", subject: "ada")

    private static let linked: Identity = {
        var identity = Identity(providerID: "club", subject: "eve")
        identity.link = IdentityLink(at: now.adding(seconds: -60), signIn: "s", isProved: false)
        return identity
    }()

    private func user(_ identities: [Identity], generation: Int64 = 3) -> User {
        User(uid: "u", identities: identities, createdAt: Self.now, lastSignInAt: Self.now, generation: generation)
    }

    private func answer(
        _ answer: LinkReview.Answer, isLost: Bool = false, user: User?, owner: User? = nil, isRecent: Bool = true
    ) throws -> AccountRules.Decision? {
        let item = LinkReview.Item(Self.linked, isLost: isLost)
        let asked: LinkReview? = LinkReview(uid: "u", generation: 3, askedAt: Self.now, items: [item])
        return AccountRules.answer(answer, about: item, of: try #require(asked), user: user, owner: owner, app: "app") { _ in isRecent }
    }

    @Test("that removes it ends what the account had begun, and what was begun for the user")
    func removed() throws {
        let decision = try #require(try answer(.remove, user: user([Self.own, Self.linked])))
        #expect(decision.user.identities == [Self.own] && decision.user.generation == 4)
        #expect(decision.changes.endsPending && decision.changes.signsOutUnseenAppsExcept == "")
        #expect(decision.changes.released == [CredentialKey(Self.linked)])
        #expect(try answer(.remove, user: user([Self.linked])) == nil, "nobody could be the user any more")
    }

    @Test("brings a lost account back only to the user that lost it, as it was then")
    func lost() throws {
        #expect(try answer(.keep, isLost: true, user: user([Self.own]))?.user.identities.last?.link?.isProved == true)
        #expect(try answer(.keep, isLost: true, user: user([Self.own], generation: 4)) == nil)
        #expect(try answer(.keep, isLost: true, user: user([Self.own]), owner: user([])) == nil)
        #expect(try answer(.keep, isLost: true, user: user([Self.own, Identity(providerID: "club", subject: "other")])) == nil)
    }

    @Test("is too late once the sign-in is not recent, and for nobody once the user is gone")
    func late() throws {
        #expect(try answer(.keep, user: user([Self.own, Self.linked]))?.user.identities.last?.link?.isProved == true)
        #expect(try answer(.keep, user: user([Self.own, Self.linked]), isRecent: false) == nil)
        #expect(try answer(.keep, user: nil) == nil)
    }
}
