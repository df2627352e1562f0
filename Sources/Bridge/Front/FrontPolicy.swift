import BridgeCore
import LoopbackHTTP
import NIOCore

/// What a front lets through. Everything is called on its event loop.
protocol FrontPolicy: AnyObject {
    /// Decides by the head alone; the body is not read before.
    ///
    /// - Returns: a failed future is answered with 500.
    func admit(_ head: RequestHead) -> EventLoopFuture<FrontVerdict>

    /// The answer to a request that broke a rule of HTTP, or came too slowly. The connection ends after it.
    func refusal(of fault: RequestFault) -> ServerResponse
}

extension FrontPolicy {
    func refusal(of fault: RequestFault) -> ServerResponse { .sentence(fault.status, "\(fault)") }
}

enum FrontVerdict {
    /// The body is not read; the connection ends after the answer if there is one.
    case refused(ServerResponse)
    case admitted(any FrontPassage)
    /// Nothing is sent; the client gets the passage's answer to the failure, once the body that the passage collects has been read.
    case failed(any FrontPassage, BridgeFailure)
}

/// One request that is let through, and the rules for its answer.
protocol FrontPassage: AnyObject {
    /// What is sent, without its body: the front adds that of the client's request.
    var request: BridgeRequest { get }
    /// The NAME of the configuration or the provider that is used; nil for the one whose tokens are for the URL.
    var account: String? { get }
    /// For how long the request waits for a sign-in before it fails.
    var waitsForPerson: TimeAmount { get }
    /// The whole body is read before the request is sent, so that it can be sent again, and is refused with 413 if it has more bytes; nil
    /// passes it on as it arrives, of any length.
    var collectsBody: Int? { get }

    /// What the client gets of an answer. Fields of the connection are removed before, and those that frame the message after it.
    ///
    /// - Parameter body: of the client's request, if it was collected.
    func answer(to answer: BridgeAnswer, body: [UInt8]) -> FrontAnswer
    /// What the client gets where no answer came. Not asked once an answer has begun: then the connection is cut.
    func answer(to failure: BridgeFailure, body: [UInt8]) -> ServerResponse
}

enum FrontAnswer {
    /// This head, and the body of the server's answer.
    case passed(BridgeAnswer)
    /// Nothing of the server's answer.
    case replaced(ServerResponse)
}

extension ServerResponse {
    /// A sentence for a person, as text.
    static func sentence(_ status: Int, _ text: String, headers: [(name: String, value: String)] = []) -> ServerResponse {
        ServerResponse(status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers, body: Array("\(text)\n".utf8))
    }
}
