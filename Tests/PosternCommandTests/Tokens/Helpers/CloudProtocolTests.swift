import Glibc
import Testing

@testable import TestDaemon
@testable import postern

@Suite("Google's executable source")
struct GoogleProtocolTests {
    static let idToken = "urn:ietf:params:oauth:token-type:id_token"

    static func request(_ arguments: [String] = ["work"], _ variables: [String: String] = [:]) throws -> GoogleHelper.IDTokenRequest {
        try GoogleHelper.request(arguments) { variables[$0] }
    }

    @Test("the environment says which token is wanted, and where it may be kept")
    func questions() throws {
        #expect(try Self.request() == .init(account: "work", tokenType: Self.idToken, outputFile: nil, isInteractive: false))
        let variables = [
            "GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": "urn:ietf:params:oauth:token-type:jwt", "GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE": "1",
            "GOOGLE_EXTERNAL_ACCOUNT_REVOKE": "0", "GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE": "/run/x",
        ]
        #expect(
            try Self.request(["work"], variables)
                == .init(account: "work", tokenType: "urn:ietf:params:oauth:token-type:jwt", outputFile: "/run/x", isInteractive: true))
    }

    @Test(
        "what cannot be given is refused with a code",
        arguments: [
            ([], [:], "64"), (["a", "b"], [:], "64"), (["--x"], [:], "64"), (["work"], ["GOOGLE_EXTERNAL_ACCOUNT_REVOKE": "1"], "403"),
            (["work"], ["GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE": "urn:ietf:params:oauth:token-type:saml2"], "400"),
        ] as [([String], [String: String], String)])
    func refused(arguments: [String], variables: [String: String], code: String) {
        let refusal = #expect(throws: HelperOutput.self) { try Self.request(arguments, variables) }
        #expect(refusal?.text.contains("\"success\":false,\"code\":\"\(code)\"") == true && refusal?.status == 0)
    }

    @Test("answers as the library reads them")
    func answers() {
        #expect(
            GoogleHelper.answer(idToken: "h.p.s", tokenType: Self.idToken, expiration: 1_767_225_600)
                == "{\"version\":1,\"success\":true,\"token_type\":\"\(Self.idToken)\",\"id_token\":\"h.p.s\",\"expiration_time\":1767225600}\n")
        #expect(
            GoogleHelper.failure(code: "401", message: "sign in first")
                == "{\"version\":1,\"success\":false,\"code\":\"401\",\"message\":\"sign in first\"}\n")
    }
}

@Suite("AWS keys for an ID token")
struct AWSProtocolTests {
    static let role = "arn:aws:iam::123456789012:role/deploy"

