import LoopbackHTTP
import PosternCore

/// What a request to the handler contains.
enum HandlerRequest {
    case callback(LoopbackCallback)
    /// Nothing at all: the answer may be in the fragment, which the browser does not send.
    case fragment
    case malformed

    init(_ request: ServerRequest) throws(CallbackParseError) {
        let query = request.query ?? ""
        guard request.method == "POST" else {
            self = query.isEmpty ? .fragment : try Self.callback(request, query.utf8, .get)
            return
        }
        // With parameters in both places there would have to be an order of precedence; our redirect URIs have no query.
        guard query.isEmpty, Self.isForm(request.header("Content-Type")) else {
            self = .malformed
            return
        }
        self = try Self.callback(request, request.body, .post)
    }

    private static func callback(
        _ request: ServerRequest, _ bytes: some Collection<UInt8>, _ method: LoopbackCallback.Method
    ) throws(CallbackParseError) -> HandlerRequest {
        let parameters = try CallbackParameters(parsing: bytes)
        guard !parameters.isEmpty else { return .malformed }
        return .callback(LoopbackCallback(path: request.path, parameters: parameters, method: method))
    }

    /// A charset parameter is accepted; the bytes are read as UTF-8 whatever it says.
    private static func isForm(_ contentType: String?) -> Bool {
        let mediaType = contentType?.parts(separator: ";", omittingEmptySubsequences: false).first?.lowercased() ?? ""
        return mediaType.keeping { $0 != " " && $0 != "\t" } == "application/x-www-form-urlencoded"
    }
}
