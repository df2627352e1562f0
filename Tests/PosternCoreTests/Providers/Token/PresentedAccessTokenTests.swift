@testable import PosternCore
import PosternCrypto
import Testing

@Suite("For whom an access token was made")
struct PresentedAccessTokenTests {
    private func resolved(_ provider: Provider, introspection: String? = nil) throws -> ResolvedProvider {
        var provider = provider
        provider.endpoints.introspection = introspection ?? provider.endpoints.introspection
        return try ResolvedProvider(provider)
    }

    private func lookup(to provider: ResolvedProvider) -> AudienceLookup {
        provider.dialect.audienceLookup(about: .sample(accessToken: "at-1"), at: provider, cryptography: OpenSSLCryptography())
    }

    private func request(to provider: ResolvedProvider) throws -> ProviderRequest {
        guard case .ask(let request) = lookup(to: provider) else { throw PresentedTokenError.noWayToTell }
        return request
    }

    private static let clients = ["{}", #"{"active": true}"#, #"{"active": true, "client_id": null}"#, #"{"active": 1, "client_id": "client"}"#]

    @Test("an answer that leaves anything open makes no token good", arguments: clients)
    func openAnswers(_ body: String) throws {
        let provider = try resolved(.oauth2(), introspection: "https://as.example/introspect")
        #expect(throws: PresentedTokenError.self) {
            try provider.dialect.presentedToken(in: .json(body), at: provider, now: now)
        }
    }

    @Test("the client is compared byte by byte", arguments: ["Client", "client ", "cli\u{435}nt", ""])
    func otherClients(_ client: String) throws {
        let provider = try resolved(.oauth2(), introspection: "https://as.example/introspect")
        #expect(throws: PresentedTokenError.self) {
            try provider.dialect.presentedToken(in: .json(#"{"active": true, "client_id": "\#(client)"}"#), at: provider, now: now)
        }
    }

    @Test("a token's end must be to come", arguments: [(1, true), (0, false), (-1, false)])
    func end(_ seconds: Int64, _ isGood: Bool) throws {
        let provider = try resolved(.oauth2(), introspection: "https://as.example/introspect")
        let end = now.adding(seconds: seconds)
        let body = #"{"active": true, "client_id": "client", "exp": \#(end.milliseconds / 1000)}"#
        if isGood {
            #expect(try provider.dialect.presentedToken(in: .json(body), at: provider, now: now).expiresAt == end)
        } else {
            #expect(throws: PresentedTokenError.notGood) {
                try provider.dialect.presentedToken(in: .json(body), at: provider, now: now)
            }
        }
    }

    @Test("an end with a fraction is an end (RFC 7519), as one in a string is", arguments: ["%.5", "%.25e0", "%.0", "\"%\""])
    func fractionalEnd(_ form: String) throws {
        let provider = try resolved(.oauth2(), introspection: "https://as.example/introspect")
        func token(after seconds: Int64) throws -> PresentedAccessToken {
            let number = form.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "\(now.adding(seconds: seconds).seconds)")
            let answer = ProviderResponse.json(#"{"active": true, "client_id": "client", "exp": \#(number)}"#)
            return try provider.dialect.presentedToken(in: answer, at: provider, now: now)
        }
        #expect(try token(after: 300).expiresAt == now.adding(seconds: 300))
        #expect(throws: PresentedTokenError.notGood) { try token(after: -1) }
    }

    @Test("an end that is not a number is not passed over", arguments: ["\"soon\"", "\"1.5\"", "true", "[]", "{}"])
    func unreadableEnd(_ end: String) throws {
        let provider = try resolved(.oauth2(), introspection: "https://as.example/introspect")
        #expect(throws: PresentedTokenError.self) {
            try provider.dialect.presentedToken(in: .json(#"{"active": true, "client_id": "client", "exp": \#(end)}"#), at: provider, now: now)
        }
    }

    @Test("a public client says who it is and shows no secret")
    func publicClient() throws {
        let provider = try resolved(.openID(), introspection: "https://op.example/introspect")
        let request = try request(to: provider)
        #expect(request.headers("Authorization").isEmpty)
        #expect(request.bodyText == "token=at-1&token_type_hint=access_token&client_id=client")
    }

    @Test("an OpenID provider's answer must be about the same account as its userinfo")
    func subject() throws {
        let provider = try resolved(.openID(), introspection: "https://op.example/introspect")
        let answer = ProviderResponse.json(#"{"active": true, "client_id": "client", "sub": "1"}"#)
        #expect(try provider.dialect.presentedToken(in: answer, at: provider, now: now).subject == "1")
    }

    @Test("who has no endpoint for it has no way to tell, and X none that it needs")
    func impossible() throws {
        guard case .impossible = lookup(to: try resolved(.oauth2())) else { throw PresentedTokenError.noWayToTell }
        guard case .impossible = lookup(to: try resolved(.openID())) else { throw PresentedTokenError.noWayToTell }
        guard case .answeredByEveryRequest = lookup(to: try resolved(.twitter())) else { throw PresentedTokenError.noWayToTell }
    }

    @Test("the endpoints of the built-in providers")
    func builtIn() throws {
        #expect(try request(to: resolved(.gitHub())).url == "https://api.github.com/applications/Iv1.0123456789abcdef/token")
        var google = Google.provider
        google.clientID = "client"
        #expect(try request(to: resolved(google)).url == "https://oauth2.googleapis.com/tokeninfo")
        var facebook = Facebook.provider
        facebook.clientID = "138"
        facebook.clientSecret = Secret("shh")
        let url = "https://graph.facebook.com/v25.0/debug_token?input_token=at-1&access_token=138%7Cshh"
        #expect(try request(to: resolved(facebook)).url == url)
        var gitLab = GitLab.provider
        gitLab.clientID = "client"
        #expect(try request(to: resolved(gitLab)).url == "https://gitlab.com/oauth/introspect")
    }

    @Test("an answer beyond all measure is not read")
    func size() throws {
        let provider = try resolved(.oauth2(), introspection: "https://as.example/introspect")
        let body = #"{"active": true, "client_id": "client", "x": "\#(String(repeating: "x", count: 1 << 20))"}"#
        #expect(throws: PresentedTokenError.self) { try provider.dialect.presentedToken(in: .json(body), at: provider, now: now) }
    }
}
