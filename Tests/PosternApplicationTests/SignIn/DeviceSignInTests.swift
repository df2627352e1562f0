import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// The flow is the one that the program names, else the one that people prefer, as far as the program and the provider can use it.
@Suite("A sign-in with a code for another device", .serialized)
struct DeviceSignInTests {
    private static let code =
        #"{"device_code":"dc-secret","user_code":"UC-SECRET","verification_uri":"https://work.example/go","expires_in":900,"interval":5}"#

    private func begin(_ daemon: TestApplication, _ further: JSONObject = [:], at providerID: String = "work", more: Bool = true) -> RecordedReply {
        var all: JSONObject = ["providerID": .string(providerID), "presentation": "client"]
        for member in further.members { all[member.key] = member.value }
        return daemon.call("SignIn", all, more: more)
    }

    private func flow(_ reply: RecordedReply) -> String? {
        switch (reply.event?["userCode"], reply.event?["authorizationURL"]) {
        case (_?, nil): "device"
        case (nil, _?): "browser"
        default: reply.errorName
        }
    }

    @Test(
        "begins where the configuration prefers one and the program names no flow, unless it could not show the code",
        arguments: [("", "", "browser"), ("device", "", "device"), ("", "device", "device"), ("device", "browser", "browser"), ("browser", "device", "device")])
    func preferred(everywhere: String, here: String, expected: String) throws {
        func line(_ flow: String) -> String { flow.isEmpty ? "\n" : "\nflow = \"\(flow)\"\n" }
        let daemon = try TestApplication(TestApplication.example + line(here) + "[sign-in]" + line(everywhere))
        daemon.providerAnswers()
        #expect(flow(begin(daemon)) == expected)
        #expect(flow(begin(daemon, ["app": "a", "flow": "browser"])) == "browser" && flow(begin(daemon, ["app": "b", "flow": "device"])) == "device")
        let blind = daemon.call("SignIn", ["providerID": "work", "app": "c"])
        #expect(!blind.isFinished && daemon.pages.opened.count == 1)
    }

    @Test("is refused to a program that would not learn the code, as a page is to one that would not learn its address")
    func unheard() throws {
        let daemon = try TestApplication()
        for further: JSONObject in [["flow": "device"], ["flow": "device", "presentation": "daemon"], [:]] {
            #expect(begin(daemon, further, more: false).errorName == "ExpectedMore")
        }
        try daemon.reload(TestApplication.example + "\nbrowser = \"none\"\n")
        #expect(daemon.call("SignIn", ["providerID": "work"]).errorName == "ExpectedMore", "nor does the daemon open one")
        #expect(!daemon.isAsked && daemon.sessionStates.isEmpty)
    }

    @Test("is refused where the provider has no such flow, and so is a page")
    func unsupported() throws {
        let endpoint = "device-authorization-endpoint = \"https://work.example/device\"\n"
        let others = """
            [provider."github.com"]
            client-id = "c"
            flow = "device"
            [provider."facebook.com"]
            client-id = "1"
            client-secret = "s"
            """
        let daemon = try TestApplication(TestApplication.example.replacing(endpoint, with: "") + "\n" + others)
        for (providerID, missing) in [("work", "device"), ("facebook.com", "device"), ("github.com", "browser")] {
            let refused = begin(daemon, ["flow": .string(missing)], at: providerID)
            #expect(refused.errorName == "UnsupportedFlow" && refused.error?.object["flow"] == .string(missing), "\(providerID): \(refused.message)")
        }
        let providers = daemon.call("ListProviders")["providers"]?.arrayValue?.compactMap(\.objectValue)
        #expect(providers?.first { $0["providerID"] == "github.com" }?["flows"] == ["device"])
        #expect(providers?.first { $0["providerID"] == "work" }?["flows"] == ["browser"])
        _ = begin(daemon, at: "github.com")
        #expect(daemon.executor.isolated { daemon.provider.sent.map(\.url) } == ["https://github.com/login/device/code"])
    }

    @Test("is refused where only the metadata could name its endpoint, and is then no preference")
    func undiscovered() throws {
        let daemon = try TestApplication(OpenIDProvider.configuration + "\nflow = \"device\"\n")
        try OpenIDProvider().answersDocuments(of: daemon)
        let refused = begin(daemon, ["flow": "device"])
        // The other document is asked, too.
        daemon.answer(status: 404)
        #expect(refused.errorName == "UnsupportedFlow", "\(refused.message)")
        #expect(flow(begin(daemon, ["app": "other"])) == "browser")
    }

    @Test("is refused before a code is requested where the age of the proof that it asks for is no number")
    func maximumAge() throws {
        let daemon = try TestApplication()
        let refused = begin(daemon, ["flow": "device", "customParameters": ["max_age": "soon"]])
        #expect(refused.errorName == "ProviderNotConfigured" && refused.message.contains("max_age must be a number of seconds"))
        #expect(!daemon.isAsked)
    }

    @Test("goes on asking where an answer is lost or is not the provider's, and shows neither codes nor tokens to who only watches")
    func goesOn() throws {
        let daemon = try TestApplication()
        let monitor = daemon.call("Monitor", more: true)
        let reply = begin(daemon, ["flow": "device"])
        daemon.answer(json: Self.code)
        daemon.pass(seconds: 5)
        daemon.fail(mayHaveReachedServer: false)
        daemon.pass(seconds: 10)
        daemon.fail(mayHaveReachedServer: true)
        daemon.pass(seconds: 20)
        daemon.answer(json: "<html>Sign in to this hotel's network</html>")
        daemon.pass(seconds: 40)
        #expect(daemon.polls == 4 && !reply.isFinished)
        daemon.answerToken("at-secret", refreshToken: "rt-secret")
        daemon.answer(json: #"{"id":"42"}"#)
        #expect(reply.isCompleted, "\(reply.message)")
        let told = monitor.replies.map { JSON.object($0).text } + daemon.log.entries.map(\.message)
        #expect(told.contains { $0.contains("resultDelivered") } && !told.contains { $0.contains("secret") || $0.contains("SECRET") })
    }
}
