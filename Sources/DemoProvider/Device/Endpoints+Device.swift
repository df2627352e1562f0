import LoopbackHTTP
import PosternValues

/// The user's side of the device flow.
extension Endpoints {
    func enterCode(_ request: ServerRequest, now: Timestamp) -> ServerResponse {
        guard let parameters = FormParameters((request.query ?? "").utf8), let typed = parameters["user_code"] else {
            return .page(.enterCode())
        }
        let code = UserCode.normalised(typed)
        guard let waiting = server.value.deviceRequest(userCode: code, now: now) else { return .page(.enterCode(wasWrong: true)) }
        return .page(.deviceConsent(waiting, userCode: code))
    }

    func decideDevice(_ parameters: FormParameters, now: Timestamp) -> ServerResponse {
        guard let decision = AuthorizationServer.Decision(parameters) else {
            return .page(.refused("the answer is neither a user nor a refusal"))
        }
        let code = parameters["user_code"] ?? ""
        return .page(server.value.decideDevice(userCode: code, decision, now: now) ? .deviceAnswered : .gone)
    }
}

extension AuthorizationServer.Decision {
    /// The button that was pressed; nil if the page has no such button.
    init?(_ parameters: FormParameters) {
        if parameters["decision"] == "deny" {
            self = .denied
        } else if let person = parameters["person"].flatMap(Person.named) {
            self = .person(person)
        } else {
            return nil
        }
    }
}
