import PosternApplication
import PosternConfiguration
import PosternCore
import PosternInterface
import StrictJSON
import Testing

@Suite("A daemon whose configuration is not valid", .serialized)
struct ConfiguredDaemonTests {
    private static let invalid = "[provider.work]\nkind = 7\n"
    private static let served: Set<Interface.Method> = [.getStatus, .monitor, .reload]

    /// One whose file has become valid since the start.
    private func corrected() throws -> TestFront {
        let front = try TestFront(Self.invalid)
        try front.write(TestApplication.example)
        return front
    }

    private func expectInvalid(_ reply: RecordedReply, _ front: TestFront, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(reply.errorName == "ConfigurationInvalid" && reply.lastWords == 1, sourceLocation: sourceLocation)
        #expect(reply.error?.object["file"] == .string(front.source.file), sourceLocation: sourceLocation)
        #expect(reply.error?.object["line"] == 2, sourceLocation: sourceLocation)
    }

    // MARK: While it is not valid

    @Test("The start says what is wrong, and calls are answered anyway")
    func start() throws {
        let front = try TestFront(Self.invalid)
        #expect(front.startError?.file == front.source.file && front.startError?.line == 2)
        #expect(front.source.readings == 1 && front.composer.count == 0)
        #expect(front.summary.hasPrefix("waiting for a valid configuration: \(front.source.file)"))
        #expect(!front.daemon.executor.isolated { front.front.isInOrder } && !front.isBusy)
        // Once.
        front.start()
        front.daemon.settle()
        #expect(front.source.readings == 1)
    }

    @Test("GetStatus and Monitor need no configuration")
    func status() throws {
        let front = try TestFront(Self.invalid)
        let status = front.call("GetStatus")
        #expect(status["version"] == .string(Release.version) && status["locked"] == true && status["callbackURLs"] == [] && status.lastWords == 1)
        // The store was not opened: nobody knows what is in it.
        #expect(status["users"] == nil && status["credentials"] == nil && status["storeProblem"] == "that waits for a valid configuration")
        #expect(front.call("Monitor").error?.name.hasSuffix("ExpectedMore") == true)
        #expect(!front.call("Monitor", more: true).isFinished)
        #expect(front.call("GetStatus", ["colour": 7]).lastWords == 1)
        #expect(front.source.readings == 1)
    }

    @Test("Every other method reads it again, and says file and line", arguments: Interface.Method.allCases.filter { $0 != .getStatus && $0 != .monitor })
    func refused(method: Interface.Method) throws {
        let front = try TestFront(Self.invalid)
        for reading in 2...3 {
            expectInvalid(front.call(method.rawValue, more: true), front)
            #expect(front.source.readings == reading)
        }
        #expect(!front.isBusy)
    }

    @Test("A method that does not exist is an internal error, whatever the configuration", arguments: [ConfiguredDaemonTests.invalid, TestApplication.example])
    func unknown(toml: String) throws {
        let front = try TestFront(toml)
        let reply = front.call("MakeCoffee")
        #expect(reply.errorName == "InternalError" && reply.lastWords == 1 && front.source.readings == 1)
    }

    @Test("It is reported once, however often it is read; another mistake is told again")
    func toldOnce() throws {
        let front = try TestFront(Self.invalid)
        let monitor = front.call("Monitor", more: true)
        for _ in 0..<5 { expectInvalid(front.call("SignInAnonymously"), front) }
        expectInvalid(front.call("Reload"), front)
        #expect(front.source.readings == 7 && front.refusals.count == 1 && monitor.replies.isEmpty)
        try front.write("[provider.work]\nkind = \"none such\"\n")
        for _ in 0..<3 { front.call("SignInAnonymously") }
        #expect(front.refusals.count == 2 && monitor.replies.map { $0["kind"] } == ["configurationRefused"])
        // Back to the first one: that is news again.
        try front.write(Self.invalid)
        front.call("SignInAnonymously")
        #expect(front.refusals.count == 3)
    }

    @Test("Browsers are told what is wrong")
    func browsers() throws {
        let front = try TestFront(Self.invalid)
        #expect(problem(front)?.contains("config.toml") == true && front.source.readings == 2)
        try front.write(TestApplication.example)
        #expect(problem(front) == nil && front.daemon.executor.isolated { front.front.isInOrder })
        // A certificate that cannot be read, for instance: it is looked for again.
        front.daemon.listener.status = .unusable(ConfigurationError(file: "cert.pem", message: "cannot be read"))
        #expect(problem(front)?.contains("cert.pem") == true && !front.daemon.executor.isolated { front.front.isInOrder })
        front.daemon.listener.next = FakeListener.held
        #expect(problem(front) == nil && front.daemon.executor.isolated { front.front.isInOrder })
        #expect(front.source.readings == 3)
    }

    private func problem(_ front: TestFront) -> String? {
        let (daemon, told) = (front.front, Recorded<String?>())
        DaemonActor.start { told.value = .some(await daemon.configurationProblem()) }
        front.daemon.settle()
        return told.value ?? "not answered"
    }

    @Test("Before the start nothing is read")
    func unstarted() throws {
        let front = try TestFront(TestApplication.example, isStarted: false)
        #expect(front.call("SignInAnonymously").errorName == "ConfigurationInvalid")
        #expect(front.summary == "starting" && front.source.readings == 0)
        front.start()
        front.daemon.settle()
        #expect(front.call("SignInAnonymously").error == nil && front.startError == nil && front.source.readings == 1)
    }

    // MARK: When it becomes valid