    @Test("the role is all that must be named")
    func plain() throws {
        #expect(
            try AWSHelper.request(["work", "--role-arn", Self.role])
                == .init(account: "work", role: Self.role, endpoint: "https://sts.amazonaws.com/"))
        let full = [
            "--region=eu-central-1", "--duration", "3600", "work", "--session-name", "ada@desk", "--role-arn=\(Self.role)",
        ]
        #expect(
            try AWSHelper.request(full)
                == .init(
                    account: "work", role: Self.role, sessionName: "ada@desk", durationSeconds: 3600,
                    endpoint: "https://sts.eu-central-1.amazonaws.com/"))
    }

    @Test(
        "each region has its service, and a test its own",
        arguments: [
            (["--region", "cn-north-1"], "https://sts.cn-north-1.amazonaws.com.cn/"),
            (["--region", "us-east-1"], "https://sts.us-east-1.amazonaws.com/"),
            (["--sts-endpoint", "https://vpce.example.org/"], "https://vpce.example.org/"),
            (["--sts-endpoint", "http://127.0.0.1:4566/"], "http://127.0.0.1:4566/"),
        ])
    func endpoints(more: [String], endpoint: String) throws {
        #expect(
            try AWSHelper.request(["work", "--role-arn", Self.role] + more)
                == .init(account: "work", role: Self.role, endpoint: endpoint))
    }

    @Test(
        "an invalid role, session name or endpoint is refused",
        arguments: [
            [], ["work"], ["work", "--role-arn"], ["work", "--role-arn", "deploy"], ["work", "--role-arn", "arn:aws:iam::12:role/x"],
            ["work", "--role-arn", "arn:aws:iam::123456789012:user/x"], ["work", "--role-arn", role + "\n"],
            ["a", "b", "--role-arn", role], ["work", "--role-arn", role, "--role-arn", role], ["work", "--role-arn", role, "--bogus", "x"],
            ["work", "--role-arn", role, "--session-name", "a b"], ["work", "--role-arn", role, "--session-name", "a"],
            ["work", "--role-arn", role, "--duration", "899"], ["work", "--role-arn", role, "--duration", "1h"],
            ["work", "--role-arn", role, "--region", "x.evil.example/"], ["work", "--role-arn", role, "--region", ""],
            ["work", "--role-arn", role, "--sts-endpoint", "http://sts.example.org/"],
            ["work", "--role-arn", role, "--sts-endpoint", "https://sts.amazonaws.com@evil.example/"],
            ["work", "--role-arn", role, "--sts-endpoint", "file:///etc/passwd"],
        ])
    func refused(arguments: [String]) {
        let refusal = #expect(throws: HelperOutput.self) { try AWSHelper.request(arguments) }
        #expect(refusal?.status == 64)
    }

    @Test("the form holds nothing that could be read in two ways")
    func form() {
        let request = AWSHelper.KeyRequest(
            account: "work", role: Self.role, sessionName: "a+b=c", durationSeconds: 900, endpoint: "https://sts.amazonaws.com/")
        #expect(
            SecurityTokenService.form(request, idToken: "h.p-_&s") == """
                Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fdeploy&\
                RoleSessionName=a%2Bb%3Dc&WebIdentityToken=h.p-_%26s&DurationSeconds=900
                """)
    }

    /// From the API reference of AWS, shortened.
    static let success = """
        <?xml version="1.0" encoding="UTF-8"?>
        <AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
          <AssumeRoleWithWebIdentityResult>
            <SubjectFromWebIdentityToken>amzn1.account.AF6RHO7KZU5XRVQJGXK6HB56KR2A</SubjectFromWebIdentityToken>
            <AssumedRoleUser><Arn>arn:aws:sts::123456789012:assumed-role/deploy/app1</Arn></AssumedRoleUser>
            <Credentials>
              <SessionToken>AQoDYXdzEE0a8ANXXXXXXXXNO1ewxE5TijQyp+IEXAMPLE</SessionToken>
              <SecretAccessKey>wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY</SecretAccessKey>
              <Expiration>2026-10-24T23:00:23Z</Expiration>
              <AccessKeyId>ASgeIAIOSFODNN7EXAMPLE</AccessKeyId>
            </Credentials>
            <Provider>www.amazon.com</Provider>
          </AssumeRoleWithWebIdentityResult>
          <ResponseMetadata><RequestId>ad4156e9-bce1-11e2-82e6-6b6efEXAMPLE</RequestId></ResponseMetadata>
        </AssumeRoleWithWebIdentityResponse>
        """

    @Test("the keys of the answer, as credential_process wants them")
    func keys() {
        guard case .keys(let keys) = SecurityTokenService.answer(status: 200, body: Array(Self.success.utf8)) else {
            Issue.record("not understood")
            return
        }
        #expect(
            AWSHelper.answer(keys) == """
                {"Version":1,"AccessKeyId":"ASgeIAIOSFODNN7EXAMPLE","SecretAccessKey":"wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",\
                "SessionToken":"AQoDYXdzEE0a8ANXXXXXXXXNO1ewxE5TijQyp+IEXAMPLE","Expiration":"2026-10-24T23:00:23Z"}

                """)
    }

    @Test("a refusal says its code and its sentence")
    func refusal() {
        let body = """
            <ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>InvalidIdentityToken</Code>\
            <Message>No OpenIDConnect provider found in your account for https://login.example.org/a&amp;b</Message></Error>\
            <RequestId>c0</RequestId></ErrorResponse>
            """
        #expect(
            SecurityTokenService.answer(status: 400, body: Array(body.utf8))
                == .refused(
                    code: "InvalidIdentityToken",
                    message: "No OpenIDConnect provider found in your account for https://login.example.org/a&b"))
        #expect(SecurityTokenService.answer(status: 200, body: Array(body.utf8)) == .notUnderstood)
    }

    @Test(
        "an answer that is not wholly understood gives no keys",
        arguments: [
            "", "{}", "<html></html>", success.replacing("2011-06-15/\"", with: "2010-01-01/\""),
            success.replacing(" xmlns=", with: " xmlns:a="), success.replacing("<AccessKeyId>ASgeIAIOSFODNN7EXAMPLE</AccessKeyId>", with: ""),
            success.replacing("<AccessKeyId>", with: "<AccessKeyId>A</AccessKeyId><AccessKeyId>"),
            success.replacing("ASgeIAIOSFODNN7EXAMPLE", with: ""), success.replacing("ASgeIAIOSFODNN7EXAMPLE", with: "a<b/>"),
            success.replacing("ASgeIAIOSFODNN7EXAMPLE", with: "a&#10;b"), success.replacing("ASgeIAIOSFODNN7EXAMPLE", with: "&x;"),
            success.replacing("<AssumeRoleWithWebIdentityResult>", with: "<!-- a --><AssumeRoleWithWebIdentityResult>"),
            success.replacing("?>", with: "?><!DOCTYPE a [<!ENTITY x \"y\">]>"), success + "<a/>", String(success.dropLast()),
            String(repeating: "<a>", count: 20_000), success + String(repeating: " ", count: 65536),
        ])
    func malformed(body: String) {
        #expect(SecurityTokenService.answer(status: 200, body: Array(body.utf8)) == .notUnderstood)
    }

    @Test("keys in a response with another status are ignored")
    func status() {
        #expect(SecurityTokenService.answer(status: 400, body: Array(Self.success.utf8)) == .notUnderstood)
    }
}

