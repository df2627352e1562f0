import DemoProvider
import PosternCore
import StrictJSON
import Testing

@Suite("The device flow of the demo provider")
struct DeviceTests {
    private static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

    private func browser(interval: Int = 5, life: Int = 600) throws -> DemoBrowser {
        var options = DemoBrowser.options
        options.deviceIntervalSeconds = interval
        options.deviceCodeSeconds = life
        return try DemoBrowser(options)
    }

    private func begin(_ browser: DemoBrowser, scope: String = "openid email") throws -> JSONObject {
        let answer = try browser.post("/device_authorization", [("client_id", "postern-demo"), ("scope", scope)])
        #expect(answer.status == 200)
        return try answer.json
    }

    private func poll(_ browser: DemoBrowser, _ code: String, client: String = "postern-demo") throws -> Answer {
        try browser.post("/token", [("grant_type", Self.grantType), ("device_code", code), ("client_id", client)])
    }

    @Test("a code is given, shown, answered and exchanged, once")
    func whole() throws {
        let browser = try browser()
        let begun = try begin(browser)
        let userCode = try begun.text("user_code")
        #expect(userCode.wholeMatch(of: /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/) != nil)
        #expect(begun["verification_uri"] == .string("\(browser.provider.issuer)/device"))
        #expect(begun["verification_uri_complete"] == .string("\(browser.provider.issuer)/device?user_code=\(userCode)"))
        #expect(begun["expires_in"] == 600 && begun["interval"] == 5)

        let page = try browser.get("/device?user_code=\(userCode.lowercased())")
        #expect(page.status == 200 && page.text.contains("Does your device show \(userCode)?"))
        #expect(try browser.post("/device", [("user_code", userCode), ("person", "grace")]).text.contains("All done here"))
        let code = try begun.text("device_code")
        let tokens = try poll(browser, code).json
        let claims = try decodedPart(String(try tokens.text("id_token").split(separator: ".")[1]))
        #expect(claims["sub"] == "demo-1906" && claims["nonce"] == nil)
        #expect(try browser.userinfo(try tokens.text("access_token")).json["email"] == "grace@example.org")
        #expect(try poll(browser, code).json["error"] == "invalid_grant")
        // The code is answered, and nobody else can answer it.
        #expect(try browser.get("/device?user_code=\(userCode)").status == 400)
        #expect(try browser.post("/device", [("user_code", userCode), ("person", "ada")]).status == 400)
    }

    @Test("it is pending until it is answered, and a caller that asks too often is slowed down")
    func pending() throws {
        let browser = try browser(interval: 300)
        let code = try begin(browser).text("device_code")
        #expect(try poll(browser, code).json["error"] == "authorization_pending")
        let slow = try poll(browser, code)
        #expect(slow.status == 400)
        #expect(try slow.json["error"] == "slow_down")
        #expect(try slow.json.text("error_description").contains("305 s"))
    }

    @Test("a refusal is reported and ends the code")
    func denied() throws {
        let browser = try browser()
        let begun = try begin(browser)
        _ = try browser.post("/device", [("user_code", try begun.text("user_code")), ("decision", "deny")])
        let code = try begun.text("device_code")
        #expect(try poll(browser, code).json["error"] == "access_denied")
        #expect(try poll(browser, code).json["error"] == "invalid_grant")
    }

    @Test("a code belongs to its client, and an unknown code to no client")
    func clients() throws {
        let browser = try browser()
        let code = try begin(browser).text("device_code")
        #expect(try poll(browser, "x").json["error"] == "invalid_grant")
        #expect(try poll(browser, code, client: "confidential").status == 401)
        #expect(try browser.post("/device_authorization", [("client_id", "unknown"), ("scope", "openid")]).status == 401)
        let strange = try browser.post("/device_authorization", [("client_id", "postern-demo"), ("scope", "x")])
        #expect(try strange.json["error"] == "invalid_scope")
    }

    @Test("a code that no device shows is refused, and entering it does no harm", arguments: ["XXXX-XXXX", "%3Cscript%3E", "", "%00"])
    func wrongCodes(code: String) throws {
        let browser = try browser()
        _ = try begin(browser)
        let page = try browser.get("/device?user_code=\(code)")
        #expect(page.text.contains("Which code does your device show?") && !page.text.contains("<script>"))
        #expect(try browser.get("/device").status == 200)
    }
}