    @Test("It becomes valid by Reload, or by the next call, and is reported once", arguments: ["Reload", "SignInAnonymously"])
    func becomesValid(method: String) throws {
        let front = try TestFront(Self.invalid)
        let monitor = front.call("Monitor", more: true)
        try front.write(TestApplication.example)
        #expect(front.call("GetStatus")["locked"] == true)
        let reply = front.call(method)
        #expect(reply.error == nil && reply.lastWords == 1)
        #expect(front.composer.count == 1 && front.source.readings == 2)
        #expect(monitor.replies.map { $0["kind"] }.first == "configurationReloaded")
        #expect(front.call("GetStatus")["users"] == (method == "Reload" ? 0 : 1) && front.call("GetStatus")["locked"] == false)
        #expect(front.summary == "serving")
        // From now on nobody reads it who does not say so, and an invalid one changes nothing.
        try front.write(Self.invalid)
        #expect(front.call("SignInAnonymously").error == nil && front.source.readings == 2)
        #expect(front.call("Reload").errorName == "ConfigurationInvalid")
        #expect(front.call("SignInAnonymously").error == nil && front.composer.count == 1)
    }

    @Test("Those who call while it is read share the next reading", arguments: [true, false])
    func sharing(isValid: Bool) throws {
        let front = try TestFront(Self.invalid)
        front.source.isHeld = true
        if isValid { try front.write(TestApplication.example) }
        let first = front.call("SignInAnonymously")
        let others = (0..<10).map { front.call("SignInAnonymously", ["app": .string("app-\($0)")]) }
        let reload = front.call("Reload")
        #expect(front.source.readings == 2 && front.isBusy && !first.isFinished)
        front.daemon.executor.isolated { front.source.release() }
        front.daemon.settle()
        for reply in [first, reload] + others {
            #expect(reply.lastWords == 1)
            if isValid { #expect(reply.error == nil) } else { expectInvalid(reply, front) }
        }
        // One that is valid is read no more.
        #expect(front.source.readings == (isValid ? 2 : 3) && front.composer.count == (isValid ? 1 : 0) && !front.isBusy)
    }

    @Test("What was written while it was read counts for those who called after")
    func writtenMeanwhile() throws {
        try everyInterleaving {
            try corrected()
        } first: {
            $0.call("SignInAnonymously", ["app": "first"], settling: false)
        } second: {
            $0.call("Reload", settling: false)
        } check: { front, first, reload, moment in
            #expect(first.error == nil && first.lastWords == 1 && reload.error == nil && reload.lastWords == 1, moment)
            #expect(front.composer.count == 1 && front.call("GetStatus")["users"] == 1, moment)
            return ""
        }
    }

    // MARK: Somebody goes meanwhile

    /// The file is being read for a program that left since.
    private func leftWhileRead(oneway: Bool = false) throws -> TestFront {
        let front = try corrected()
        front.source.isHeld = true
        front.daemon.leave(front.call("SignInAnonymously", ["app": "leaving"], oneway: oneway))
        return front
    }

    private func readingEnds(_ front: TestFront) { front.daemon.executor.isolated { front.source.release() } }

    @Test("Nothing is begun for a program that left while it was read")
    func left() throws {
        try everyInterleaving {
            try leftWhileRead()
        } first: {
            readingEnds($0)
        } second: {
            $0.call("SignInAnonymously", ["app": "staying"], settling: false)
        } check: { front, _, staying, moment in
            #expect(staying.error == nil && staying.lastWords == 1, moment)
            #expect(front.call("GetStatus")["users"] == 1 && !front.isBusy, moment)
            return ""
        }
    }

    @Test("A oneway call is carried out even if its program has disconnected")
    func oneway() throws {
        let front = try leftWhileRead(oneway: true)
        readingEnds(front)
        front.daemon.settle()
        #expect(front.call("GetStatus")["users"] == 1)
    }

    @Test("The daemon ends at any time of a reading: each call is answered once, and none begins after that", arguments: [true, false])
    func ending(isValid: Bool) throws {
        let endings = try everyInterleaving {
            try isValid ? corrected() : TestFront(Self.invalid)
        } first: {
            $0.call("SignInAnonymously", settling: false)
        } second: {
            $0.takeNothingNew()
            return ($0.workEnds(), $0.call("SignInAnonymously", ["app": "late"], settling: false))
        } check: { front, reply, ending, moment in
            let (ended, late) = ending
            #expect(ended.value == true && !front.isBusy, moment)
            #expect(late.errorName == "InternalError" && late.message.contains("stopping") && late.lastWords == 1, moment)
            for method in ["GetStatus", "Reload"] { #expect(front.call(method).errorName == "InternalError", moment) }
            #expect(reply.lastWords == 1, moment)
            guard isValid else {
                expectInvalid(reply, front)
                return "refused"
            }
            guard reply.error != nil else { return "served" }
            #expect(reply.message.contains("stopping"), moment)
            return "ending"
        }
        #expect(Set(endings.keys) == (isValid ? ["served", "ending"] : ["refused"]))
    }

    @Test("A reading that does not end delays the shutdown no longer than its limit")
    func hangingReading() throws {
        let front = try TestFront(Self.invalid)
        front.source.isHeld = true
        front.call("SignInAnonymously")
        front.takeNothingNew()
        let ended = front.workEnds(within: 35_000)
        front.daemon.pass(seconds: 34)
        #expect(ended.value == nil)
        front.daemon.pass(seconds: 1)
        #expect(ended.value == true)
        front.daemon.executor.isolated { front.source.release() }
        front.daemon.settle()
    }
}
