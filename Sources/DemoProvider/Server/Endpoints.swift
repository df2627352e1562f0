import LoopbackHTTP
import NIOCore
import PosternValues
import PosternCrypto

/// Connects HTTP and the authorization server.
final class Endpoints: HTTPResponder {
    let server: NIOLoopBoundBox<AuthorizationServer>
    private let tokenDelay: TimeAmount
    /// The required `Host`: a page elsewhere whose name was made to resolve to this address is refused (DNS rebinding).
    private let authority: String

    init(server: AuthorizationServer, eventLoop: any EventLoop) {
        authority = String(server.issuer.rest(after: "http://") ?? "")
        tokenDelay = .milliseconds(Int64(server.options.tokenDelayMilliseconds))
        self.server = NIOLoopBoundBox.makeBoxSendingValue(server, eventLoop: eventLoop)
    }

    let commonHeaders: [(name: String, value: String)] = [
        // Not `no-referrer`: with that a browser sends `Origin: null` even with this provider's own forms.
        ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "same-origin"),
    ]

    func respond(to request: ServerRequest, on eventLoop: any EventLoop) -> EventLoopFuture<ServerResponse> {
        let response = response(to: request)
        guard tokenDelay > .zero, Route(path: request.path) == .token else { return eventLoop.makeSucceededFuture(response) }
        return eventLoop.scheduleTask(in: tokenDelay) { response }.futureResult
    }

    private func response(to request: ServerRequest) -> ServerResponse {
        guard request.header("Host")?.lowercased() == authority else {
            return ServerResponse(status: 421, headers: [("Content-Type", "text/plain")], body: Array("this is \(authority)\n".utf8))
        }
        guard let route = Route(path: request.path), route != .rotateKeys || server.value.options.allowsKeyRotation else {
            return request.wantsPage ? .page(.notFound) : .text(Self.directions(authority), status: 404)
        }
        guard route.methods.contains(request.method) else { return .wrongMethod(allowed: route.methods.joined(separator: ", ")) }
        guard !route.takesPagesForms || isOwnForm(request) else { return .page(.refused("the form was not this provider's own")) }
        do throws(OAuthError) {
            return try answer(route, request, now: SystemClock.now)
        } catch {
            return .error(error)
        }
    }

    /// For a user who tries it with curl.
    private static func directions(_ authority: String) -> String {
        """
        This is Postern's demo provider, for trying things out: its people are made up, and nothing here is secret.

        Issuer:     http://\(authority)
        Discovery:  http://\(authority)/.well-known/openid-configuration
        Set it up:  postern setup demo --issuer http://\(authority) --client-id postern-demo --yes
        Wants more: http://\(authority)/demo/reports (a scope), http://\(authority)/demo/vault (a stronger sign-in)

        """
    }

    /// A page elsewhere that submits this provider's form would answer instead of the user. Programs send no `Origin`.
    private func isOwnForm(_ request: ServerRequest) -> Bool {
        guard request.method == "POST", let origin = request.header("Origin") else { return true }
        return origin.lowercased() == "http://\(authority)"
    }

    private func answer(_ route: Route, _ request: ServerRequest, now: Timestamp) throws(OAuthError) -> ServerResponse {
        let authorization = request.header("Authorization")
        switch route {
        case .home: return request.wantsPage ? .page(.home) : .text(Self.directions(authority))
        case .style: return .asset(Assets.style, type: "text/css; charset=utf-8")
        case .icon: return ServerResponse(status: 204)
        case .pictures:
            let person = Person.pictured(at: request.path)
            return person.map { .asset(Assets.picture(of: $0), type: "image/svg+xml") } ?? .page(.notFound)
        case .metadata: return .json(server.value.metadata, headers: [("Cache-Control", "max-age=300")])
        case .keys: return .json(server.value.keys.keySet, headers: [("Cache-Control", "max-age=300")])
        case .authorize: return try authorize(request, now: now)
        case .decision: return try decide(request, now: now)
        case .token:
            let answer = try server.value.token(authorization: authorization, parameters: try form(request), now: now)
            // RFC 6749 section 5.1 requires both.
            return .json(answer, headers: [("Cache-Control", "no-store"), ("Pragma", "no-cache")])
        case .deviceAuthorization:
            return .json(try server.value.authorizeDevice(authorization: authorization, parameters: try form(request), now: now))
        case .device:
            return request.method == "POST" ? decideDevice(try form(request), now: now) : enterCode(request, now: now)
        case .userinfo: return .json(try server.value.userinfo(authorization: authorization, now: now))
        case .reports: return .json(try server.value.reports(authorization: authorization, now: now))
        case .vault: return .json(try server.value.vault(authorization: authorization, now: now))
        case .revoke:
            try server.value.revoke(authorization: authorization, parameters: try form(request), now: now)
            return ServerResponse(status: 200)
        case .rotateKeys:
            try OAuthError.ofServer { () throws(CryptoError) in try server.value.keys.rotate() }
            return .json(["kid": .string(server.value.keys.currentID)])
        }
    }

    private func authorize(_ request: ServerRequest, now: Timestamp) throws(OAuthError) -> ServerResponse {
        guard let parameters = request.method == "POST" ? try? form(request) : FormParameters((request.query ?? "").utf8) else {
            return .page(.refused("its parameters cannot be read"))
        }
        let question: AuthorizationRequest
        do throws(AuthorizationRefusal) {
            question = try AuthorizationRequest(parameters, at: server.value)
        } catch {
            switch error {
            case .page(let reason): return .page(.refused(reason))
            case .redirect(let uri, let state, let error, let description):
                return .redirect(to: server.value.answer(to: uri, state: state, [("error", error), ("error_description", description)]))
            }
        }
        return .page(.consent(try server.value.ask(question, now: now)))
    }

    private func decide(_ request: ServerRequest, now: Timestamp) throws(OAuthError) -> ServerResponse {
        let parameters = try form(request)
        guard let id = parameters["request"] else { return .page(.gone) }
        guard let decision = AuthorizationServer.Decision(parameters) else {
            return .page(.refused("the answer is neither a user nor a refusal"))
        }
        guard let target = try server.value.decide(id, decision, now: now) else { return .page(.gone) }
        return .redirect(to: target)
    }

    /// RFC 6749 section 3.2 and OpenID Connect Core section 3.1.2.1: only forms are accepted.
    private func form(_ request: ServerRequest) throws(OAuthError) -> FormParameters {
        let type = request.header("Content-Type")?.before { $0 == ";" || $0 == " " }.lowercased()
        guard type == "application/x-www-form-urlencoded", let parameters = FormParameters(request.body) else {
            throw .invalidRequest("the body is not a valid form")
        }
        return parameters
    }
}
