@testable import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// Who can be idle, as the test says.
@DaemonActor
private final class Subject: IdleExit.Subject {
    private let busy: @DaemonActor () -> Bool
    private(set) nonisolated(unsafe) var ends = 0
    private(set) nonisolated(unsafe) var requests = 0

    init(_ busy: @escaping @DaemonActor () -> Bool) { self.busy = busy }

    var isBusy: Bool {
        requests += 1
        return busy()
    }

    func endIdle() { ends += 1 }

    nonisolated(unsafe) var isProgramReplaced = false
    private(set) nonisolated(unsafe) var looks = 0

    var isReplaced: Bool {
        looks += 1
        return isProgramReplaced
    }
}

@Suite("When an idle daemon exits")
struct IdleExitTests {
    private let executor = QueueExecutor.shared
    private let clock = FakeClock()
    private let timers = FakeTimers()
    private let work = Recorded<Bool>()

    private func idle(after seconds: Int64?) -> (Subject, IdleExit) {
        executor.isolated {
            let work = work
            let subject = Subject { work.value ?? false }
            return (subject, IdleExit(subject, interval: seconds, clock: clock, timers: timers))
        }
    }

    private func pass(_ seconds: Int64) {
        for _ in 0..<seconds {
            clock.advance(milliseconds: 1000)
            executor.isolated { timers.advance(milliseconds: 1000) }
        }
    }

    @Test("after the interval, having woken once")
    func interval() {
        let (subject, idle) = idle(after: 60)
        pass(59)
        #expect(subject.ends == 0 && subject.requests == 0)
        pass(1)
        #expect(subject.ends == 1 && subject.requests == 1)
        withExtendedLifetime(idle) {}
    }

    @Test("counted from the last activity")
    func activity() {
        let (subject, idle) = idle(after: 60)
        pass(50)
        executor.isolated { idle.activityChanged() }
        pass(59)
        #expect(subject.ends == 0)
        pass(1)
        #expect(subject.ends == 1)
    }

    @Test("not while something is under way, and looks once an interval until then")
    func busy() {
        let (subject, idle) = idle(after: 60)
        work.value = true
        pass(180)
        #expect(subject.ends == 0 && subject.requests == 3)
        work.value = false
        pass(60)
        #expect(subject.ends == 1)
        withExtendedLifetime(idle) {}
    }

    @Test("never, where the configuration says so; from now on, where it says something else by then")
    func configured() {
        let (subject, idle) = idle(after: nil)
        pass(1000)
        #expect(subject.requests == 0 && executor.isolated { timers.untilNext } == nil)
        executor.isolated { idle.activityChanged() }
        pass(5)
        executor.isolated { idle.interval = 10 }
        pass(4)
        #expect(subject.ends == 0)
        pass(1)
        #expect(subject.ends == 1)
        executor.isolated { idle.interval = nil }
        #expect(executor.isolated { timers.untilNext } == nil)
    }

    @Test("at once if the interval became shorter than its idle time")
    func shorter() {
        let (subject, idle) = idle(after: 600)
        pass(100)
        executor.isolated { idle.interval = 60 }
        pass(1)
        #expect(subject.ends == 1)
    }

    @Test("in the first quiet second after the program was replaced, and not while something is under way")
    func replaced() {
        let (subject, idle) = idle(after: 600)
        pass(10)
        subject.isProgramReplaced = true
        work.value = true
        executor.isolated { idle.activityChanged() }
        pass(20)
        #expect(subject.ends == 0)
        work.value = false
        executor.isolated { idle.activityChanged() }
        pass(2)
        #expect(subject.ends == 1)
    }

    @Test("also where the program was replaced in the second in which that had been asked, and nothing happens afterwards")
    func replacedInTheSameSecond() {
        let (subject, idle) = idle(after: 600)
        pass(10)
        executor.isolated { idle.activityChanged() }
        #expect(subject.looks == 1)
        subject.isProgramReplaced = true
        executor.isolated { idle.activityChanged() }
        pass(3)
        #expect(subject.ends == 1)
        withExtendedLifetime(idle) {}
    }

    @Test("in a replaced program not between calls that follow each other")
    func replacedBetweenCalls() {
        let (subject, idle) = idle(after: 600)
        subject.isProgramReplaced = true
        for _ in 0..<10 {
            clock.advance(milliseconds: 600)
            executor.isolated {
                timers.advance(milliseconds: 600)
                idle.activityChanged()
            }
            #expect(subject.ends == 0)
        }
        pass(2)
        #expect(subject.ends == 1)
    }

