@testable import PosternCore
import Testing

@Suite struct MetadataDiscoveryTests {
    private let good = ProviderResponse.json(#"{"issuer":"https://op.example/r"}"#)
    private let notFound = ProviderResponse(status: 404)

    private func asked(_ step: MetadataDiscovery.Step) -> String? {
        if case .ask(let request) = step { request.url } else { nil }
    }

    private func failure(_ step: MetadataDiscovery.Step) -> MetadataError? {
        if case .failed(let error) = step { error } else { nil }
    }

    private func isFound(_ step: MetadataDiscovery.Step) -> Bool {
        if case .found = step { true } else { false }
    }

    @Test(
        "An OpenID provider is asked behind its issuer, with one slash at its end left out",
        arguments: [
            ("https://op.example", "https://op.example/.well-known/openid-configuration"),
            ("https://op.example/", "https://op.example/.well-known/openid-configuration"),
            ("https://op.example/realms/a", "https://op.example/realms/a/.well-known/openid-configuration"),
            ("https://op.example/realms/a/", "https://op.example/realms/a/.well-known/openid-configuration"),
            ("https://op.example/a//", "https://op.example/a//.well-known/openid-configuration"),
            ("http://127.0.0.1:9400", "http://127.0.0.1:9400/.well-known/openid-configuration"),
        ])
    func openID(issuer: String, url: String) throws {
        #expect(try MetadataDiscovery(issuer: issuer, kind: .oidc).firstRequest.url == url)
    }

    @Test(
        "An OAuth 2.0 server is asked between host and path (RFC 8414 section 3.1)",
        arguments: [
            ("https://as.example", "https://as.example/.well-known/oauth-authorization-server"),
            ("https://as.example/", "https://as.example/.well-known/oauth-authorization-server"),
            ("https://as.example:8443/issuer1", "https://as.example:8443/.well-known/oauth-authorization-server/issuer1"),
            ("https://as.example/issuer1/", "https://as.example/.well-known/oauth-authorization-server/issuer1"),
        ])
    func oauth(issuer: String, url: String) throws {
        #expect(try MetadataDiscovery(issuer: issuer, kind: .oauth2).firstRequest.url == url)
        #expect(try MetadataDiscovery(authorizationServerOf: issuer).firstRequest.url == url)
    }

    @Test("Where there is no such document, the other address is asked, and then no more")
    func fallback() throws {
        var discovery = try MetadataDiscovery(issuer: "https://op.example/r", kind: .oidc)
        #expect(asked(discovery.answered(notFound, now: now)) == "https://op.example/.well-known/oauth-authorization-server/r")
        #expect(failure(discovery.answered(notFound, now: now)) == .refused(status: 404))

        var other = try MetadataDiscovery(issuer: "https://op.example/r", kind: .oauth2)
        #expect(asked(other.answered(notFound, now: now)) == "https://op.example/r/.well-known/openid-configuration")
        #expect(isFound(other.answered(good, now: now)))
    }

    @Test("A document that is there and wrong is not passed over")
    func noFallbackFromABadOne() throws {
        var discovery = try MetadataDiscovery(issuer: "https://op.example/r", kind: .oidc)
        let step = discovery.answered(.json(#"{"issuer":"https://op.example"}"#), now: now)
        #expect(failure(step) == .issuerMismatch(expected: "https://op.example/r", found: "https://op.example"))
    }

    @Test("A provider that is down is told from one that has no document", arguments: [429, 500, 502, 503, 504])
    func transient(status: Int) throws {
        var discovery = try MetadataDiscovery(issuer: "https://op.example/r", kind: .oidc)
        let step = discovery.answered(ProviderResponse(status: status, headers: [("retry-after", "7")]), now: now)
        #expect(failure(step) == .transient(TransientFailure(status: status, retryAfterSeconds: 7)))
    }

    @Test(
        "A redirect within the origin is followed",
        arguments: [
            "/r/.well-known/openid-configuration/", "https://op.example/r/.well-known/openid-configuration/",
            "https://OP.example:443/r/.well-known/openid-configuration/",
        ])
    func redirectWithin(location: String) throws {
        var discovery = try MetadataDiscovery(issuer: "https://op.example/r", kind: .oidc)
        let url = try #require(asked(discovery.answered(ProviderResponse(status: 301, headers: [("Location", location)]), now: now)))
        #expect(url.hasSuffix("/r/.well-known/openid-configuration/"))
        #expect(isFound(discovery.answered(good, now: now)))
    }

    @Test(
        "A redirect to another origin is not",
        arguments: [
            "https://evil.test/r", "//evil.test/r", "http://op.example/r", "https://op.example:444/r", "https://op.example.evil.test/", "r", "",
            "https://op.example@evil.test/",
        ])
    func redirectElsewhere(location: String) throws {
        var discovery = try MetadataDiscovery(issuer: "https://op.example/r", kind: .oidc)
        #expect(failure(discovery.answered(ProviderResponse(status: 302, headers: [("Location", location)]), now: now)) == .redirected)
    }

    @Test("Redirects come to an end")
    func redirectLoop() throws {
        var discovery = try MetadataDiscovery(issuer: "https://op.example/r", kind: .oidc)
        let redirect = ProviderResponse(status: 302, headers: [("Location", "/again")])
        for _ in 0..<3 { #expect(asked(discovery.answered(redirect, now: now)) == "https://op.example/again") }
        #expect(failure(discovery.answered(redirect, now: now)) == .redirected)
    }

    @Test(
        "What cannot be an issuer is not asked",
        arguments: ["", "op.example", "http://op.example", "https://op.example?x=1", "https://op.example/#a", "https://u:p@op.example"])
    func invalidIssuer(issuer: String) {
        #expect(throws: MetadataError.self) { try MetadataDiscovery(issuer: issuer, kind: .oidc) }
    }
}
