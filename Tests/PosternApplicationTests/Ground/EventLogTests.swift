import PosternCore
import PosternInterface
import StrictJSON
import Testing

@testable import PosternApplication
@testable import PosternDaemon

/// One fact, one report: what the journal and `Monitor` make of it.
@Suite("What happens is reported once")
struct EventLogTests {
    private let executor = QueueExecutor.shared
    private let clock = FakeClock()
    private let written = RecordedLog()

    private func events(_ level: EventLog.Level = .debug) -> EventLog {
        executor.isolated { EventLog(level: level, writer: written, clock: clock) }
    }

    /// What `Monitor` tells of this.
    private func told(by events: EventLog, _ report: @DaemonActor (EventLog) -> Void) -> [JSONObject] {
        executor.isolated {
            let reply = RecordedReply(wantsMore: true, isOneway: false)
            let listener = events.add { reply.send($0, continues: true) }
            report(events)
            events.remove(listener)
            return reply.replies
        }
    }

    @Test("The journal and Monitor get the same sentence, once, whatever the kind", arguments: EventLog.Kind.allCases)
    func once(_ kind: EventLog.Kind) throws {
        let told = told(by: events()) { $0.report(kind, "the sentence", providerID: "work", uid: "u", app: "mail") }
        let isWritten = ![.endSessionOpening, .endSessionOffered].contains(kind)
        #expect(written.entries.map(\.message) == (isWritten ? ["the sentence"] : []))
        #expect(written.entries.allSatisfy { $0.kind == kind && $0.providerID == "work" && $0.uid == "u" })
        guard let name = Self.monitorKinds[kind] else { return #expect(told.isEmpty) }
        #expect(told.count == 1)
        #expect(told.first?["message"] == "the sentence" && told.first?["kind"] == .string(name))
        #expect(told.first?["providerID"] == "work" && told.first?["uid"] == "u" && told.first?["app"] == "mail")
    }

    @Test("Nobody's address is in the journal, whatever the sentence; Monitor is for the person's own programs")
    func addresses() {
        let sentence = "ada@example.com was requested, but \"Bob <bob.b+x@mail.example.org>\" signed in; sign in as ada@example.com, @ home"
        let told = told(by: events()) { $0.report(.signInFailed, sentence) }
        #expect(told.first?["message"] == .string(sentence))
        #expect(
            written.entries.map(\.message) == [
                "(an address) was requested, but \"Bob <(an address)>\" signed in; sign in as (an address), @ home"
            ])
    }

    /// The names are part of the interface; a kind that is not here is for the log alone.
    private static let monitorKinds: [EventLog.Kind: String] = [
        .signInStarted: "signInStarted", .signInJoined: "signInJoined", .pageOpened: "pageOpened", .pageNotOpened: "pageNotOpened",
        .codeGiven: "codeGiven", .callbackReceived: "callbackReceived", .signInCompleted: "signInCompleted",
        .signInFailed: "signInFailed", .resultDelivered: "resultDelivered", .userChanged: "userChanged", .userDeleted: "userDeleted",
        .tokenRefreshed: "tokenRefreshed", .refreshFailed: "refreshFailed", .credentialImported: "credentialImported", .credentialKept: "credentialKept",
        .credentialRevoked: "credentialRevoked",
        .credentialStateChanged: "credentialStateChanged",
        .signedOut: "signedOut", .signInEndedByProject: "signedOut", .endSessionOpening: "endSessionOpening",
        .endSessionOffered: "endSessionOffered",
        .endSessionPageOpened: "pageOpened", .configurationReloaded: "configurationReloaded",
        .configurationRefused: "configurationRefused", .storeLocked: "storeLocked", .storeUnlocked: "storeUnlocked",
    ]

    @Test("What anybody can cause does not fill the journal, and is counted")
    func limited() {
        let events = events()
        executor.isolated {
            for _ in 1...1000 { events.report(.callbackRefused, "refused") }
            clock.advance(milliseconds: 10_000)
            for _ in 1...10 { events.report(.callbackRefused, "refused") }
        }
        #expect(written.entries.map(\.message) == Array(repeating: "refused", count: 8) + ["refused; 992 more were refused since the line before"])
        executor.isolated { for _ in 1...100 { events.report(.signInCompleted, "completed") } }
        #expect(written.entries.count == 109)
    }

    @Test("The level filter is the journal's, not Monitor's", arguments: EventLog.Kind.allCases)
    func filtered(_ kind: EventLog.Kind) throws {
        let told = told(by: events(.error)) { $0.report(kind, "less weighty", level: .warning) }
        #expect(written.entries.isEmpty)
        #expect(told.count == (Self.monitorKinds[kind] == nil ? 0 : 1))
    }

    @Test("A report may be more or less weighty than its kind")
    func levels() {
        let events = events(.notice)
        executor.isolated {
            events.report(.providerProblem, "a refusal", level: .info)
            events.report(.providerProblem, "a problem")
            events.report(.callbackRefused, "by a stranger", level: .notice)
            events.report(.callbackRefused, "one of many")
        }
        #expect(written.entries.map(\.message) == ["a problem", "by a stranger"])
        #expect(written.entries.map(\.level) == [.warning, .notice])
    }

    /// Counts how often a sentence is made.
    @DaemonActor
    private final class Sentence {
        private(set) var count = 0
        nonisolated init() {}
        func make() -> String {
            count += 1
            return "made"
        }
    }

