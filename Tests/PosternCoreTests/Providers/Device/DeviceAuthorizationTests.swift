import Testing

@testable import PosternCore

@Suite("Codes for another device")
struct DeviceAuthorizationTests {
    private static func provider(_ endpoint: String = "https://as.example/device") throws -> ResolvedProvider {
        var provider = Provider.oauth2(secret: nil)
        provider.endpoints.deviceAuthorization = endpoint
        provider.clientAuthentication = ClientAuthentication.none
        return try ResolvedProvider(provider)
    }

    private static func read(
        _ body: String, status: Int = 200, at endpoint: String = "https://as.example/device"
    ) throws -> DeviceAuthorization {
        let provider = try provider(endpoint)
        return try provider.dialect.deviceAuthorization(in: .json(body, status: status), at: provider, sentAt: now, now: now)
    }

    /// An answer with these members changed; nil takes one out.
    private static func answer(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "device_code": #""d-1""#, "user_code": #""WDJB-MJHT""#, "verification_uri": #""https://as.example/go""#, "expires_in": "900",
            "interval": "5",
        ]
        members.merge(changes) { $1 }
        return "{" + members.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }.joined(separator: ", ") + "}"
    }

    @Test("the answer is read, and the code ages from when it was asked for")
    func whole() throws {
        let device = try Self.read(Self.answer(["verification_uri_complete": #""https://as.example/go?c=WDJB-MJHT""#]))
        #expect(
            device
                == DeviceAuthorization(
                    deviceCode: Secret("d-1"), userCode: "WDJB-MJHT", verificationURI: "https://as.example/go",
                    verificationURIComplete: "https://as.example/go?c=WDJB-MJHT", expiresAt: now.adding(seconds: 900), intervalSeconds: 5))
    }

    @Test(
        "providers' own shapes are read",
        arguments: [
            // GitHub, Google, Microsoft
            (
                #"{"device_code":"3584d8","user_code":"WDJB-MJHT","verification_uri":"https://github.com/login/device","#
                    + #""expires_in":900,"interval":5}"#, "https://github.com/login/device"
            ),
            (
                #"{"device_code":"d","user_code":"GQVQ-JKEC","expires_in":1800,"interval":5,"#
                    + #""verification_url":"https://www.google.com/device"}"#, "https://www.google.com/device"
            ),
            (
                #"{"user_code":"ABC123DEF","device_code":"B","verification_uri":"https://microsoft.com/devicelogin","expires_in":900,"#
                    + #""interval":5,"message":"To sign in, …"}"#, "https://microsoft.com/devicelogin"
            ),
        ])
    func shapes(body: String, page: String) throws {
        #expect(try Self.read(body).verificationURI == page)
    }

    @Test("GitHub's answer in a form is read, too")
    func form() throws {
        let provider = try ResolvedProvider(Provider.gitHub())
        let body =
            "device_code=3584d8&expires_in=900&interval=5&user_code=WDJB-MJHT"
            + "&verification_uri=https%3A%2F%2Fgithub.com%2Flogin%2Fdevice"
        let device = try provider.dialect.deviceAuthorization(in: .form(body), at: provider, sentAt: now, now: now)
        #expect(device.userCode == "WDJB-MJHT" && device.intervalSeconds == 5)
    }

    @Test("a dialect may call the device code something else, as Facebook does")
    func members() throws {
        let provider = try Self.provider()
        let device = try DeviceAuthorization(
            .json(Self.answer(["device_code": nil, "code": #""92a2b2e351f2b0b3503b2de251132f47""#])),
            deviceCode: "code", at: provider, sentAt: now, now: now)
        #expect(device.deviceCode == Secret("92a2b2e351f2b0b3503b2de251132f47"))
    }

    @Test(
        "intervals and lifetimes are kept within bounds",
        arguments: [
            ("interval", "0", 1, 900), ("interval", "-5", 1, 900), ("interval", "null", 5, 900), ("interval", #""7""#, 7, 900),
            ("interval", "1e300", 300, 900), ("expires_in", "1e300", 5, 86_400), ("expires_in", "1", 5, 1),
        ] as [(String, String, Int64, Int64)])
    func bounds(member: String, value: String, interval: Int64, life: Int64) throws {
        let device = try Self.read(Self.answer([member: value]))
        #expect(device.intervalSeconds == interval)
        #expect(device.expiresAt == now.adding(seconds: life))
    }

    @Test("plain http leads to a loopback address, and only from there")
    func loopback() throws {
        let body = Self.answer(["verification_uri": #""http://127.0.0.1:8090/device""#])
        #expect(try Self.read(body, at: "http://127.0.0.1:8090/d").verificationURI == "http://127.0.0.1:8090/device")
        #expect(throws: DeviceAuthorizationError.invalidVerificationURI(.plainHTTP(host: "127.0.0.1"))) { try Self.read(body) }
    }

    @Test(
        "an address that nobody should open is refused",
        arguments: [
            "javascript:alert(1)", "file:///etc/passwd", "http://as.example/go", "https://as.example@evil.example/",
            "https://as.example/#x", "//as.example/go", "https://as.example/ go", #"https://as.example/\u001b[2J"#,
            #"https://as.example/\u202e"#, "",
        ])
    func hostileAddresses(text: String) throws {
        #expect(throws: DeviceAuthorizationError.self) { try Self.read(Self.answer(["verification_uri": "\"\(text)\""])) }
        let device = try Self.read(Self.answer(["verification_uri_complete": "\"\(text)\""]))
        #expect(device.verificationURIComplete == nil)
    }

    @Test(
        "a code that cannot be shown unchanged is refused",
        arguments: [#""""#, #"" A""#, #""A  B""#, #""A\nB""#, #""\u001b[31mA""#, #""\u202eBA""#, #""A\u200bB""#, "17", "[\"A\"]", "null"])
    func hostileCodes(code: String) {
        #expect(throws: DeviceAuthorizationError.self) { try Self.read(Self.answer(["user_code": code])) }
    }

    @Test("codes of the longest length are taken, and no longer ones")
    func lengths() throws {
        #expect(try Self.read(Self.answer(["user_code": "\"\(String(repeating: "A", count: 64))\""])).userCode.count == 64)
        #expect(throws: DeviceAuthorizationError.invalidUserCode) {
            try Self.read(Self.answer(["user_code": "\"\(String(repeating: "A", count: 65))\""]))
        }
    }

    @Test(
        "what is missing, over or of another type is told",
        arguments: [
            (["device_code": nil], .malformed(.missing(member: "device_code"), refusal: nil)),
            (["verification_uri": nil], .malformed(.missing(member: "verification_uri"), refusal: nil)),
            (["expires_in": nil], .malformed(.missing(member: "expires_in"), refusal: nil)),
            (["expires_in": "0"], .overAlready), (["expires_in": "-1"], .overAlready),
            (["device_code": #""a b""#], .malformed(.invalidToken(member: "device_code"), refusal: nil)),
            (["expires_in": "true"], .malformed(.wrongType(member: "expires_in", expected: "a number", found: "a boolean"), refusal: nil)),
        ] as [([String: String?], DeviceAuthorizationError)])
    func malformed(changes: [String: String?], error: DeviceAuthorizationError) {
        #expect(throws: error) { try Self.read(Self.answer(changes)) }
    }

    @Test("a refusal keeps its words, and a switched-off flow says where it is switched on")
    func refusals() {
        let error = #expect(throws: DeviceAuthorizationError.self) {
            try Self.read(#"{"error":"invalid_scope","error_description":"no such"}"#, status: 400)
        }
        #expect(
            error?.providerFailure
                == .exchangeFailed(
                    error: "invalid_scope", description: "no such",
                    message: "its device authorization endpoint refused: invalid_scope: no such"))
        let disabled = #expect(throws: DeviceAuthorizationError.self) {
            try Self.read(#"{"error":"device_flow_disabled"}"#, status: 403)
        }
        #expect(disabled?.providerFailure.reason == .providerNotConfigured)
        let busy = #expect(throws: DeviceAuthorizationError.self) { try Self.read("busy", status: 503) }
        #expect(busy?.providerFailure.reason == .unreachable)
    }

    @Test("sentences begin small and have no full stop")
    func sentences() {
        let refusal = OAuthRefusal(status: 400, error: "x")
        let errors: [DeviceAuthorizationError] = [
            .refused(refusal), .refused(OAuthRefusal(status: 400, error: "device_flow_disabled")),
            .transient(TransientFailure(status: 503)), .malformed(.redirect(status: 302), refusal: nil),
            .malformed(.notAForm, refusal: refusal), .malformed(.notAForm, refusal: nil),
            .invalidUserCode, .invalidVerificationURI(.fragment), .overAlready,
        ]
        for error in errors {
            #expect(error.description.first?.isLowercase == true && !error.description.hasSuffix("."), "\(error)")
        }
    }
}
