import BridgeCore
import LoopbackHTTP
import NIOCore

/// What `postern exec --proxy` lets a command do.
final class ProxyPolicy: FrontPolicy {
    private let rules: ProxyRules
    private let eventLoop: any EventLoop
    private let notice: ProxyNotice

    init(_ rules: ProxyRules, notice: ProxyNotice, eventLoop: any EventLoop) {
        self.rules = rules
        self.notice = notice
        self.eventLoop = eventLoop
    }

    func admit(_ head: RequestHead) -> EventLoopFuture<FrontVerdict> {
        let asked = ProxyRules.Head(method: head.method, target: head.target, authority: head.authority, fields: head.headers)
        let verdict: FrontVerdict
        do throws(ProxyRefusal) {
            verdict = .admitted(ProxiedRequest(try rules.admit(asked), of: head, notice: notice))
        } catch {
            verdict = .refused(.refusal(error.status, error.message, headers: error.allow.map { [("Allow", $0)] } ?? []))
        }
        let promise = eventLoop.makePromise(of: FrontVerdict.self)
        promise.assumeIsolated().succeed(verdict)
        return promise.futureResult
    }

    func refusal(of fault: RequestFault) -> ServerResponse { .refusal(fault.status, "\(fault)") }
}

extension ServerResponse {
    /// Who reads it must see that it is not the server's.
    fileprivate static func refusal(_ status: Int, _ message: String, headers: [(name: String, value: String)] = []) -> ServerResponse {
        .sentence(status, "postern: \(message)", headers: headers)
    }
}

private final class ProxiedRequest: FrontPassage {
    let request: BridgeRequest
    let account: String?
    /// The command would only seem to hang. Its user is told.
    let waitsForPerson = TimeAmount.zero
    let collectsBody: Int?
    private let passage: ProxyPassage
    private let notice: ProxyNotice

    /// A body of this length or less is kept, so that the request can be sent again with a renewed token.
    private static let mostKept = 64 * 1024

    init(_ passage: ProxyPassage, of head: RequestHead, notice: ProxyNotice) {
        self.passage = passage
        self.notice = notice
        request = passage.request
        account = passage.account
        if case .length(let length) = head.body, length <= Self.mostKept { collectsBody = Self.mostKept } else { collectsBody = nil }
    }

    func answer(to answer: BridgeAnswer, body: [UInt8]) -> FrontAnswer {
        notice.works(passage.account)
        return .passed(passage.answer(answer))
    }

    func answer(to failure: BridgeFailure, body: [UInt8]) -> ServerResponse {
        notice.tell(failure, of: passage.account)
        switch failure.kind {
        // Not 401: a program would ask for a password. Not 5xx: some send the request again and again.
        case .personNeeded: return .refusal(403, failure.message)
        case .daemon, .unreachable, .interrupted: return .refusal(502, failure.sentence)
        }
    }
}

/// What the user is told on standard error: the command may show nothing of an answer. Once, until it works again.
final class ProxyNotice {
    private var told: [String: String] = [:]
    private let write: (String) -> Void

    init(_ write: @escaping (String) -> Void) { self.write = write }

    func tell(_ failure: BridgeFailure, of account: String) {
        guard failure.kind == .personNeeded || failure.kind == .daemon, told[account] != failure.message else { return }
        told[account] = failure.message
        write(failure.message)
    }

    func works(_ account: String) { told[account] = nil }
}
