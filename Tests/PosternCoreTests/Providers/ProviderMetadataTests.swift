import PosternCore
import StrictJSON
import Testing

@Suite struct ProviderMetadataTests {
    private func metadata(_ text: String, issuer: String = "https://op.example") throws(MetadataError) -> ProviderMetadata {
        try ProviderMetadata(parsing: Array(text.utf8), expectedIssuer: issuer)
    }

    @Test("A discovery document is read as far as it is used")
    func complete() throws {
        let metadata = try metadata(
            """
            {"issuer":"https://op.example","authorization_endpoint":"https://op.example//auth?x=1","token_endpoint":"https://op.example/token",
            "userinfo_endpoint":"https://api.example/me","jwks_uri":"https://keys.example/jwks","revocation_endpoint":"https://op.example/revoke",
            "device_authorization_endpoint":"https://op.example/device","token_endpoint_auth_methods_supported":["private_key_jwt","client_secret_post"],
            "authorization_response_iss_parameter_supported":true,"id_token_signing_alg_values_supported":["HS256","none","ES256","ES256K"],
            "claims_supported":17,"mtls_endpoint_aliases":{}}
            """)
        #expect(metadata.authorization?.text == "https://op.example//auth?x=1")
        #expect(metadata.token?.text == "https://op.example/token")
        #expect(metadata.userinfo?.text == "https://api.example/me")
        #expect(metadata.jwks?.text == "https://keys.example/jwks")
        #expect(metadata.revocation?.text == "https://op.example/revoke")
        #expect(metadata.deviceAuthorization?.text == "https://op.example/device")
        #expect(metadata.clientAuthenticationMethods == ["private_key_jwt", "client_secret_post"])
        #expect(metadata.announcesResponseIssuer)
        #expect(metadata.idTokenAlgorithms == [.es256])
    }

