import PosternCore

extension Fuzz {
    /// Answers of OAuth 1.0a: tokens in forms, refusals in forms, in JSON and in a header.
    static func signedAnswer(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let body = Array(bytes.dropFirst())
        // Some of them stand in a challenge too, which is a header's text.
        let headers = first & 4 == 0 ? [] : [("WWW-Authenticate", String(decoding: body, as: UTF8.self))]
        let answer = ProviderResponse(status: [200, 401, 403, 500][Int(first & 3)], headers: headers, body: body)
        let now = Timestamp(seconds: 1_800_000_000)
        guard let twitter = Catalogue.provider("twitter.com") else { fatalError("the catalogue must have Twitter") }
        let other = Provider(id: "other", displayName: "Other", kind: .oauth1)
        _ = try? OAuth1Answer.requestToken(in: answer, dialect: twitter.dialect, now: now)
        _ = try? OAuth1Answer.grant(in: answer, dialect: other.dialect, sentAt: now, now: now)
    }
}
