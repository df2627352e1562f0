import BridgeCore

/// A session as text. What happens to it:
///
///     C> {"id":1,"method":"ping"}                    a line of the client
///     C>|                                             the client closes its side
///     S< 2 200 application/json; Retry-After: 3       an answer begins: the exchange, the status, the Content-Type, fields
///     S< 2 {"id":1,"result":{}}                       bytes of it; `\n` is a line end
///     S< 2 |                                          its end
///     S! 2 interrupted cut off                        it failed; with `late` before the kind, after it may have reached the server
///     T> 2                                            the time to take up again is over
///
/// What it does about it stands below it, as it does it:
///
///     > 2 POST session s {"id":…}                     a request, with these fields; `first` while it may wait for a person, `=` for the client's last line
///     < {"id":1,"result":{}}                          a line to the client
///     x 2                                             an exchange is closed
///     wait 2 1000                                     until it is taken up again
///     tell …, pause, go on, end 0
///
/// `"jsonrpc":"2.0",` is left out, and so are the fields that every POST has, if they are right. `@` is the `_meta` of a request of
/// 2026-07-28, `session s` stands for the fields of 2025-11-25, and `stateless M` for those of 2026-07-28.
struct Trace {
    private var session = StreamableSession(url: "https://mcp.example.com/mcp")
    private var lastLine = ""
    private(set) var actions: [String] = []

    /// What really happens, in the form of `text`. `before` comes first and is not shown.
    static func run(_ text: String, after before: String = "") -> String {
        var trace = Trace()
        for line in before.split(separator: "\n") { if let event = trace.event(line) { _ = trace.happen(event) } }
        var lines: [String] = []
        for line in text.split(separator: "\n") {
            guard let event = trace.event(line) else { continue }
            lines.append(String(line))
            lines += trace.happen(event)
        }
        return lines.joined(separator: "\n")
    }

    mutating func happen(_ event: SessionEvent) -> [String] { session.handle(event).compactMap { show($0) } }

    private mutating func event(_ line: Substring) -> SessionEvent? {
        let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard words.count > 1 || line == "C>|" else { return nil }
        switch words[0] {
        case "C>":
            lastLine = full(line.dropFirst(3))
            return .line(Array(lastLine.utf8))
        case "C>|": return .inputEnded
        case "T>": return .elapsed(.resume(id(words[1])))
        case "S<": return answer(id(words[1]), words[2])
        case "S!":
            var rest = words[2].split(separator: " ").map(String.init)
            let isLate = rest.first == "late"
            if isLate { rest.removeFirst() }
            let kinds: [String: BridgeFailure.Kind] = [
                "personNeeded": .personNeeded, "daemon": .daemon, "unreachable": .unreachable, "interrupted": .interrupted,
            ]
            let message = rest.dropFirst().joined(separator: " ")
            return .failed(id(words[1]), BridgeFailure(kinds[rest[0]] ?? .daemon, message, mayHaveReachedServer: isLate))
        default: return nil
        }
    }

    private func answer(_ id: ExchangeID, _ text: String) -> SessionEvent {
        if text == "|" { return .ended(id) }
        guard let status = Int(text.prefix(3)), text.utf8.dropFirst(3).first ?? 32 == 32 else {
            return .received(id, Array(full(text).split(separator: #"\n"#, omittingEmptySubsequences: false).joined(separator: "\n").utf8))
        }
        var headers: [(name: String, value: String)] = []
        for (index, field) in text.dropFirst(4).split(separator: "; ").enumerated() {
            let parts = field.split(separator: ": ", maxSplits: 1).map(String.init)
            if parts.count == 2 { headers.append((parts[0], parts[1])) } else if index == 0 { headers.append(("Content-Type", parts[0])) }
        }
        return .answered(id, BridgeAnswer(status: status, headers: headers))
    }

    private func id(_ word: String) -> ExchangeID { ExchangeID(Int(word) ?? 0) }
    private static let abbreviations = [
        ("@", #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#),
        ("stateless ", "MCP-Protocol-Version: 2026-07-28; Mcp-Method: "),
        ("session ", "MCP-Protocol-Version: 2025-11-25; Mcp-Session-Id: "),
    ]

    private func full(_ text: some StringProtocol) -> String {
        let text = ["id", "method", "error"].reduce(String(text)) { text, name in
            // Not the error within a message.
            name == "error" && !text.hasPrefix("{\"error") ? text : replace(text, "{\"\(name)\":", "{\"jsonrpc\":\"2.0\",\"\(name)\":")
        }
        return replace(text, "@", Self.abbreviations[0].1)
    }

    private func short(_ text: String) -> String {
        Self.abbreviations.reduce(replace(text, "\"jsonrpc\":\"2.0\",", "")) { replace($0, $1.1, $1.0) }
    }

    private func replace(_ text: String, _ old: String, _ new: String) -> String {
        text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }

    private func show(_ action: SessionAction) -> String? {
        switch action {
        case .send(let id, let request, let isFirst): "> \(id.number)\(isFirst ? " first" : "") \(show(request))"
        case .cancel(let id): "x \(id.number)"
        case .write(let line): "< \(short(String(decoding: line, as: UTF8.self)))"
        case .wait(.resume(let id), let milliseconds): "wait \(id.number) \(milliseconds)"
        case .wait(.rest, _): nil
        case .tell(let text): "tell \(text)"
        case .pauseInput(let isPaused): isPaused ? "pause" : "go on"
        case .end(let status): "end \(status)"
        }
    }

    private func show(_ request: BridgeRequest) -> String {
        let usual = [
            "POST": ["Accept: application/json, text/event-stream", "Content-Type: application/json"], "GET": ["Accept: text/event-stream"],
        ]
        var fields = request.headers.map { "\($0.name): \($0.value)" }
        if let expected = usual[request.method], fields.starts(with: expected) { fields.removeFirst(expected.count) }
        var parts = [request.method]
        if !fields.isEmpty { parts.append(short(fields.joined(separator: "; "))) }
        if case .bytes(let bytes) = request.body {
            let body = String(decoding: bytes, as: UTF8.self)
            parts.append(body == lastLine ? "=" : short(body))
        }
        return parts.joined(separator: " ")
    }
}
