import DemoProvider
import StrictJSON
import Testing

@Suite("Resources that want more than an ordinary sign-in")
struct StepUpTests {
    private func ask(_ path: String, _ browser: DemoBrowser, _ changes: [String: String] = [:]) throws -> Answer {
        let token = try browser.redeem(try browser.code(changes)).json.text("access_token")
        return try browser.get(path, headers: [("Authorization", "Bearer \(token)")])
    }

    @Test("The reports name the scope that they need, and are given for it")
    func reports() throws {
        let browser = try DemoBrowser()
        let refused = try ask("/demo/reports", browser)
        #expect(refused.status == 403 && refused.header("WWW-Authenticate") == #"Bearer error="insufficient_scope", scope="reports""#)
        #expect(try refused.json["error"] == "insufficient_scope")
        let given = try ask("/demo/reports", browser, ["scope": "openid reports"])
        #expect(given.status == 200)
        #expect(try given.json["reports"] == ["Ada Lovelace’s report"])
    }

    @Test("The vault names the sign-in that it needs, and opens after it; the ID token says so")
    func vault() throws {
        let browser = try DemoBrowser()
        let refused = try ask("/demo/vault", browser, ["acr_values": "something"])
        #expect(refused.status == 401)
        #expect(
            refused.header("WWW-Authenticate")
                == #"Bearer error="insufficient_user_authentication", acr_values="demo:twice", max_age="300""#)
        let strong = ["acr_values": "other demo:twice"]
        #expect(try ask("/demo/vault", browser, strong).status == 200)
        let tokens = try browser.redeem(try browser.code(strong)).json
        #expect(try decodedPart(String(try tokens.text("id_token").split(separator: ".")[1]))["acr"] == "demo:twice")
    }

    @Test("Without a token neither says more than that one is needed", arguments: ["/demo/reports", "/demo/vault"])
    func nobody(path: String) throws {
        let answer = try DemoBrowser().get(path)
        #expect(answer.status == 401 && answer.header("WWW-Authenticate") == "Bearer realm=\"demo\"")
    }
}
