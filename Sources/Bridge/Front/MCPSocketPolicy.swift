import BridgeCore
import LoopbackHTTP
import NIOCore

/// Finds the URL of an `[mcp.NAME]`.
protocol MCPServerNames: AnyObject {
    /// - Parameter done: with nil if there is no server of that name.
    func find(_ name: String, then done: @escaping (Result<String?, BridgeFailure>) -> Void)
}

/// The MCP socket: `/NAME` is the server of `[mcp.NAME]`.
///
/// A client starts a sign-in of its own where it meets 401, 403 or metadata of an authorization server, so that it meets none of these:
/// what is missing is told in an error of JSON-RPC.
final class MCPSocketPolicy: FrontPolicy {
    private let names: any MCPServerNames
    private let eventLoop: any EventLoop
    /// For which the first request of a client waits for a sign-in.
    private let patience: TimeAmount

    init(names: any MCPServerNames, eventLoop: any EventLoop, patience: TimeAmount = .seconds(8)) {
        self.names = names
        self.eventLoop = eventLoop
        self.patience = patience
    }

    func admit(_ head: RequestHead) -> EventLoopFuture<FrontVerdict> {
        let promise = eventLoop.makePromise(of: FrontVerdict.self)
        decide(head) { promise.assumeIsolated().succeed($0) }
        return promise.futureResult
    }

    private func decide(_ head: RequestHead, then done: @escaping (FrontVerdict) -> Void) {
        func refuse(_ status: Int, _ text: String, headers: [(name: String, value: String)] = []) {
            done(.refused(.sentence(status, text, headers: headers)))
        }
        // Programs send none; a page that found a way to this socket does.
        guard head.header("Origin") == nil else { return refuse(400, "this socket is not for browsers: the request has an Origin") }
        guard let name = MCPSocketRules.name(inTarget: head.target) else {
            return refuse(404, "nothing is here: the path is /NAME, with a name of postern mcp list")
        }
        guard MCPSocketRules.methods.contains(head.method) else {
            return refuse(
                405, "MCP uses only POST, GET and DELETE", headers: [("Allow", MCPSocketRules.methods.joined(separator: ", "))])
        }
        let patience = patience
        names.find(name) { result in
            switch result {
            case .success(let url?): done(.admitted(MCPSocketPassage(head, name: name, url: url, patience: patience)))
            case .success(nil): refuse(404, "there is no MCP server \"\(name)\"; postern mcp list shows them")
            case .failure(let failure): done(.failed(MCPSocketPassage(head, name: name, url: "", patience: patience), failure))
            }
        }
    }

    func refusal(of fault: RequestFault) -> ServerResponse {
        fault == .bodyTooLarge
            ? .sentence(fault.status, "a message has more than 16 MiB; larger ones are not passed on") : .sentence(fault.status, "\(fault)")
    }
}

/// One request of a client of the MCP socket.
final class MCPSocketPassage: FrontPassage {
    let request: BridgeRequest
    let account: String?
    let waitsForPerson: TimeAmount
    let collectsBody: Int? = MCPSocketRules.bodyBytes

    init(_ head: RequestHead, name: String, url: String, patience: TimeAmount) {
        request = BridgeRequest(method: head.method, url: url, headers: MCPSocketRules.passed(toServer: head.headers))
        account = name
        waitsForPerson = MCPSocketRules.isFirst(method: head.method, headers: head.headers) ? patience : .zero
    }

    func answer(to answer: BridgeAnswer, body: [UInt8]) -> FrontAnswer {
        guard let objection = MCPSocketRules.objection(to: answer) else {
            return .passed(BridgeAnswer(status: answer.status, headers: MCPSocketRules.passed(toClient: answer.headers)))
        }
        return .replaced(error(code: MCPErrorCode.httpStatus, objection, isPassing: false, body: body))
    }

    func answer(to failure: BridgeFailure, body: [UInt8]) -> ServerResponse {
        error(code: failure.kind.errorCode, failure.sentence, isPassing: failure.kind != .interrupted, body: body)
    }

    /// - Parameter isPassing: the same request may succeed later.
    private func error(code: Int64, _ message: String, isPassing: Bool, body: [UInt8]) -> ServerResponse {
        guard request.method == "POST" else {
            // Nobody reads an error of JSON-RPC here. Not 4xx: clients take that for good.
            return isPassing ? .sentence(503, message, headers: [("Retry-After", "5")]) : .sentence(502, message)
        }
        do throws(MCPReadError) {
            guard let errors = try MCPSocketRules.errors(for: body, code: code, message: message) else {
                return ServerResponse(status: 202)
            }
            return Self.json(200, errors)
        } catch {
            return Self.json(400, MCPError.line(error))
        }
    }

    private static func json(_ status: Int, _ body: [UInt8]) -> ServerResponse {
        ServerResponse(status: status, headers: [("Content-Type", "application/json")], body: body)
    }
}
