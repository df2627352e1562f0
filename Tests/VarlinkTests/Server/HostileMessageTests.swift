import HostileFiles
import StrictJSON
import Testing

/// Each file of `Hostile`, over a real socket. The first line names the replies, each with the byte that ends it, and
/// then what becomes of the connection: `open` (another call is answered), `closed` (by the server, unasked), or
/// `half-closed` (the client shuts its side down after the last byte, is answered, and then the server closes).
@Suite("Hostile messages")
struct HostileMessageTests {
    static let cases = HostileFile.all(in: "Hostile", up: 1)

    @Test("the table is there")
    func tableIsThere() { #expect(Self.cases.count > 80) }

    @Test("each message has the outcome on its first line", arguments: cases)
    func outcome(of file: HostileFile) throws {
        let server = try TestServer()
        let bystander = try server.connect()
        let client = try server.connect()
        let end = try #require(file.outcome.split(separator: " ").last.map(String.init))
        try client.send(file.input)
        let received: String
        switch end {
        case "open": received = try receiveUntilProbe(client)
        case "half-closed":
            client.shutdownSending()
            received = try client.receiveAll()
        default: received = try client.receiveAll()
        }
        #expect((Self.replies(in: received) + [end]).joined(separator: " ") == file.outcome)

        // Nobody else notices.
        try bystander.send(Self.probe)
        #expect(try bystander.receive().contains("probe"))
    }

    private static let probe = #"{"method":"org.example.test.Echo","parameters":{"text":"probe"}}"# + "\0"

    private func receiveUntilProbe(_ client: RawClient) throws -> String {
        try client.send(Self.probe)
        var received = ""
        while true {
            let message = try client.receive()
            let isProbe = message.hasSuffix(#"{"parameters":{"text":"probe"}}"#)
            received += isProbe ? String(message.dropLast(#"{"parameters":{"text":"probe"}}"#.count)) : message + "\0"
            if isProbe { return received }
        }
    }

    private static func replies(in stream: String) -> [String] {
        var replies: [String] = []
        var rest = stream.utf8[...]
        while let end = rest.firstIndex(where: { $0 == 0 || $0 == 0x0A }) {
            let ending = rest[end] == 0 ? "nul" : "newline"
            let message = String(Substring(rest[..<end]))
            if message.isEmpty, !replies.isEmpty {
                replies[replies.count - 1] += "+\(ending)"
            } else {
                replies.append("\(summary(of: message))/\(ending)")
            }
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? replies : replies + ["cut: \(Substring(rest))"]
    }

    private static func summary(of message: String) -> String {
        guard let reply = try? JSON(parsing: message).objectValue else { return "unreadable: \(message)" }
        guard let error = reply["error"]?.stringValue else { return reply["continues"] == true ? "continued" : "reply" }
        let parameter = reply["parameters"]?.objectValue?.members.first?.value.stringValue
        let name = error.split(separator: ".").last ?? ""
        return parameter.map { "\(name)(\($0))" } ?? String(name)
    }
}
