import Testing

@testable import PosternCore

@Suite("Facebook's own device flow")
struct FacebookDeviceTests {
    private static func provider() throws -> ResolvedProvider {
        var provider = Provider.oauth2()
        provider.clientID = "138"
        provider.secrets = [Facebook.clientToken: Secret("client token")]
        provider.endpoints.deviceAuthorization = "https://graph.facebook.example/v25.0/device/login"
        return try ResolvedProvider(provider)
    }

    private static func read(_ body: String, status: Int = 200) throws -> DeviceAnswer {
        Facebook().deviceAnswer(in: .json(body, status: status), at: try provider(), scopes: ["email"], sentAt: now, now: now, proofKey: nil)
    }

    @Test("both questions carry the client token, and no secret")
    func requests() throws {
        let provider = try Self.provider()
        let endpoint = try #require(provider.deviceAuthorization)
        let login = Facebook().deviceAuthorizationRequest(scopes: ["email"], parameters: [:], to: endpoint, at: provider)
        #expect(login.url == endpoint.text && login.bodyText == "access_token=138%7Cclient+token&scope=email")
        let status = Facebook().deviceTokenRequest(for: Secret("c"), at: provider)
        #expect(status.url == "https://graph.facebook.example/v25.0/device/login_status")
        #expect(status.bodyText == "access_token=138%7Cclient+token&code=c")
        #expect(login.headers("Authorization").isEmpty && status.headers("Authorization").isEmpty)
    }

    @Test("the code is called code")
    func authorization() throws {
        let body =
            #"{"code":"92a2b2","user_code":"A1NWZ9","verification_uri":"https://www.facebook.com/device","#
            + #""expires_in":420,"interval":5}"#
        let device = try Facebook().deviceAuthorization(in: .json(body), at: try Self.provider(), sentAt: now, now: now)
        #expect(device.deviceCode == Secret("92a2b2") && device.userCode == "A1NWZ9")
        #expect(device.expiresAt == now.adding(seconds: 420))
    }

    @Test(
        "errors are told apart by their subcodes",
        arguments: [
            (1_349_174, .pending), (1_349_172, .slowDown(intervalSeconds: nil)), (1_349_152, .expired),
            (1_349_173, .denied(error: "access_denied", description: "m")),
        ] as [(Int, DeviceAnswer)])
    func subcodes(subcode: Int, answer: DeviceAnswer) throws {
        let body = #"{"error":{"message":"m","type":"OAuthException","code":31,"error_subcode":\#(subcode),"fbtrace_id":"A"}}"#
        #expect(try Self.read(body, status: 400) == answer)
    }

    @Test("any other error is final", arguments: [#"{"message":"m","code":101}"#, #"{"message":"m","code":1,"error_subcode":"x"}"#])
    func others(error: String) throws {
        guard case .failed = try Self.read(#"{"error":\#(error)}"#, status: 400) else {
            Issue.record("not final")
            return
        }
    }

    @Test("a token comes without a type")
    func token() throws {
        guard case .granted(let grant) = try Self.read(#"{"access_token":"EAAB","expires_in":5183999,"data_access_expiration_time":1}"#)
        else {
            Issue.record("no token")
            return
        }
        #expect(grant.accessToken == Secret("EAAB") && grant.scopes == ["email"])
        guard case .unreadable = try Self.read("<html>") else {
            Issue.record("taken for Facebook's")
            return
        }
    }
}
