import LoopbackHTTP
import NIOCore
import PosternCore

/// Finds the answer to each request.
final class CallbackRouter: HTTPResponder {
    let delegate: any CallbackDelegate
    private let spoken: NIOLoopBoundBox<[PageLanguage]>
    /// Known once the listener is bound, which is before it accepts connections.
    private let authorities: NIOLoopBoundBox<ServedAuthorities>

    init(delegate: any CallbackDelegate, languages: [PageLanguage], eventLoop: any EventLoop) {
        self.delegate = delegate
        spoken = .makeBoxSendingValue(languages, eventLoop: eventLoop)
        authorities = .makeBoxSendingValue(ServedAuthorities(addresses: [], isTLS: false), eventLoop: eventLoop)
    }

    /// The languages of the pages. Used on the event loop.
    var languages: [PageLanguage] {
        get { spoken.value }
        set { spoken.value = newValue }
    }

    func serve(_ authorities: ServedAuthorities) { self.authorities.value = authorities }

    var commonHeaders: [(name: String, value: String)] { SecurityHeaders.all }

    func respond(to request: ServerRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        let strings = PageLanguage.preferred(by: request.header("Accept-Language"), among: languages).strings
        guard authorities.value.contains(request.header("Host")) else {
            return eventLoop.makeSucceededFuture(Page.notice(.wrongHost, status: 421, strings: strings).response())
        }
        let route = CallbackRoute(path: request.path)
        return answer(request, at: route, strings: strings, on: eventLoop).flatMapErrorThrowing { error in
            guard let invalid = error as? ConfigurationInvalid else { throw error }
            return Page.notice(.configurationInvalid, status: 503, strings: strings, detail: invalid.problem).response()
        }
    }

    /// An answer that needs no information from the delegate.
    private func answer(_ response: ServerResponse, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        delegate.pageServed(on: eventLoop).map { response }
    }

    private func answer(
        _ request: ServerRequest, at route: CallbackRoute?, strings: any PageStrings, on eventLoop: any EventLoop
    ) -> EventLoopFuture<ServerResponse> {
        func notice(_ notice: Notice, _ status: Int) -> EventLoopFuture<ServerResponse> {
            answer(Page.notice(notice, status: status, strings: strings).response(), on: eventLoop)
        }

        guard let route else { return notice(.notFound, 404) }
        guard route.methods.contains(request.method) else {
            return answer(
                Page.notice(.wrongMethod, status: 405, strings: strings).response(
                    headers: [("Allow", route.methods.joined(separator: ", "))]), on: eventLoop)
        }
        switch route {
        case .handler:
            guard NavigationCheck.allows(request) else { return notice(.notNavigated, 403) }
            return handle(request, strings: strings, on: eventLoop)
        case .result:
            return result(request, strings: strings, on: eventLoop)
        case .endSession:
            guard NavigationCheck.allows(request) else { return notice(.notNavigated, 403) }
            return endSession(request, strings: strings, on: eventLoop)
        case .signedOut:
            return signedOut(request, strings: strings, on: eventLoop)
        case .discoveryDocument:
            return delegate.discoveryDocument(on: eventLoop).map(Self.document)
        case .keySet:
            return delegate.keySet(on: eventLoop).map(Self.document)
        case .icon:
            return eventLoop.makeSucceededFuture(
                ServerResponse(status: 200, headers: [("Content-Type", "image/svg+xml")], body: Icon.bytes))
        }
    }

    // MARK: The handler

    private func handle(
        _ request: ServerRequest, strings: any PageStrings, on eventLoop: any EventLoop
    ) -> EventLoopFuture<ServerResponse> {
        let handlerRequest: HandlerRequest
        do throws(CallbackParseError) {
            handlerRequest = try HandlerRequest(request)
        } catch {
            return answer(Page.notice(.malformed, status: 400, strings: strings).response(), on: eventLoop)
        }
        switch handlerRequest {
        case .fragment:
            return answer(Page.fragment(strings: strings).response(), on: eventLoop)
        case .malformed:
            return answer(Page.notice(.malformed, status: 400, strings: strings).response(), on: eventLoop)
        case .callback(let callback):
            return delegate.callbackReceived(callback, on: eventLoop).map { Self.response(to: $0, strings: strings) }
        }
    }

