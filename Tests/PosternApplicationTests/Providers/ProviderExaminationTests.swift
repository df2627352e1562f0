import PosternApplication
import PosternCore
import StrictJSON
import Testing

/// `CheckProvider`: what a provider says now, whatever is remembered of it.
@Suite("A check of a provider", .serialized)
struct ProviderExaminationTests {
    /// A provider whose answers the test changes.
    @DaemonActor
    private final class Provider {
        var metadata: JSONObject = [
            "issuer": "https://work.example", "authorization_endpoint": "https://work.example/authorize",
            "token_endpoint": "https://work.example/token", "jwks_uri": "https://work.example/keys",
        ]
        var authorizationServer: JSONObject?
        var keys: (Int, JSONObject) = (
            200,
            [
                "keys": [
                    [
                        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                    ]
                ]
            ]
        )
        var token: (Int, JSONObject) = (400, ["error": "invalid_grant"])
        var push: (Int, JSONObject) = (201, ["request_uri": "urn:r", "expires_in": 60])
        var further: [String: (Int, JSONObject)] = [:]

        nonisolated init() {}

        func answer(to request: ProviderRequest) -> ScriptedProvider.Answer {
            let (status, document): (Int, JSONObject)
            switch request.url {
            case "https://work.example/.well-known/openid-configuration": (status, document) = (200, metadata)
            case "https://work.example/.well-known/oauth-authorization-server":
                (status, document) = authorizationServer.map { (200, $0) } ?? (404, [:])
            case "https://work.example/keys": (status, document) = keys
            case "https://work.example/token": (status, document) = token
            case "https://work.example/par": (status, document) = push
            default: (status, document) = further[request.url] ?? (404, [:])
            }
            return .success(
                ProviderResponse(
                    status: status, headers: [("Content-Type", "application/json"), ("Cache-Control", "max-age=3600")],
                    body: document.serialized))
        }
    }

    private let provider = Provider()

    @Test("of an issuer that no provider has yet reads its metadata, and shows no client to it")
    func issuer() throws {
        let daemon = try daemon()
        func level(_ issuer: String) -> String? {
            let reply = daemon.call("CheckProvider", ["providerID": "new", "issuer": .string(issuer)])
            return reply["findings"]?.arrayValue?.first?.objectValue?["level"]?.stringValue
        }
        #expect(level("https://work.example") == "ok")
        #expect(daemon.redeemedCodes.isEmpty)
        // Its document names another one.
        #expect(level("https://work.example/") == "fail")
        #expect(level("https://nobody.example") == "fail")
        #expect(level("no URL") == "fail")
        #expect(daemon.call("CheckProvider", ["providerID": "new", "issuer": ""]).error == .invalidParameter("issuer"))
    }

    private func daemon(_ further: String = "client-secret = \"shh\"") throws -> TestApplication {
        let daemon = try TestApplication(OpenIDProvider.configuration + "\n" + further)
        let provider = provider
        daemon.executor.isolated { daemon.provider.automatic = { provider.answer(to: $0) } }
        return daemon
    }

    private func change(_ body: @DaemonActor (Provider) -> Void) { QueueExecutor.shared.isolated { body(provider) } }

    private func check(_ daemon: TestApplication) -> [String: (level: String, detail: String)] {
        let reply = daemon.call("CheckProvider", ["providerID": "work"])
        #expect(reply.isFinished && reply.error == nil, "\(reply.message)")
        var findings: [String: (level: String, detail: String)] = [:]
        for finding in reply["findings"]?.arrayValue?.compactMap(\.objectValue) ?? [] {
            findings[finding["title"]?.stringValue ?? ""] = (finding["level"]?.stringValue ?? "", finding["detail"]?.stringValue ?? "")
        }
        return findings
    }

    @Test("of one that puts its name into each answer shows whether it takes the secret, anyway")
    func announcesIssuer() throws {
        let daemon = try daemon()
        change { $0.metadata["authorization_response_iss_parameter_supported"] = true }
        #expect(check(daemon)["client"]?.level == "ok")
        change { $0.token = (401, ["error": "invalid_client"]) }
        #expect(check(daemon)["client"]?.level == "fail")
        #expect(daemon.redeemedCodes == ["postern-provider-check", "postern-provider-check"])
    }

    @Test("of one behind PAR is answered by the push: one that is taken proves the client and the callback URL")
    func pushed() throws {
        let daemon = try daemon()
        change {
            $0.metadata["pushed_authorization_request_endpoint"] = "https://work.example/par"
            $0.metadata["require_pushed_authorization_requests"] = true
        }
        let findings = check(daemon)
        #expect(findings["client"]?.level == "ok" && findings["callback URL"]?.level == "ok", "\(findings)")
        #expect(daemon.redeemedCodes.isEmpty)
        change { $0.push = (401, ["error": "invalid_client"]) }
        let refused = check(daemon)
        #expect(refused["client"]?.level == "fail" && refused["client"]?.detail.contains("check client-secret first") == true, "\(refused)")
    }