    @Test("A message is not built if nobody would read it")
    func lazy() throws {
        let (events, sentence) = (events(.notice), Sentence())
        executor.isolated { events.report(.tokenRefreshed, sentence.make()) }
        #expect(executor.isolated { sentence.count } == 0)
        #expect(told(by: events) { $0.report(.tokenRefreshed, sentence.make()) }.count == 1)
        #expect(executor.isolated { sentence.count } == 1)
        // Whoever left is told nothing more.
        executor.isolated { events.report(.tokenRefreshed, sentence.make()) }
        #expect(executor.isolated { sentence.count } == 1)
        // For both it is made once.
        _ = told(by: events) { $0.report(.signInCompleted, sentence.make()) }
        #expect(executor.isolated { sentence.count } == 2 && written.entries.count == 1)
    }

    @Test("The program that asked is in the journal")
    func requester() {
        let events = events()
        executor.isolated {
            events.report(.signInAsked, "asked", requester: CallingProcess(pid: 7, executable: "/usr/bin/mail", unit: "mail.service"))
        }
        let requester = written.entries.first?.requester
        #expect(requester?.pid == 7 && requester?.executable == "/usr/bin/mail" && requester?.unit == "mail.service")
    }

    @Test("Each kind keeps its message ID in the journal", arguments: Self.messageIDs)
    func messageID(_ kinds: [EventLog.Kind], _ ending: String) {
        for kind in kinds {
            let id = kind.rule.category?.rawValue
            #expect(id == "5e1d7f7a0c4b4b0c9a3f6a1e2d8c4b" + ending)
        }
    }

    /// As docs/use/troubleshooting.md has it.
    private static let messageIDs: [([EventLog.Kind], String)] = [
        ([.started], "10"), ([.stopping], "11"),
        ([.signInAsked], "12"),
        ([.signInCompleted, .userChanged, .userDeleted, .credentialImported, .credentialKept, .credentialRevoked, .signedOut], "13"),
        ([.signInFailed, .flowFailed, .pageNotOpened, .signInEndedByProject], "14"),
        ([.callbackRefused], "15"),
        ([.tokenRefreshed], "16"), ([.refreshFailed, .revocationFailed], "17"),
        ([.configuration, .configurationReloaded, .configurationRefused], "18"),
        ([.storeProblem, .storeOpened, .storeLocked, .storeUnlocked], "19"),
        ([.providerProblem, .endSessionPageOpened], "1a"),
        ([.signInStarted, .signInJoined, .pageOpened, .codeGiven, .callbackReceived, .resultDelivered], "1b"),
        ([.credentialStateChanged], "1c"),
    ]

    @Test("Every kind that is recorded has its message ID, and each ID another number")
    func everyKind() {
        let kinds = Self.messageIDs.flatMap(\.0)
        #expect(Set(kinds) == Set(EventLog.Kind.allCases).subtracting([.endSessionOpening, .endSessionOffered]) && Set(kinds).count == kinds.count)
        #expect(Set(EventLog.Category.allCases.map(\.rawValue)).count == EventLog.Category.allCases.count)
    }
}

/// A sign-in, a renewal and a revocation, with somebody who listens.
@Suite("What is reported of a sign-in", .serialized)
struct ToldEventsTests {
    @Test("The journal and Monitor say the same of it, in the same order, and no secret")
    func same() throws {
        let daemon = try TestApplication()
        let monitor = daemon.call("Monitor", more: true)
        daemon.signIn(accessToken: "at-secret", refreshToken: "rt-secret")
        daemon.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
        daemon.answerToken("at-renewed", refreshToken: "rt-renewed")
        daemon.call("Lock")
        let told = monitor.replies.compactMap { $0["message"]?.stringValue }
        let names = Set(monitor.replies.compactMap { $0["kind"]?.stringValue })
        #expect(names.isSuperset(of: ["signInStarted", "callbackReceived", "signInCompleted", "resultDelivered", "tokenRefreshed", "storeLocked"]))
        #expect(daemon.log.entries.filter { $0.kind.rule.monitorKind != nil }.map(\.message) == told)
        #expect(told.contains("signed in at work") && told.contains("work renewed the access token"))
        let text = (told + daemon.log.entries.map(\.message)).joined(separator: "\n")
        for secret in ["at-secret", "rt-secret", "at-renewed", "rt-renewed", "code-", "state"] { #expect(!text.contains(secret)) }
    }

    @Test("A second program's question is reported once, with the program")
    func joined() throws {
        let daemon = try TestApplication()
        let monitor = daemon.call("Monitor", more: true)
        let request: JSONObject = ["providerID": "work", "presentation": "client"]
        let (first, second) = (daemon.call("SignIn", request, more: true), daemon.call("SignIn", request, more: true))
        #expect(first.error == nil && second.error == nil)
        let joined = monitor.replies.filter { $0["kind"] == "signInJoined" }
        let entries = daemon.log.entries.filter { $0.requester != nil }
        #expect(entries.map(\.kind) == [.signInAsked, .signInJoined] && entries.allSatisfy { $0.requester?.pid == 4711 })
        #expect(monitor.replies.count { $0["kind"] == "signInStarted" } == 1)
        #expect(joined.count == 1 && joined.first?["message"]?.stringValue == entries.last?.message)
        #expect(joined.first?["sessionID"]?.stringValue == entries.first?.sessionID)
        #expect(daemon.log.entries.count { $0.message == entries.last?.message } == 1)
    }
}
