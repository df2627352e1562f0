import Testing

@testable import PosternCore

@Suite("Answers to the question whether a code was typed")
struct DeviceAnswerTests {
    private static func read(_ response: ProviderResponse, provider: Provider = .oauth2()) throws -> DeviceAnswer {
        let provider = try ResolvedProvider(provider)
        return provider.dialect.deviceAnswer(in: response, at: provider, scopes: ["profile"], sentAt: now, now: now, proofKey: nil)
    }

    @Test("the status decides nothing about a pending code", arguments: [200, 400, 401, 403, 428, 429, 503])
    func pending(status: Int) throws {
        #expect(try Self.read(.json(#"{"error":"authorization_pending","error_description":"…"}"#, status: status)) == .pending)
    }

    @Test(
        "words of the standard and of providers",
        arguments: [
            (#"{"error":"slow_down"}"#, .slowDown(intervalSeconds: nil)),
            (#"{"error":"slow_down","interval":10}"#, .slowDown(intervalSeconds: 10)),
            (#"{"error":"slow_down","interval":"soon"}"#, .slowDown(intervalSeconds: nil)),
            (#"{"error":"slow_down","interval":-1}"#, .slowDown(intervalSeconds: nil)),
            (#"{"error":"expired_token"}"#, .expired),
            (#"{"error":"token_expired"}"#, .expired),
            (#"{"error":"access_denied"}"#, .denied(error: "access_denied", description: nil)),
            (
                #"{"error":"authorization_declined","error_description":"AADSTS70000"}"#,
                .denied(error: "authorization_declined", description: "AADSTS70000")
            ),
        ] as [(String, DeviceAnswer)])
    func words(body: String, expected: DeviceAnswer) throws {
        for status in [200, 400, 403] { #expect(try Self.read(.json(body, status: status)) == expected) }
    }

    @Test(
        "any other refusal is final",
        arguments: [
            "invalid_grant", "invalid_client", "unsupported_grant_type", "incorrect_client_credentials", "incorrect_device_code",
            "bad_verification_code", "unauthorized_client",
        ])
    func refusals(error: String) throws {
        guard case .failed(let failure) = try Self.read(.json(#"{"error":"\#(error)"}"#, status: 400)) else {
            Issue.record("not final")
            return
        }
        #expect(failure.reason == .exchangeFailed && failure.error == error)
    }

    @Test("a flow that is switched off is the configuration's fault")
    func disabled() throws {
        guard case .failed(let failure) = try Self.read(.json(#"{"error":"device_flow_disabled"}"#)) else {
            Issue.record("not told")
            return
        }
        #expect(failure.reason == .providerNotConfigured)
    }

    @Test("an outage is none, and says how long it lasts where it knows")
    func outages() throws {
        #expect(try Self.read(.json("busy", status: 503)) == .unavailable(retryAfterSeconds: nil))
        #expect(try Self.read(.json("{}", status: 429, headers: [("Retry-After", "30")])) == .unavailable(retryAfterSeconds: 30))
        #expect(try Self.read(.json(#"{"error":"temporarily_unavailable"}"#, status: 400)) == .unavailable(retryAfterSeconds: nil))
    }

    @Test(
        "a foreign web page is not the provider's answer",
        arguments: [(200, "<html>"), (404, "Not Found"), (302, ""), (200, "[]"), (200, "")])
    func pages(status: Int, body: String) throws {
        guard case .unreadable = try Self.read(.json(body, status: status)) else {
            Issue.record("taken for the provider's")
            return
        }
    }

    @Test("a grant is read like any other, and one that is broken is final")
    func grants() throws {
        let answer = try Self.read(.json(#"{"access_token":"at","token_type":"bearer","expires_in":60}"#))
        guard case .granted(let grant) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(grant.accessToken == Secret("at") && grant.scopes == ["profile"] && grant.expiresAt == now.adding(seconds: 60))
        for body in [#"{"access_token":"at"}"#, #"{"access_token":"a b","token_type":"bearer"}"#, #"{"token_type":"bearer"}"#, "{}"] {
            guard case .failed = try Self.read(.json(body)) else {
                Issue.record("\(body)")
                return
            }
        }
    }

    @Test("an OpenID provider must give an ID token here, too")
    func idToken() throws {
        guard case .failed = try Self.read(.json(#"{"access_token":"at","token_type":"bearer"}"#), provider: .openID()) else {
            Issue.record("taken")
            return
        }
    }
}