    @Test("asks now, and answers from no memory")
    func fresh() throws {
        let daemon = try daemon()
        #expect(check(daemon)["keys"]?.level == "ok")
        change { $0.keys = (403, [:]) }
        #expect(check(daemon)["keys"]?.level == "fail")
        change { $0.metadata["issuer"] = "https://other.example" }
        let findings = check(daemon)
        #expect(findings["endpoints"]?.level == "fail" && findings["client"] == nil, "\(findings)")
    }

    @Test("sends a secret that HTTP Basic would change in the form, where the provider takes it there, and names it where it is refused")
    func encodedSecret() throws {
        let daemon = try daemon("client-secret = \"s/h+h%\"")
        let request = { daemon.executor.isolated { daemon.provider.sent.last { $0.url == "https://work.example/token" } } }
        change { $0.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_basic", "client_secret_post"] }
        #expect(check(daemon)["client"]?.level == "ok")
        #expect(request()?.form["client_secret"] == "s%2Fh%2Bh%25" && request()?.headers.contains { $0.name == "Authorization" } == false)
        change {
            $0.metadata["token_endpoint_auth_methods_supported"] = ["client_secret_basic"]
            $0.token = (401, ["error": "invalid_client"])
        }
        let refused = check(daemon)["client"]
        #expect(refused?.level == "fail" && refused?.detail.contains("which HTTP Basic sends encoded") == true, "\(String(describing: refused))")
        #expect(request()?.form["client_secret"] == nil && request()?.headers.contains { $0.name == "Authorization" } == true)
    }

    @Test(
        "warns of what the metadata list or demand and Postern does not do",
        arguments: [
            (["require_signed_request_object": true], "demands", "signed request objects (require_signed_request_object)"),
            (["require_request_uri_registration": true], "demands", "(require_request_uri_registration)"),
            (["tls_client_certificate_bound_access_tokens": true], "client settings", "mutual TLS"),
            (["id_token_encryption_alg_values_supported": ["RSA-OAEP"]], "client settings", "encrypted ID tokens"),
            (["code_challenge_methods_supported": ["plain"]], "PKCE", "are plain (code_challenge_methods_supported), but Postern supports only S256"),
            (["id_token_signing_alg_values_supported": ["HS256"]], "ID tokens", "are HS256"),
            (["response_modes_supported": ["query"]], "response-mode", "asks for form_post, but the provider lists only query"),
        ] as [(JSONObject, String, String)])
    func demands(members: JSONObject, title: String, detail: String) throws {
        let daemon = try daemon("client-secret = \"shh\"\nresponse-mode = \"form_post\"")
        #expect(check(daemon)[title] == nil)
        change { provider in for member in members.members { provider.metadata[member.key] = member.value } }
        let findings = check(daemon)
        #expect(findings[title]?.level == "warn" && findings[title]?.detail.contains(detail) == true, "\(findings)")
        // The sign-in itself may work.
        #expect(findings["client"]?.level == "ok")
        let issuer = daemon.call("CheckProvider", ["providerID": "new", "issuer": "https://work.example"])["findings"]?.arrayValue ?? []
        #expect(title == "response-mode" || issuer.contains { $0.objectValue?["title"] == .string(title) })
    }

    @Test("finds that no page can be opened, and so does a sign-in, where the provider's response types or modes are none of ours")
    func noPage() throws {
        let daemon = try daemon()
        for (member, value) in [("response_types_supported", "id_token"), ("response_modes_supported", "jwt")] {
            change { $0.metadata[member] = [.string(value)] }
            let findings = check(daemon)
            #expect(findings["requests"]?.level == "fail" && findings["client"] == nil, "\(findings)")
            let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
            #expect(reply.errorName == "ProviderNotConfigured" && reply.message.contains("are \(value) (\(member)), but Postern supports only"))
            change { $0.metadata[member] = nil }
        }
    }

    @Test("signs no user in, and leaves no sign-in behind")
    func leavesNothing() throws {
        let daemon = try daemon()
        _ = check(daemon)
        #expect(daemon.sessionStates.isEmpty && daemon.counts == [0, 0] && daemon.executor.isolated { daemon.pages.opened.isEmpty })
        #expect(daemon.call("CheckProvider", ["providerID": "nobody"]).errorName == "ProviderNotFound")
    }

    @Test("names keys of kinds that no ID token could be verified with")
    func uselessKeys() throws {
        let daemon = try daemon()
        change { $0.keys = (200, ["keys": [["kty": "oct", "k": "AAAA"]]]) }
        #expect(check(daemon)["keys"]?.level == "fail")
    }

    // MARK: The RFC 8414 document

    private func supplement(_ endpoint: String, _ path: String) {
        change { provider in
            provider.authorizationServer = provider.metadata
            provider.authorizationServer?[endpoint] = .string("https://work.example/\(path)")
        }
    }

    @Test("an endpoint for device codes that the OpenID document lacks is found in the RFC 8414 document, which is asked once")
    func device() throws {
        let daemon = try daemon()
        supplement("device_authorization_endpoint", "device")
        change {
            $0.further["https://work.example/device"] = (
                200, ["device_code": "d", "user_code": "WDJB", "verification_uri": "https://work.example/go", "expires_in": 600]
            )
            $0.token = (400, ["error": "authorization_pending"])
        }
        for app in ["one", "two"] {
            let reply = daemon.call(
                "SignIn", ["providerID": "work", "flow": "device", "app": .string(app), "presentation": "client"], more: true)
            #expect(reply.replies.first?["event"]?.objectValue?["userCode"] == "WDJB", "\(reply.message)")
        }
        let asked = daemon.executor.isolated { daemon.provider.sent.count { $0.url.hasSuffix("oauth-authorization-server") } }
        #expect(asked == 1)
        let flows = daemon.call("ListProviders")["providers"]?.arrayValue?.first { $0.objectValue?["providerID"] == "work" }
        #expect(flows?.objectValue?["flows"] == ["browser", "device"])
    }

    @Test("so is one that tells whose an access token is")
    func introspection() throws {
        let daemon = try daemon()
        supplement("introspection_endpoint", "introspect")
        change {
            $0.further["https://work.example/introspect"] = (200, ["active": true, "client_id": "client", "sub": "ada"])
            $0.metadata["userinfo_endpoint"] = "https://work.example/userinfo"
            $0.further["https://work.example/userinfo"] = (200, ["sub": "ada", "name": "Ada"])
        }
        let reply = daemon.call("SignInWithCredential", ["credential": ["providerID": "work", "accessToken": "at-1"]])
        #expect(reply.error == nil, "\(reply.message)")
    }

    @Test("is made ten times at once, and then one in six seconds: no program has a provider asked over and over")
    func pace() throws {
        let daemon = try daemon()
        for _ in 0..<10 { #expect(check(daemon)["client"]?.level == "ok") }
        #expect(daemon.call("CheckProvider", ["providerID": "work"]).errorName == "TooManyAttempts")
        #expect(daemon.redeemedCodes.count == 10)
        daemon.pass(seconds: 6)
        #expect(check(daemon)["client"]?.level == "ok")
        #expect(daemon.call("CheckProvider", ["providerID": "work"]).errorName == "TooManyAttempts")
    }

    @Test("so is one that registers clients")
    func registration() throws {
        let daemon = try TestApplication(
            """
            [provider.work]
            kind = "oidc"
            issuer = "https://work.example"
            register = true
            """)
        let provider = provider
        daemon.executor.isolated { daemon.provider.automatic = { provider.answer(to: $0) } }
        supplement("registration_endpoint", "register")
        change { $0.further["https://work.example/register"] = (201, ["client_id": "c-1", "token_endpoint_auth_method": "none"]) }
        let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
        let page = reply.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue
        #expect(page?.query("client_id") == "c-1", "\(reply.message)")
    }

    @Test("so is one that requests are pushed to, where the settings or the provider want that", arguments: [true, false])
    func push(isSetting: Bool) throws {
        let daemon = try daemon(isSetting ? "client-secret = \"shh\"\npushed-authorization-requests = true" : "client-secret = \"shh\"")
        if !isSetting { change { $0.metadata["require_pushed_authorization_requests"] = true } }
        supplement("pushed_authorization_request_endpoint", "par")
        let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
        let page = reply.replies.first?["event"]?.objectValue?["authorizationURL"]?.stringValue
        #expect(page?.query("request_uri") == "urn%3Ar", "\(reply.message)")
    }

    @Test("a provider that only may have one is not asked for that document")
    func noPush() throws {
        let daemon = try daemon()
        supplement("pushed_authorization_request_endpoint", "par")
        let reply = daemon.call("SignIn", ["providerID": "work", "presentation": "client"], more: true)
        #expect(reply.replies.first?["event"]?.objectValue?["authorizationURL"] != nil, "\(reply.message)")
        #expect(daemon.executor.isolated { daemon.provider.sent.allSatisfy { !$0.url.hasSuffix("oauth-authorization-server") } })
    }

    @Test("an application's own client is for its sign-ins alone, by a page or by tokens")
    func ownClient() throws {
        let daemon = try daemon("client-secret = \"shh\"\napp = \"com.example.Tool\"")
        for (method, parameters) in [
            ("SignIn", ["providerID": "work", "presentation": "client"]),
            ("SignInWithCredential", ["credential": ["providerID": "work", "accessToken": "at-1"]]),
        ] as [(String, JSONObject)] {
            for app in [nil, "other", "com.example.tool"] as [String?] {
                var parameters = parameters
                parameters.set("app", app)
                let reply = daemon.call(method, parameters, more: method == "SignIn")
                #expect(reply.errorName == "ProviderNotConfigured" && reply.message.contains("only for the app com.example.Tool"))
            }
        }
        #expect(daemon.sessionStates.isEmpty)
        _ = try PendingSignIn(daemon, ["app": "com.example.Tool"])
        #expect(daemon.sessionStates == ["authorizationPending"])
    }
}
