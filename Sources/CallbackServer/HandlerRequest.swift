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
        self = query.isEmpty && Self.isForm(request.header("Content-Type")) ? Self.callback(request, request.body, .post) : .malformed
    }

    private static func callback(
        _ request: ServerRequest, _ bytes: some Collection<UInt8>, _ method: LoopbackCallback.Method
    ) -> HandlerRequest {
        guard let parameters = try? CallbackParameters(parsing: bytes), !parameters.isEmpty else { return .malformed }
        return .callback(LoopbackCallback(path: request.path, parameters: parameters, method: method))
    }

    /// A charset parameter is accepted; the bytes are read as UTF-8 whatever it says.
    fileprivate static func isForm(_ contentType: String?) -> Bool {
        let mediaType = contentType?.parts(separator: ";", omittingEmptySubsequences: false).first?.lowercased() ?? ""
        return mediaType.keeping { $0 != " " && $0 != "\t" } == "application/x-www-form-urlencoded"
    }
}

/// What the person answered on a result page.
struct LinkAnswerRequest {
    var pageID: String
    /// Which of the accounts that the page asks about.
    var link: Int
    var answer: LinkReview.Answer

    /// Nil if it is not the form of such a page.
    init?(_ request: ServerRequest) {
        guard (request.query ?? "").isEmpty, HandlerRequest.isForm(request.header("Content-Type")),
            let parameters = try? CallbackParameters(parsing: request.body),
            let pageID = parameters["page"]?.reveal(), pageID.utf8.count <= CallbackRoute.maximumPageIDBytes,
            let link = parameters["link"].flatMap({ UInt8($0.reveal()) }),
            let answer = parameters["answer"].flatMap({ LinkReview.Answer(rawValue: $0.reveal()) })
        else { return nil }
        (self.pageID, self.link, self.answer) = (pageID, Int(link), answer)
    }
}