    static func response(to disposition: CallbackDisposition, strings: any PageStrings) -> ServerResponse {
        switch disposition {
        case .taken(let pageID): ServerResponse(status: 303, headers: [("Location", CallbackRoute.resultLocation(pageID: pageID))])
        case .notRecognised: Page.notice(.notRecognised, status: 400, strings: strings).response()
        case .storeLocked: Page.notice(.storeLocked, status: 503, strings: strings).response()
        case .storeUnusable: Page.notice(.storeUnusable, status: 503, strings: strings).response()
        }
    }

    // MARK: The result page

    private func result(
        _ request: ServerRequest, strings: any PageStrings, on eventLoop: any EventLoop
    ) -> EventLoopFuture<ServerResponse> {
        let page: Page
        do throws(CallbackParseError) {
            let parameters = try CallbackParameters(parsing: (request.query ?? "").utf8)
            if let id = parameters["page"]?.reveal(), id.utf8.count <= CallbackRoute.maximumPageIDBytes {
                return delegate.result(ofPage: id, on: eventLoop).map { Page.result(ResultPageState($0), strings: strings).response() }
            }
            page = parameters.isEmpty ? .notice(.noResultAsked, status: 200, strings: strings) : .result(.unknown, strings: strings)
        } catch {
            page = .notice(.malformed, status: 400, strings: strings)
        }
        return answer(page.response(), on: eventLoop)
    }

    // MARK: Refusals

    func foreignConnectionClosed(user: UInt32?) { delegate.foreignConnectionClosed(user: user) }
    func acceptFailed(_ reason: String) { delegate.acceptFailed(reason) }

    /// The language is not known here: the request was read only in part, or not at all.
    func refusal(of fault: RequestFault) -> ServerResponse {
        let strings = PageLanguage.preferred(by: nil, among: languages).strings
        let notice: Notice
        switch fault {
        case .malformed, .expectationUnknown: notice = .malformed
        case .notEncrypted: notice = .notEncrypted
        case .timedOut: notice = .timedOut
        case .bodyTooLarge, .requestLineTooLong, .headersTooLarge: notice = .tooLarge
        case .responderFailed: notice = .failed
        case .methodUnknown:
            // A method that HTTP does not define is wrong for every path here.
            return Page.notice(.wrongMethod, status: 405, strings: strings).response(headers: [("Allow", "GET, POST")])
        }
        return Page.notice(notice, status: fault.status, strings: strings).response()
    }
}

extension CallbackRouter {
    /// A document for programs, which they may cache for a while: it contains nothing about anybody.
    ///
    /// Five minutes. The next key is published a day before it signs, so hours would do for rotation; but if a store was replaced, the
    /// tokens of the new one are refused as long as the old keys are cached.
    static func document(_ json: [UInt8]?) -> ServerResponse {
        guard let json else { return unavailable }
        return ServerResponse(
            status: 200, headers: [("Content-Type", "application/json"), ("Cache-Control", "public, max-age=300")], body: json)
    }

    /// The same for every reason: a client here need not learn which file cannot be read.
    private static let unavailable = ServerResponse(
        status: 503, headers: [("Content-Type", "application/json"), ("Retry-After", "10")],
        body: Array(
            #"{"error":"temporarily_unavailable","error_description":"the keys cannot be read now; postern status says why"}"#.utf8))
}

extension CallbackRouter {
    /// Redirects to the page that ends a session, once.
    func endSession(_ request: ServerRequest, strings: any PageStrings, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        guard let id = parameter("page", of: request), id.count <= CallbackRoute.maximumPageIDBytes else {
            return answer(Page.notice(.linkUsed, status: 404, strings: strings).response(), on: eventLoop)
        }
        return delegate.endSessionPage(id: id.reveal(), on: eventLoop).map { url in
            guard let url else { return Page.notice(.linkUsed, status: 404, strings: strings).response() }
            return ServerResponse(status: 303, headers: [("Location", url.reveal())])
        }
    }

    /// The browser has come back from it.
    func signedOut(_ request: ServerRequest, strings: any PageStrings, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        guard let state = parameter("state", of: request) else {
            return answer(Page.notice(.linkUsed, status: 404, strings: strings).response(), on: eventLoop)
        }
        return delegate.endSessionReturned(state: state, on: eventLoop).map { isKnown in
            Page.notice(isKnown ? .signedOut : .linkUsed, status: isKnown ? 200 : 404, strings: strings).response()
        }
    }

    private func parameter(_ name: String, of request: ServerRequest) -> Secret? {
        (try? CallbackParameters(parsing: (request.query ?? "").utf8))?[name]
    }
}
