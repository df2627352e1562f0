import Testing

@testable import PosternCore

/// What is read of an answer that is odd: the refresh token that is the only key to an account now, and tokens that nobody here will have.
@Suite struct RotatedTokenTests {
    private func rotation(_ body: String, status: Int = 200, headers: [(String, String)] = [], provider: Provider = .openID()) throws -> RotatedToken? {
        TokenResponse.rotation(
            in: ProviderResponse(status: status, headers: headers, body: Array(body.utf8)), at: try ResolvedProvider(provider), sentAt: now)
    }

    @Test(
        "A new refresh token is found whatever else is in the answer",
        arguments: [
            #"{"refresh_token":"rt-2"}"#, #"{"access_token":"a","refresh_token":"rt-2"}"#,
            #"{"access_token":"a","token_type":"Bearer","expires_in":"soon","refresh_token":"rt-2"}"#,
            #"{"access_token":"a","token_type":"Bearer","scope":7,"refresh_token":"rt-2"}"#,
            #"{"access_token":"a","token_type":"mac","refresh_token":"rt-2"}"#, #"{"access_token":7,"refresh_token":"rt-2","id_token":[]}"#,
            #"{"access_token":"a\n","token_type":{},"refresh_token":"rt-2"}"#, #"{"error":"server_error","refresh_token":"rt-2"}"#,
            #"{"error":{"code":1},"refresh_token":"rt-2"}"#, #"{"refresh_token":"rt-2","refresh_token_expires_in":"soon"}"#,
        ])
    func found(body: String) throws {
        #expect(try rotation(body) == RotatedToken(token: Secret("rt-2"), obtainedAt: now))
        #expect(try rotation(body, status: 201) == RotatedToken(token: Secret("rt-2"), obtainedAt: now))
        for status in [199, 302, 400, 401, 500] { #expect(try rotation(body, status: status) == nil) }
    }

    @Test("It comes with its end, and in a form where the provider answers so")
    func end() throws {
        #expect(
            try rotation(#"{"refresh_token":"r","refresh_token_expires_in":60}"#)
                == RotatedToken(token: Secret("r"), expiresAt: now.adding(seconds: 60), obtainedAt: now))
        #expect(
            try rotation(
                "refresh_token=r&refresh_token_expires_in=60", headers: [("Content-Type", "application/x-www-form-urlencoded")], provider: .gitHub())
                == RotatedToken(token: Secret("r"), expiresAt: now.adding(seconds: 60), obtainedAt: now))
    }

    @Test(
        "A refresh token that no request could carry is ignored",
        arguments: [
            "", "{}", "not json", "[]", #"{"refresh_token":null}"#, #"{"refresh_token":""}"#, #"{"refresh_token":7}"#,
            #"{"refresh_token":"a b"}"#, #"{"refresh_token":"a\nb"}"#, #"{"refresh_token":"é"}"#, #"{"refresh_token":["r"]}"#,
            #"{"refresh_token":"a","refresh_token":"b"}"#, #"{"refresh_token":"\#(String(repeating: "x", count: 16 * 1024 + 1))"}"#,
        ])
    func none(body: String) throws { #expect(try rotation(body) == nil) }

    @Test("The tokens of an answer that was not accepted can be revoked")
    func refusedTokens() throws {
        func tokens(_ body: String, status: Int = 200) throws -> Grant? {
            TokenResponse.refusedTokens(
                in: ProviderResponse(status: status, body: Array(body.utf8)), at: try ResolvedProvider(.oauth2()), sentAt: now)
        }
        let both = try #require(try tokens(#"{"access_token":"at","refresh_token":"rt","expires_in":"soon"}"#))
        let requests = { (grant: Grant) in RevocationRequest.requests(for: grant, at: try ResolvedProvider(.oauth2())).map(\.bodyText) }
        #expect(try requests(both).count == 2)
        let refreshToken = try #require(try tokens(#"{"access_token":7,"refresh_token":"rt"}"#))
        #expect(try requests(refreshToken).count == 1)
        #expect(try tokens(#"{"access_token":"a b"}"#) == nil)
        #expect(try tokens(#"{"access_token":"at"}"#, status: 400) == nil)
    }
}
