import Testing

@testable import PosternCore

@Suite("What a result page is made from")
struct SignInResultTests {
    private func result(_ outcome: SignInOutcome?) -> SignInResult {
        let state = outcome.map { SignInMachine.State.ended(SignInMachine.Ended(outcome: $0, step: .settled)) } ?? .keeping(digest: nil)
        let standing = SignInMachine(
            generation: 1, session: SignInWorld.session("a"), expiresAt: now, latestEnd: now, stateHashes: [],
            askers: [(WaiterID(1), "tool"), (WaiterID(2), "git")], flows: [], state: state)
        return SignInResult(standing, displayName: { "<\($0)>" }, isDecision: { $0 == "no" })
    }

    @Test("it names who asked, and the providers that it mentions")
    func names() {
        let refusal = AccountRefusal.accountExists(email: "a@b", providerIDs: ["other"])
        let result = result(.refused(refusal, SignInWorld.completed))
        #expect(result.providerID == "work" && result.intent == .signIn && result.requester == "tool" && result.otherRequesters == ["git"])
        #expect(["work", "other", "third"].map { result.displayName(ofProvider: $0) } == ["<work>", "<other>", "third"])
    }

    @Test("it contains none of the secrets that a sign-in brings")
    func secrets() {
        var completed = SignInWorld.completed
        completed.rawNonce = Secret("nonce")
        for outcome in [SignInOutcome.completed(completed), .refused(.userMismatch, completed)] {
            #expect(outcome != outcome.withoutSecrets && result(outcome).outcome == outcome.withoutSecrets)
        }
    }

    @Test(
        "a denial is told from trouble by the provider's code",
        arguments: [
            (.failed(.provider(.denied(error: "no", description: nil))), true), (.failed(.provider(.denied(error: "down", description: nil))), false),
            (.failed(.timedOut), false), (nil, false),
        ] as [(SignInOutcome?, Bool)])
    func declined(outcome: SignInOutcome?, wasDeclined: Bool) { #expect(result(outcome).wasDeclined == wasDeclined) }
}
