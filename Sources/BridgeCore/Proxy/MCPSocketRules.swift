import PosternValues

/// What passes between a client of the MCP socket and a server: the fields of MCP's Streamable HTTP, and no others.
public enum MCPSocketRules {
    /// The most that one message may have.
    public static let bodyBytes = 16 << 20

    public static let methods = ["POST", "GET", "DELETE"]

    /// In both directions, in lower case.
    private static let shared: Set<String> = [
        "accept", "content-type", "last-event-id", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id",
    ]
    private static let parameterPrefix = "mcp-param-"
    private static let ofAnswers: Set<String> = ["cache-control", "retry-after"]

    public static func passed(toServer headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
        headers.filter { isShared($0.name.lowercased()) }
    }

    public static func passed(toClient headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
        headers.filter { header in
            let name = header.name.lowercased()
            return isShared(name) || ofAnswers.contains(name)
        }
    }

    private static func isShared(_ name: String) -> Bool {
        shared.contains(name) || name.utf8.count > parameterPrefix.utf8.count && name.utf8.starts(with: parameterPrefix.utf8)
    }

    /// The NAME of a path that is exactly `/NAME`; nil for any other, `/.well-known/…` included. It is not decoded: no name needs that.
    public static func name(inTarget target: String) -> String? {
        let name = target.utf8.dropFirst()
        guard target.utf8.first == UInt8(ascii: "/"), let first = name.first, first != UInt8(ascii: "."), name.count <= 128 else {
            return nil
        }
        let allowed = name.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return allowed ? String(Substring(name)) : nil
    }

    /// The first request of a client, for which it may wait for a person; later ones have a session or a version.
    public static func isFirst(method: String, headers: [(name: String, value: String)]) -> Bool {
        guard method == "POST" else { return false }
        let discovers = headers.contains { $0.name.isEqualIgnoringCase("mcp-method") && $0.value == "server/discover" }
        return discovers || !headers.contains { ["mcp-session-id", "mcp-protocol-version"].contains($0.name.lowercased()) }
    }

    /// Why an answer must not reach the client, as a sentence; nil if it may.
    ///
    /// A client takes 401 and 403 as the beginning of its own sign-in, 407 as its proxy's, and a redirect would lead it past the bridge.
    public static func objection(to answer: BridgeAnswer) -> String? {
        switch answer.status {
        case 401: "the server does not accept the sign-in (401)"
        case 403: "the server refuses the request (403)"
        case 407: "a proxy on the way to the server requires a sign-in (407)"
        case 300..<400 where answer.status != 304: "the server redirects to another address (\(answer.status)); redirects are not followed"
        default:
            answer.values(of: "Content-Encoding").contains { $0.lowercased() != "identity" }
                ? "the server compressed its answer without being asked" : nil
        }
    }

    /// The answer to a message that failed: an error for each request in it. Nil if there is none that waits for an answer: a notification or
    /// a response.
    public static func errors(for body: [UInt8], code: Int64, message: String) throws(MCPReadError) -> [UInt8]? {
        let batch = try MCPBatch(reading: body)
        let lines = batch.messages.filter { $0.kind == .request }.map { MCPError.line(id: $0.id, code: code, message: message) }
        guard !lines.isEmpty else { return nil }
        guard batch.isArray else { return lines.first }
        return Array("[".utf8) + lines.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8)
    }
}