@Suite("A small part of XML")
struct XMLElementTests {
    @Test(
        "documents that are understood",
        arguments: [
            ("<a/>", ""), ("<a></a>", ""), ("<a b='c' d=\"&quot;\">x&lt;&#65;&#x42;</a>", "x<AB"), (" <?xml version='1.0'?>\n<a>x</a>\n", "x"),
            ("<a>x<b>y</b>z</a>", "xz"),
        ])
    func understood(text: String, content: String) {
        #expect(XMLElement(document: Array(text.utf8))?.text == content)
    }

    @Test(
        "documents that are not",
        arguments: [
            "", "a", "<a", "<a>", "</a>", "<a></b>", "<a><b></a></b>", "<a/><b/>", "<a b=c/>", "<a b='c' b='d'/>", "<a b='<'/>", "<1/>",
            "<a>&</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#99999999;</a>", "<a><![CDATA[x]]></a>", "<?xml", "<?xml version", "<a b/>",
            "<a b='c'd='e'/>", String(repeating: "<a>", count: 17) + String(repeating: "</a>", count: 17),
        ])
    func refused(text: String) {
        #expect(XMLElement(document: Array(text.utf8)) == nil)
    }

    @Test("bytes that are no text are no document")
    func invalid() {
        #expect(XMLElement(document: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) == nil)
    }
}

@Suite("Files that are written for another program")
struct PrivateFileTests {
    @Test("a file is replaced whole, for this user alone; a link and a directory are not")
    func replaces() throws {
        let directory = try #require(Self.directory())
        defer { Self.remove(directory) }
        let path = directory + "/token"
        #expect(PrivateFile.replace(path, with: Array("one".utf8)))
        #expect(FileStatus(path: path)?.permissions == 0o600)
        chmod(path, 0o644)
        #expect(PrivateFile.replace(path, with: Array("two".utf8)))
        #expect(FileStatus(path: path)?.permissions == 0o600)
        #expect(symlink(path, directory + "/link") == 0)
        #expect(!PrivateFile.replace(directory + "/link", with: Array("three".utf8)))
        #expect(!PrivateFile.replace(directory, with: []))
        #expect(!PrivateFile.replace(directory + "/none/token", with: []))
        #expect(Self.entries(directory) == ["link", "token"])
    }

    private static func directory() -> String? {
        var template = Array("/tmp/postern-private-file-XXXXXX".utf8CString)
        return mkdtemp(&template).map { String(cString: $0) }
    }

    private static func entries(_ path: String) -> [String] {
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in entries(path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }
}
