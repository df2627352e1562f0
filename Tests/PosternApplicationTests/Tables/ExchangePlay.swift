import StrictJSON

@testable import CallbackServer
@testable import PosternApplication
@testable import PosternCore

/// One case, from its configuration to its end.
///
/// Unchecked: one test uses it, step by step.
final class ExchangePlay: @unchecked Sendable {
    typealias Part = ExchangeCase.Part

    /// On loopback, where everything may be a provider's.
    static let origin = "http://127.0.0.1:9000"
    static let listener = "http://127.0.0.1:7678"

    let example: ExchangeCase
    /// What the provider is still to be asked, and its answers.
    var script: [(request: Part, answer: Part)] = []
    var complaints: [String] = []
    /// The parameters of the last authorization URL.
    var query: [String: String] = [:]
    private(set) var daemon: TestApplication

    init(_ example: ExchangeCase) throws {
        self.example = example
        daemon = try TestApplication(Self.filled(example.configuration, with: [:]))
        answerRequests()
    }

    func run() throws {
        for scene in try example.scenes() { try play(scene) }
        daemon.settle()
        if !complaints.isEmpty { throw TestFailure(complaints.joined(separator: "; ")) }
    }

    private func play(_ whole: [Part]) throws {
        var scene = whole
        if scene[0].word == "restart" {
            scene.removeFirst()
            try restart()
        }
        script = try Self.script(of: scene)
        let outcome = scene[scene.count - 1]
        let isCall = scene[0].word == "call"
        let reply = try isCall ? call(scene[0]) : signIn(scene)
        wait { reply.isFinished }
        // A request that the daemon makes on its own initiative may follow its reply.
        wait { script.isEmpty || !complaints.isEmpty }
        try outcome.require(complaints.isEmpty, complaints.joined(separator: "; "))
        try check(outcome, reply, isCall: isCall)
        try script.first?.request.require(false, "this request never came")
    }

    private func check(_ outcome: Part, _ reply: RecordedReply, isCall: Bool) throws {
        if let error = reply.error {
            try outcome.require(outcome.word == "fails" && outcome.rest == reply.errorName, "\(error.name): \(reply.message)")
            return try outcome.check(.object(error.object), filling: filled)
        }
        try outcome.require(reply.isFinished, "there is no answer")
        try outcome.require(outcome.word != "fails", "no error, but \(reply.replies.map { JSON.object($0).text })")
        try outcome.check(isCall ? .object(reply.replies.last ?? [:]) : Self.result(reply.event ?? [:]), filling: filled)
    }

    /// Time passes while something is still to come, as long as a program would wait.
    private func wait(until isOver: () -> Bool) {
        daemon.settle()
        for _ in 0..<30 where !isOver() { daemon.pass(seconds: 1) }
    }

    private func restart() throws {
        daemon.dropStore()
        let past = daemon.clock.now.seconds - FakeClock().now.seconds
        daemon = try daemon.followed(configuration: filled(example.configuration), after: past)
        answerRequests()
    }

    // MARK: Texts

    func filled(_ text: String) -> String { Self.filled(text, with: query, now: daemon.clock.now) }

    static func filled(_ text: String, with query: [String: String], now: Timestamp = FakeClock().now) -> String {
        let known = query.merging(["origin": origin, "daemon": listener, "now": "\(now.seconds)"]) { $1 }
        return text.replacing(#/\$\{([\w.-]+)\}/#) { known[String($0.1)] ?? String($0.0) }
    }

    /// A path is the provider's.
    func url(_ text: String) -> String { filled(text.contains("://") ? text : "${origin}" + text) }

    /// The text after a part's first word and below it, as JSON.
    func object(_ part: Part, _ first: String) throws -> JSONObject {
        let text = ([first] + part.lines).joined(separator: " ")
        let object = try JSON(parsing: filled(text.allSatisfy(\.isWhitespace) ? "{}" : text)).objectValue
        guard let object else { throw TestFailure("\(part.place): this is no object") }
        return object
    }

    // MARK: A sign-in and a call

    private func call(_ part: Part) throws -> RecordedReply {
        let (method, given) = part.rest.cut(" ")
        let isAboutProvider = ["GetAccessToken", "RevokeCredential"].contains(method)
        return daemon.call(method, try object(part, given).onto(isAboutProvider ? ["providerID": .string(example.provider)] : [:]))
    }

    private func signIn(_ scene: [Part]) throws -> RecordedReply {
        let waits = scene.contains { ["back", "code"].contains($0.word) }
        var asked: JSONObject = ["providerID": .string(example.provider)]
        if waits { asked["presentation"] = "client" }
        for part in scene where part.word == "ask" { asked = try object(part, part.rest).onto(asked) }
        let reply = daemon.call("SignIn", asked, more: true)
        guard waits, let event = reply.replies.first?["event"]?.objectValue else { return reply }
        let url = event["authorizationURL"]?.stringValue?.cut("?")
        query = try FormEncoding.pairs((url?.1 ?? "").utf8)
        var page = ""
        for part in scene {
            switch part.word {
            case "page":
                try part.require(url?.0 == self.url(part.rest), "the page is \(url?.0 ?? "none")")
                try part.check(JSON(query), of: "the page's ", filling: filled)
            case "code": try part.check(.object(event), of: "the event's ", filling: filled)
            case "back": page = try comeBack(part)
            case "shown":
                try part.require(complaints.isEmpty, complaints.joined(separator: "; "))
                for line in part.lines {
                    let (sign, text) = filled(line).cut(" ")
                    try part.require(page.contains(text) == (sign == "~"), "\(line), but the page is \(page)")
                }
            default: break
            }
        }
        return reply
    }

    static func result(_ event: JSONObject) -> JSON {
        let result = event["result"]?.objectValue
        let info = result?["additionalUserInfo"]
        return .object([
            "credential": event["credential"] ?? .null, "user": result?["user"] ?? .null, "operation": result?["operation"] ?? .null,
            "info": info ?? .null, "profile": info?.objectValue?["profile"] ?? .null,
        ])
    }

    /// The browser comes back, as the callback listener tells.
    ///
    /// - Returns: the page that it gets.
    private func comeBack(_ part: Part) throws -> String {
        var sent = query.filter { $0.key == "state" }
        for line in part.lines {
            let (name, text) = line.cut(" ")
            if name == "not" { sent[text] = nil } else { sent[name] = filled(String(text.dropFirst(2))) }
        }
        let (method, path) = part.rest.cut(" ")
        let registered = query["redirect_uri"].map { String(URIParts($0).path) } ?? "/__/auth/handler"
        let callback = LoopbackCallback(
            path: path.isEmpty ? registered : path,
            parameters: try CallbackParameters(parsing: PercentEncoding.form(sent.map { (name: $0.key, value: $0.value) })),
            method: method == "POST" ? .post : .get)
        let page = Recorded<[UInt8]>()
        let application = daemon.application
        DaemonActor.start {
            let callbacks = application.callbacks
            let (disposition, strings) = (await callbacks.redirectReturned(callback), EnglishStrings())
            if case .taken(let id) = disposition {
                page.value = Page.result(ResultPageState(await callbacks.result(ofPage: id)), strings: strings).response().body
            } else {
                page.value = CallbackRouter.response(to: disposition, strings: strings).body
            }
        }
        wait { page.value != nil }
        return String(decoding: page.value ?? [], as: UTF8.self)
    }
}

extension JSONObject {
    /// The other object with these members in addition.
    func onto(_ other: JSONObject) -> JSONObject { members.reduce(into: other) { $0[$1.key] = $1.value } }
}
