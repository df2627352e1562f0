import LoopbackHTTP
import PosternCore

/// What the person answered on a result page.
struct LinkAnswerRequest {
    var pageID: String
    /// Which of the accounts that the page asks about.
    var link: Int
    var answer: LinkReview.Answer

    /// Nil if it is not the form of such a page.
    init?(_ request: ServerRequest) {
        guard (request.query ?? "").isEmpty, request.isForm,
            let parameters = try? CallbackParameters(parsing: request.body),
            let pageID = parameters["page"]?.reveal(), pageID.utf8.count <= CallbackRoute.maximumPageIDBytes,
            let link = parameters["link"].flatMap({ UInt8($0.reveal()) }),
            let answer = parameters["answer"].flatMap({ LinkReview.Answer(rawValue: $0.reveal()) })
        else { return nil }
        (self.pageID, self.link, self.answer) = (pageID, Int(link), answer)
    }
}