    @Test("having asked once a second at most whether the program was replaced, and never where it never ends by itself")
    func replacedQuestions() {
        let (subject, idle) = idle(after: 600)
        for _ in 0..<100 { executor.isolated { idle.activityChanged() } }
        #expect(subject.looks == 0)
        // Once more when the second is over.
        pass(1)
        #expect(subject.looks == 1)
        for _ in 0..<100 { executor.isolated { idle.activityChanged() } }
        #expect(subject.looks == 2)
        executor.isolated { idle.interval = nil }
        subject.isProgramReplaced = true
        pass(1)
        executor.isolated { idle.activityChanged() }
        pass(1000)
        #expect(subject.looks == 2 && subject.ends == 0)
    }

    @Test("whatever the wall clock is set to", arguments: [-86_400_000, 86_400_000] as [Int64])
    func wallClock(by: Int64) {
        let (subject, idle) = idle(after: 60)
        pass(30)
        clock.set(now: Timestamp(milliseconds: clock.now.milliseconds + by))
        pass(29)
        #expect(subject.ends == 0)
        pass(1)
        #expect(subject.ends == 1)
        withExtendedLifetime(idle) {}
    }

    // MARK: What keeps it

    /// Something under way, and how it ends.
    struct Work: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The orderly end waits for it. The rest is on disk, or has its time only as long as the daemon lives.
        let isWaitedFor: Bool
        let begin: @Sendable (TestApplication) throws -> Void
        let end: @Sendable (TestApplication) throws -> Void

