import LoopbackHTTP

extension CallbackRouter {
    /// A document for programs, which they may keep for a while: nothing in it is about anybody.
    ///
    /// Five minutes. The next key is published a day before it signs, so rotation could do with hours; but where a store was replaced, the
    /// tokens of the new one are refused for as long as the old keys are kept.
    static func document(_ json: [UInt8]?) -> ServerResponse {
        guard let json else { return unavailable }
        return ServerResponse(
            status: 200, headers: [("Content-Type", "application/json"), ("Cache-Control", "public, max-age=300")], body: json)
    }

    /// The same for whatever reason: who may ask here need not learn which file cannot be read.
    private static let unavailable = ServerResponse(
        status: 503, headers: [("Content-Type", "application/json"), ("Retry-After", "10")],
        body: Array(
            #"{"error":"temporarily_unavailable","error_description":"the keys cannot be read now; postern status says why"}"#.utf8))
}
