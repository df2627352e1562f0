import Testing

/// The rules of `docs/programs/accounts.md` as a model (``AccountModel``), beside the application.
///
/// `POSTERN_MODEL_SEED`: the first seed. `POSTERN_MODEL_SECONDS`: for how long. `POSTERN_MODEL_EVENTS`: until at least that many events were
/// drawn, however long that takes; 10 million is the long form, which is run by hand.
@Suite("The account rules beside their model", .serialized)
struct AccountModelTests {
    @Test("what once failed no longer does", arguments: AccountModelCases.kept)
    func keptCase(_ kept: (patch: String, events: String)) throws {
        let events = try kept.events.split(separator: " ").map { try AccountEvent(parsing: String($0)) }
        if let failure = AccountTrial.run(events) { Issue.record("\(kept.patch), \(failure)") }
    }

    @Test("random sequences of events do the same in the application as in the model")
    func random() throws {
        let trial = AccountTrial.fromEnvironment
        let result = trial.run()
        print("account model: \(result)")
        if let found = result.failure {
            Issue.record(
                """
                seed \(found.seed) fails after \(found.failure.events) events: \(found.failure.problem)
                shrunk: \(found.shrunk.map(\.description).joined(separator: " "))
                which says: \(found.shrunkProblem)
                """)
        }
        #expect(result.events > 0)
    }
}