        init(
            _ name: String, isWaitedFor: Bool = true, begin: @escaping @Sendable (TestApplication) throws -> Void,
            end: @escaping @Sendable (TestApplication) throws -> Void
        ) {
            testDescription = name
            self.isWaitedFor = isWaitedFor
            self.begin = begin
            self.end = end
        }
    }

    private static let code =
        #"{"device_code":"dc","user_code":"AB-CD","verification_uri":"https://work.example/go","expires_in":900,"interval":5}"#
    private static let grant = #"{"access_token":"at-2","refresh_token":"rt-2","token_type":"Bearer","expires_in":3600}"#

    /// Everybody's sign-ins.
    @Sendable private static func cancel(_ daemon: TestApplication) throws {
        for session in daemon.call("ListSessions")["sessions"]?.arrayValue ?? [] {
            daemon.call("CancelSession", ["sessionID": session.objectValue?["sessionID"] ?? ""])
        }
    }

    /// A provider that refuses what it is asked for, and goes on refusing.
    @Sendable private static func refuse(_ daemon: TestApplication) throws {
        while daemon.isAsked { daemon.answer(status: 400, json: #"{"error":"access_denied"}"#) }
    }

    static let kinds: [Work] = [
        Work("a page that waits for its person", isWaitedFor: false, begin: { _ = try PendingSignIn($0) }, end: cancel),
        Work(
            "a page whose program has gone", isWaitedFor: false, begin: { $0.leave(try PendingSignIn($0).reply) }, end: cancel),
        Work(
            "a device code that is asked for", begin: { $0.call("SignIn", ["providerID": "work", "flow": "device"], more: true) },
            end: refuse),
        Work(
            "a device code that waits for its person", isWaitedFor: false,
            begin: {
                $0.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
                $0.answer(json: code)
            }, end: cancel),
        Work(
            "a question whether a device code was typed",
            begin: {
                $0.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
                $0.answer(json: code)
                $0.pass(seconds: 5)
            }, end: refuse),
        Work("a code that is exchanged", begin: { _ = $0.beginSignIn() }, end: refuse),
        Work(
            "a profile that is asked for",
            begin: {
                _ = $0.beginSignIn()
                $0.answer(json: grant)
            }, end: { $0.answer(json: #"{"id":"7"}"#) }),
        Work(
            "a grant that nobody keeps, on its way back",
            begin: {
                let scene = try PendingSignIn($0)
                $0.browserReturns("state=\(scene.state)&code=abc")
                _ = scene.call("CancelSession")
                $0.call("RevokeCredential", ["providerID": "work"])
                $0.answer(json: grant)
                while $0.isAsked, $0.revoked.count < 3 { $0.answer(json: #"{"id":"7"}"#) }
            }, end: { while $0.isAsked { $0.answer(json: "{}") } }),
        Work("a renewal", begin: { $0.call("GetAccessToken", ["providerID": "work", "forceRefresh": true]) }, end: refuse),
        Work(
            "a renewal whose program has gone",
            begin: { $0.leave($0.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])) }, end: refuse),
        Work("a revocation", begin: { $0.call("RevokeCredential", ["providerID": "work"]) }, end: refuse),
        Work(
            "a new refresh token that is in memory alone", isWaitedFor: false,
            begin: {
                $0.disk(isFull: true)
                $0.call("GetAccessToken", ["providerID": "work", "forceRefresh": true])
                $0.answerToken("at-2", refreshToken: String(repeating: "x", count: 15_000))
            },
            end: {
                $0.disk(isFull: false)
                $0.pass(seconds: 31)
            }),
        Work(
            "a lock that waits for an answer",
            begin: {
                _ = $0.beginSignIn()
                $0.call("Lock")
            },
            end: {
                try refuse($0)
                $0.call("Unlock")
            }),
        // It would come back open.
        Work("a store that a person locked", isWaitedFor: false, begin: { $0.call("Lock") }, end: { $0.call("Unlock") }),
        Work(
            "a call", begin: { $0.call("SignInAnonymously", ["app": "other"], settling: false) }, end: { $0.settle() }),
        Work("a reload", begin: { $0.call("Reload", settling: false) }, end: { $0.settle() }),
    ]

    /// Somebody has signed in; the provider waits to be told what to answer.
    private func signedIn() throws -> TestApplication {
        let daemon = try TestApplication()
        daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        return daemon
    }

    @Test("The daemon does not exit while work is in progress, and exits when it has ended", arguments: kinds)
    func keeps(_ work: Work) throws {
        let daemon = try signedIn()
        let (subject, idle) = daemon.executor.isolated {
            let application = daemon.application
            let subject = Subject { application.isBusy }
            return (subject, IdleExit(subject, interval: 1, clock: daemon.clock, timers: daemon.timers))
        }
        try work.begin(daemon)
        #expect(daemon.executor.isolated { daemon.application.isBusy })
        // Time alone, without the steps that would end it.
        for _ in 0..<4 { daemon.jump(seconds: 1) }
        #expect(subject.ends == 0 && subject.requests >= 3)
        try work.end(daemon)
        #expect(!daemon.executor.isolated { daemon.application.isBusy })
        daemon.pass(seconds: 2)
        #expect(subject.ends >= 1)
        withExtendedLifetime(idle) {}
    }

    @Test("The orderly end waits for what cannot be obtained again, and for every call, to the moment", arguments: kinds)
    func waits(_ work: Work) throws {
        let daemon = try signedIn()
        try work.begin(daemon)
        let (application, timers) = (daemon.application, daemon.timers)
        let isEmpty = Recorded<Bool>()
        daemon.executor.isolated {
            let tracker = application.ground.platform.work
            #expect(tracker.isEmpty() == !work.isWaitedFor)
            DaemonActor.start {
                await tracker.whenEmpty(within: 35_000, timers: timers)
                #expect(tracker.isEmpty())
                isEmpty.value = true
            }
        }
        guard work.isWaitedFor else {
            daemon.settle()
            #expect(isEmpty.value == true)
            return try work.end(daemon)
        }
        try work.end(daemon)
        #expect(isEmpty.value == true && daemon.executor.isolated { application.ground.platform.work.isEmpty() })
    }

    @Test(
        "Stored sign-ins and mere listeners do not keep the daemon running",
        arguments: ["Monitor", "a result that nobody has fetched", "a sign-in that failed", "a credential", "a user"])
    func keepsNot(what: String) throws {
        let daemon = try TestApplication()
        switch what {
        case "Monitor": daemon.call("Monitor", more: true)
        case "a result that nobody has fetched":
            let scene = try PendingSignIn(daemon)
            daemon.leave(scene.reply)
            daemon.providerAnswers()
            daemon.browserReturns("state=\(scene.state)&code=abc")
            #expect(daemon.sessionStates == ["completed"])
        case "a sign-in that failed": try Self.cancel(try PendingSignIn(daemon).daemon)
        case "a credential": daemon.signIn(accessToken: "at-1", refreshToken: "rt-1")
        default: daemon.call("SignInAnonymously")
        }
        #expect(!daemon.executor.isolated { daemon.application.isBusy })
    }

    @Test("A store that a passphrase opened keeps the daemon, since it would come back locked, until it is locked")
    func openedByPassphrase() throws {
        let daemon = try TestApplication(key: .passphrase)
        func isBusy() -> Bool { daemon.executor.isolated { daemon.application.isBusy } }
        #expect(!isBusy())
        #expect(daemon.call("Unlock", ["passphrase": "correct horse, battery staple"]).error == nil && isBusy())
        #expect(daemon.call("Lock").error == nil && !isBusy())
    }

    @Test(
        "A second factor of a Firebase project that awaits its code keeps the daemon, for ten minutes, whatever the wall clock is set to",
        arguments: [0, 28_800, -28_800] as [Int64])
    func secondFactor(clockSetBy seconds: Int64) throws {
        let daemon = try TestApplication(TestApplication.example + "\n[accounts]\nauthority = \"firebase\"\napi-key = \"key\"\n")
        let reply = daemon.call("SignInWithCredential", ["credential": ["email": "ada@example.com", "password": "correct horse"]])
        daemon.answer(
            json: #"{"mfaPendingCredential":"p","mfaInfo":[{"mfaEnrollmentId":"1","totpInfo":{},"enrolledAt":"2026-01-01T00:00:00Z"}]}"#)
        #expect(reply.errorName == "SecondFactorRequired", "\(reply.message)")
        daemon.clock.set(now: daemon.clock.now.adding(seconds: seconds))
        daemon.pass(seconds: 599)
        #expect(daemon.executor.isolated { daemon.application.isBusy })
        daemon.pass(seconds: 1)
        #expect(!daemon.executor.isolated { daemon.application.isBusy })
    }
}

/// The daemon may go at any step at which it is not busy. Whatever has begun keeps it from its first step to its last.
@Suite("No gap in which a busy daemon counts as idle", .serialized)
struct IdleGapTests {
    /// What begins, in a daemon where somebody has signed in, at a provider that answers at once.
    struct Event: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// - Returns: what has to be answered before the daemon may go.
        let begin: @Sendable (TestApplication) throws -> RecordedReply?

        init(_ name: String, begin: @escaping @Sendable (TestApplication) throws -> RecordedReply?) {
            testDescription = name
            self.begin = begin
        }

        init(_ method: String, _ parameters: JSONObject) {
            self.init(method) { $0.call(method, parameters, settling: false) }
        }
    }

    private static let token: JSONObject = ["providerID": "work", "forceRefresh": true]

    static let events: [Event] = [
        Event("SignInAnonymously", ["app": "other"]),
        Event("CreateUser", ["email": "ada@example.com", "password": "correct horse", "app": "other"]),
        Event("UpdateUser", ["displayName": "Countess"]),
        Event("GetCurrentUser", [:]),
        Event("GetUserToken", ["audience": "service"]),
        Event("SignOut", [:]),
        Event("DeleteUser", [:]),
        Event("GetAccessToken", token),
        Event("RevokeCredential", ["providerID": "work"]),
        Event("Reload", [:]),
        Event("Unlock") {
            $0.call("Lock")
            return $0.call("Unlock", settling: false)
        },
        Event("a renewal whose program has gone") {
            $0.leave($0.call("GetAccessToken", token, settling: false))
            return nil
        },
        Event("a callback") {
            let scene = try PendingSignIn($0)
            _ = scene.browserReturns()
            return scene.reply
        },
        Event("a callback by HTTP, whose program has gone") {
            let scene = try PendingSignIn($0)
            $0.leave(scene.reply)
            _ = try scene.browserReturnsByHTTP()
            return nil
        },
        Event("a callback that a cancel meets") {
            let scene = try PendingSignIn($0)
            _ = scene.browserReturns()
            for _ in 0..<8 { $0.executor.step() }
            return scene.begin("CancelSession")
        },
        Event("a question about a device code") {
            let reply = $0.call("SignIn", ["providerID": "work", "flow": "device"], more: true)
            $0.jump(seconds: 5)
            return reply
        },
        Event("the end of a sign-in's time") {
            let scene = try PendingSignIn($0, ["timeoutSeconds": 60])
            $0.jump(seconds: 60)
            return scene.reply
        },
        Event("CancelSession") { try PendingSignIn($0).begin("CancelSession") },
        Event("AttachSession of a result that waits") {
            let scene = try PendingSignIn($0, ["intent": "credential"])
            $0.leave(scene.reply)
            $0.browserReturns("state=\(scene.state)&code=abc")
            return scene.begin("AttachSession")
        },
        Event("SignInWithCredential") {
            let scene = try PendingSignIn($0, ["intent": "credential"])
            $0.browserReturns("state=\(scene.state)&code=abc")
            let handle = try #require(scene.reply.event?["credential"]?.objectValue?["handle"])
            return $0.call("SignInWithCredential", ["credential": ["handle": handle]], settling: false)
        },
    ]

    @Test("It is busy until the answer, and once it is idle nothing begins by itself", arguments: events)
    func busy(_ event: Event) throws {
        let daemon = try TestApplication()
        daemon.providerAnswers()
        #expect(daemon.beginSignIn().isCompleted)
        let reply = try event.begin(daemon)
        var isIdle = false
        var steps = 0
        repeat {
            let isBusy = daemon.executor.isolated { daemon.application.isBusy }
            #expect(isBusy || reply?.isFinished != false, "idle before the answer, after \(steps) steps")
            #expect(!(isBusy && isIdle), "busy again after \(steps) steps")
            isIdle = !isBusy
            steps += 1
        } while daemon.executor.step()
        #expect(isIdle && steps > 1)
    }
}

@Suite("The work that is counted")
struct WorkTrackerTests {
    private let executor = QueueExecutor.shared
    private let timers = FakeTimers()
    private let tracker = WorkTracker()

    /// Work that ends when the test says so.
    private func work(_ kind: WorkTracker.Kind) -> Gate {
        let gate = Gate()
        executor.isolated { tracker.start(kind) { await gate.wait() } }
        executor.settle()
        return gate
    }

    @DaemonActor
    private final class Gate {
        private var waiting: CheckedContinuation<Void, Never>?
        nonisolated init() {}
        func wait() async { await withCheckedContinuation { waiting = $0 } }
        func open() {
            waiting?.resume()
            waiting = nil
        }
    }

    private func open(_ gate: Gate) {
        executor.isolated { gate.open() }
        executor.settle()
    }

    private func whenEmpty(_ kinds: [WorkTracker.Kind] = WorkTracker.Kind.allCases, within milliseconds: Int64 = 1000) -> Recorded<Bool> {
        let (tracker, timers, told) = (tracker, timers, Recorded<Bool>())
        DaemonActor.start {
            await tracker.whenEmpty(kinds, within: milliseconds, timers: timers)
            told.value = tracker.isEmpty(kinds)
        }
        executor.settle()
        return told
    }

    @Test("is told to be empty when the last of it ends, to everybody who waits")
    func last() {
        let gates = [work(.other), work(.toBeKept), work(.other)]
        let told = [whenEmpty(), whenEmpty()]
        for gate in gates {
            #expect(told.allSatisfy { $0.value == nil })
            open(gate)
        }
        #expect(told.allSatisfy { $0.value == true } && executor.isolated { timers.untilNext } == nil)
        #expect(whenEmpty().value == true)
    }

    @Test("is told of the kind that was asked for")
    func kinds() {
        let (other, kept) = (work(.other), work(.toBeKept))
        let (all, toBeKept) = (whenEmpty(), whenEmpty([.toBeKept]))
        open(kept)
        #expect(toBeKept.value == true && all.value == nil)
        open(other)
        #expect(all.value == true)
    }

    @Test("is given up after the time that was given")
    func time() {
        let gate = work(.toBeKept)
        let told = whenEmpty(within: 1000)
        executor.isolated { timers.advance(milliseconds: 999) }
        executor.settle()
        #expect(told.value == nil)
        executor.isolated { timers.advance(milliseconds: 1) }
        executor.settle()
        #expect(told.value == false)
        open(gate)
        #expect(whenEmpty().value == true)
    }

    @Test("counts what begins out of other work before that ends")
    func chain() {
        let (first, second) = (Gate(), Gate())
        let tracker = tracker
        executor.isolated {
            tracker.start(.toBeKept) {
                await first.wait()
                tracker.start(.toBeKept) { await second.wait() }
            }
        }
        executor.settle()
        let told = whenEmpty()
        open(first)
        #expect(told.value == nil)
        open(second)
        #expect(told.value == true)
    }
}
