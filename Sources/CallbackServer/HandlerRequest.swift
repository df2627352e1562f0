import LoopbackHTTP
import PosternCore

/// What a request to the handler contains.
enum HandlerRequest {
    case callback(LoopbackCallback)
    /// Nothing at all: the answer may be in the fragment, which the browser does not send.
    case fragment
    case malformed

    init(_ request: ServerRequest) {
        let query = request.query ?? ""
        guard request.method == "POST" else {
            self = query.isEmpty ? .fragment : Self.callback(request, query.utf8, .get)
            return
        }
        // With parameters in both places there would have to be an order of precedence; our redirect URIs have no query.
        self = query.isEmpty && request.isForm ? Self.callback(request, request.body, .post) : .malformed
    }

    private static func callback(
        _ request: ServerRequest, _ bytes: some Collection<UInt8>, _ method: LoopbackCallback.Method
    ) -> HandlerRequest {
        guard let parameters = try? CallbackParameters(parsing: bytes), !parameters.isEmpty else { return .malformed }
        return .callback(LoopbackCallback(path: request.path, parameters: parameters, method: method))
    }
}

extension ServerRequest {
    /// Its body is an `application/x-www-form-urlencoded` form. A charset parameter is accepted; the bytes are read as UTF-8 whatever it says.
    var isForm: Bool {
        let mediaType = header("Content-Type")?.parts(separator: ";", omittingEmptySubsequences: false).first?.lowercased() ?? ""
        return mediaType.keeping { $0 != " " && $0 != "\t" } == "application/x-www-form-urlencoded"
    }
}
