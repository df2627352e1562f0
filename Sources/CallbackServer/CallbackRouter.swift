import LoopbackHTTP
import NIOCore
import PosternCore

/// Finds the answer to each request.
final class CallbackRouter: HTTPResponder {
    /// What is served. Used on the event loop.
    struct Scope {
        var languages: [PageLanguage]
        var authorities: ServedAuthorities
    }

    /// A request, and the language of its answer.
    private struct Visit {
        let request: ServerRequest
        let strings: any PageStrings
        let eventLoop: any EventLoop

        func notice(
            _ notice: Notice, status: Int, headers: [(name: String, value: String)] = [], detail: String? = nil
        ) -> ServerResponse {
            Page.notice(notice, status: status, strings: strings, detail: detail).response(headers: headers)
        }

        func parameter(_ name: String) -> Secret? { (try? CallbackParameters(parsing: (request.query ?? "").utf8))?[name] }
    }

    private let delegate: any CallbackDelegate
    /// The addresses are known once the listener is bound, which is before it accepts connections.
    private let scope: NIOLoopBoundBox<Scope>

    init(delegate: any CallbackDelegate, scope: Scope, eventLoop: any EventLoop) {
        self.delegate = delegate
        self.scope = .makeBoxSendingValue(scope, eventLoop: eventLoop)
    }

    func serve(_ scope: Scope) { self.scope.value = scope }

    var commonHeaders: [(name: String, value: String)] { SecurityHeaders.all }

    func respond(to request: ServerRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        let strings = PageLanguage.preferred(by: request.header("Accept-Language"), among: scope.value.languages).strings
        let visit = Visit(request: request, strings: strings, eventLoop: eventLoop)
        guard scope.value.authorities.contains(request.header("Host")) else {
            return eventLoop.makeSucceededFuture(visit.notice(.wrongHost, status: 421))
        }
        return answer(visit).flatMapErrorThrowing { error in
            guard let invalid = error as? ConfigurationInvalid else { throw error }
            return visit.notice(.configurationInvalid, status: 503, detail: invalid.problem)
        }
    }

    private func answer(_ visit: Visit) -> EventLoopFuture<ServerResponse> {
        guard let route = CallbackRoute(path: visit.request.path) else { return answer(visit.notice(.notFound, status: 404), visit) }
        guard route.methods.contains(visit.request.method) else {
            let methods = route.methods.joined(separator: ", ")
            return answer(visit.notice(.wrongMethod, status: 405, headers: [("Allow", methods)]), visit)
        }
        switch route {
        case .handler, .endSession:
            guard NavigationCheck.allows(visit.request) else { return answer(visit.notice(.notNavigated, status: 403), visit) }
            return route == .handler ? handle(visit) : endSession(visit)
        case .result:
            guard visit.request.method == "POST" else { return result(visit) }
            guard NavigationCheck.allows(visit.request), NavigationCheck.isOwn(visit.request) else {
                return answer(visit.notice(.notNavigated, status: 403), visit)
            }
            return linkAnswered(visit)
        case .signedOut: return signedOut(visit)
        case .discoveryDocument: return delegate.discoveryDocument(on: visit.eventLoop).map(Self.document)
        case .keySet: return delegate.keySet(on: visit.eventLoop).map(Self.document)
        case .icon:
            return visit.eventLoop.makeSucceededFuture(
                ServerResponse(status: 200, headers: [("Content-Type", "image/svg+xml")], body: Icon.bytes))
        }
    }

    /// An answer that needs no information from the delegate.
    private func answer(_ response: ServerResponse, _ visit: Visit) -> EventLoopFuture<ServerResponse> {
        delegate.pageServed(on: visit.eventLoop).map { response }
    }

    private func handle(_ visit: Visit) -> EventLoopFuture<ServerResponse> {
        switch HandlerRequest(visit.request) {
        case .fragment: answer(Page.fragment(strings: visit.strings).response(), visit)
        case .malformed: answer(visit.notice(.malformed, status: 400), visit)
        case .callback(let callback):
            delegate.callbackReceived(callback, on: visit.eventLoop).map { Self.response(to: $0, strings: visit.strings) }
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

    private func result(_ visit: Visit) -> EventLoopFuture<ServerResponse> {
        let page: Page
        do throws(CallbackParseError) {
            let parameters = try CallbackParameters(parsing: (visit.request.query ?? "").utf8)
            if let id = parameters["page"]?.reveal(), id.utf8.count <= CallbackRoute.maximumPageIDBytes {
                return delegate.result(ofPage: id, on: visit.eventLoop).map {
                    Page.result(ResultPageState($0), strings: visit.strings).response()
                }
            }
            page =
                parameters.isEmpty
                ? .notice(.noResultAsked, status: 200, strings: visit.strings) : .result(.unknown, strings: visit.strings)
        } catch {
            page = .notice(.malformed, status: 400, strings: visit.strings)
        }
        return answer(page.response(), visit)
    }

    /// The page has a name that nobody can guess, so a form that has it is from the page.
    private func linkAnswered(_ visit: Visit) -> EventLoopFuture<ServerResponse> {
        guard let answer = LinkAnswerRequest(visit.request) else { return self.answer(visit.notice(.malformed, status: 400), visit) }
        return delegate.linkAnswered(answer.answer, about: answer.link, onPage: answer.pageID, on: visit.eventLoop).map { isKnown in
            isKnown
                ? ServerResponse(status: 303, headers: [("Location", CallbackRoute.resultLocation(pageID: answer.pageID))])
                : Page.result(.unknown, strings: visit.strings).response()
        }
    }

    /// Redirects to the page that ends a session, once.
    private func endSession(_ visit: Visit) -> EventLoopFuture<ServerResponse> {
        let used = visit.notice(.linkUsed, status: 404)
        guard let id = visit.parameter("page"), id.count <= CallbackRoute.maximumPageIDBytes else { return answer(used, visit) }
        return delegate.endSessionPage(id: id.reveal(), on: visit.eventLoop).map { url in
            url.map { ServerResponse(status: 303, headers: [("Location", $0.reveal())]) } ?? used
        }
    }

    /// The browser has come back from it.
    private func signedOut(_ visit: Visit) -> EventLoopFuture<ServerResponse> {
        let used = visit.notice(.linkUsed, status: 404)
        guard let state = visit.parameter("state") else { return answer(used, visit) }
        return delegate.endSessionReturned(state: state, on: visit.eventLoop).map { isKnown in
            isKnown ? visit.notice(.signedOut, status: 200) : used
        }
    }

    // MARK: Refusals

    func foreignConnectionClosed(user: UInt32?) { delegate.foreignConnectionClosed(user: user) }

    func acceptFailed(_ reason: String) { delegate.acceptFailed(reason) }

    /// The language is not known here: the request was read only in part, or not at all.
    func refusal(of fault: RequestFault) -> ServerResponse {
        let strings = PageLanguage.preferred(by: nil, among: scope.value.languages).strings
        let notice: Notice
        switch fault {
        case .malformed, .expectationUnknown, .upgradeUnknown: notice = .malformed
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
    private static func document(_ json: [UInt8]?) -> ServerResponse {
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
