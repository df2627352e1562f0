import LoopbackHTTP
import NIOCore
import PosternCore

extension CallbackRouter {
    /// On to the page that ends a session, once.
    func endSession(_ request: ServerRequest, strings: any PageStrings, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        guard let id = parameter("page", of: request), id.count <= CallbackRoute.maximumPageIDBytes else {
            return eventLoop.makeSucceededFuture(Page.notice(.linkUsed, status: 404, strings: strings).response())
        }
        return delegate.endSessionPage(id: id.reveal(), on: eventLoop).map { url in
            guard let url else { return Page.notice(.linkUsed, status: 404, strings: strings).response() }
            return ServerResponse(status: 303, headers: [("Location", url.reveal())])
        }
    }

    /// Back from it.
    func signedOut(_ request: ServerRequest, strings: any PageStrings, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        guard let state = parameter("state", of: request) else {
            return eventLoop.makeSucceededFuture(Page.notice(.linkUsed, status: 404, strings: strings).response())
        }
        return delegate.endSessionReturned(state: state, on: eventLoop).map { isKnown in
            Page.notice(isKnown ? .signedOut : .linkUsed, status: isKnown ? 200 : 404, strings: strings).response()
        }
    }

    private func parameter(_ name: String, of request: ServerRequest) -> Secret? {
        (try? CallbackParameters(parsing: (request.query ?? "").utf8))?[name]
    }
}