    @Test("Endpoints may be missing, as Facebook's are")
    func sparse() throws {
        let metadata = try metadata(#"{"issuer":"https://op.example","userinfo_endpoint":null}"#)
        #expect(metadata.token == nil && metadata.userinfo == nil && metadata.jwks == nil)
        #expect(metadata.clientAuthenticationMethods == nil)
        #expect(!metadata.announcesResponseIssuer)
        #expect(metadata.idTokenAlgorithms == nil)
    }

    @Test("Algorithms that are all unknown say nothing about the known ones")
    func unknownAlgorithms() throws {
        let text = #"{"issuer":"https://op.example","id_token_signing_alg_values_supported":["HS256","ES256K"]}"#
        #expect(try metadata(text).idTokenAlgorithms == nil)
    }

    @Test(
        "A provider elsewhere names no service of this machine, however it is written; one on this machine may",
        arguments: [
            "localhost", "127.0.0.1", "127.9.9.9", "0.0.0.0", "a.localhost", "LOCALHOST", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::7f00:1]",
            "[::ffff:7f00:1]", "[::FFFF:0:0]", "ip6-localhost", "localhost.localdomain",
        ],
        [
            "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "revocation_endpoint", "device_authorization_endpoint", "jwks_uri",
            "pushed_authorization_request_endpoint",
        ])
    func thisMachine(host: String, member: String) throws {
        let url = "https://\(host):8443/x"
        let name = host.lowercased().trimmingBrackets
        #expect(throws: MetadataError.endpointInvalid(member: member, .thisMachine(host: name))) {
            try metadata(#"{"issuer":"https://op.example","\#(member)":"\#(url)"}"#)
        }
        for issuer in ["https://localhost", "http://127.0.0.1:8080"] {
            _ = try metadata(#"{"issuer":"\#(issuer)","\#(member)":"\#(url)"}"#, issuer: issuer)
        }
    }

    @Test("Nor do those get in that stop no sign-in", arguments: ["registration_endpoint", "introspection_endpoint", "end_session_endpoint"])
    func thisMachineIgnored(member: String) throws {
        let metadata = try metadata(#"{"issuer":"https://op.example","\#(member)":"https://localhost/x"}"#)
        #expect(metadata.registration == nil && metadata.introspection == nil && metadata.endSession == nil)
    }

    @Test("Addresses of other machines are not taken for this one's", arguments: ["10.0.0.1", "[::2]", "[2001:db8::1]", "[::ffff:a00:1]", "localhost.example", "[1::]"])
    func otherMachine(host: String) throws {
        #expect(try metadata(#"{"issuer":"https://op.example","token_endpoint":"https://\#(host)/t"}"#).token != nil)
    }

    @Test(
        "The issuer must be the configured one, to the letter",
        arguments: [
            "https://op.example/", "https://OP.example", "https://op.example:443", "http://op.example", "https://op.example.evil.test",
            " https://op.example", "https://op.example/realms/%61", "",
        ])
    func issuer(found: String) {
        #expect(throws: MetadataError.issuerMismatch(expected: "https://op.example", found: found.isEmpty ? "nothing" : found.trimmed)) {
            try metadata(#"{"issuer":"\#(found)"}"#)
        }
    }

    @Test(
        "A document that is wrong in a member that is used is refused",
        arguments: [
            (#"{}"#, "in the provider's metadata issuer is missing"),
            (#"{"issuer":17}"#, "in the provider's metadata issuer must be a string, but is a number"),
            (#"{"issuer":["https://op.example"]}"#, "in the provider's metadata issuer must be a string, but is an array"),
            (
                #"{"issuer":"https://op.example","token_endpoint":{"url":"x"}}"#,
                "in the provider's metadata token_endpoint must be a string, but is an object"
            ),
            (
                #"{"issuer":"https://op.example","token_endpoint":"http://op.example/token"}"#,
                "in the provider's metadata token_endpoint is plain http to op.example; only loopback addresses are allowed without TLS, use https"
            ),
            (
                #"{"issuer":"https://op.example","token_endpoint":"http://127.0.0.1:631/"}"#,
                "in the provider's metadata token_endpoint is plain http to 127.0.0.1; only loopback addresses are allowed without TLS, use https"
            ),
            (
                #"{"issuer":"https://op.example","authorization_endpoint":"-h https://op.example"}"#,
                "in the provider's metadata authorization_endpoint has a character that is not allowed in a URL"
            ),
            (
                #"{"issuer":"https://op.example","userinfo_endpoint":"/me"}"#,
                "in the provider's metadata userinfo_endpoint is not an absolute URL; write it with https:// and a host"
            ),
            (
                #"{"issuer":"https://op.example","token_endpoint_auth_methods_supported":"client_secret_post"}"#,
                "in the provider's metadata token_endpoint_auth_methods_supported must be an array, but is a string"
            ),
            (
                #"{"issuer":"https://op.example","authorization_response_iss_parameter_supported":"true"}"#,
                "in the provider's metadata authorization_response_iss_parameter_supported must be a boolean, but is a string"
            ),
            (#"[]"#, "the provider's metadata must be an object, but are an array"),
            (#""#, "the provider's metadata are not valid JSON: there is no value, at byte 0"),
            ("<!doctype html><title>Sign in</title>", "the provider's metadata are a web page (HTML), not JSON; is the URL right?"),
            ("\u{FEFF}{}", "the provider's metadata are not valid JSON: an unexpected character, at byte 0"),
            (
                #"{"issuer":"https://evil.test","issuer":"https://op.example"}"#,
                "the provider's metadata are not valid JSON: duplicate key in an object, at byte 30"
            ),
        ])
    func refused(text: String, reason: String) {
        let error = #expect(throws: MetadataError.self) { try metadata(text) }
        #expect(error?.description == reason)
    }

    @Test("A document of any size is read up to a limit")
    func size() {
        #expect(throws: MetadataError.tooLarge(limit: 262_144)) {
            try ProviderMetadata(parsing: Array(repeating: UInt8(ascii: " "), count: 262_145), expectedIssuer: "https://op.example")
        }
    }

    @Test("An issuer on this machine may have its endpoints here, without TLS")
    func loopback() throws {
        let text = #"{"issuer":"http://localhost:9400","token_endpoint":"http://localhost:9400/oauth2/token"}"#
        #expect(try metadata(text, issuer: "http://localhost:9400").token?.text == "http://localhost:9400/oauth2/token")
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
    fileprivate var trimmingBrackets: String { filter { $0 != "[" && $0 != "]" } }
}
