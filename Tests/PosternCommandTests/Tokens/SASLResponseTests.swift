import PosternClient
import Testing

@testable import TestDaemon
@testable import postern

@Suite("SASL responses with a token")
struct SASLResponseTests {
    @Test("XOAUTH2 is Google's example, byte for byte")
    func xoauth2() throws {
        // https://developers.google.com/workspace/gmail/imap/xoauth2-protocol
        let response = try SASLResponse.xoauth2(
            user: "someuser@example.com", token: "ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg")
        #expect(
            response.base64
                == "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNSbGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ==")
    }

    @Test("OAUTHBEARER is the example of RFC 7628, byte for byte")
    func oauthbearer() throws {
        // Section 4.1.
        let response = try SASLResponse.oauthbearer(
            user: "user@example.com", host: "server.example.com", port: 143, token: "vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg==")
        #expect(
            response.base64
                == """
                bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBvcnQ9MTQzAWF1dGg9QmVhcmVyIHZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJo\
                ZG1semRHRXVZMjl0Q2c9PQEB
                """)
    }

    @Test("a comma and an equals sign of the user are told from those of the protocol")
    func escaped() throws {
        let response = try SASLResponse.oauthbearer(user: "a,b=c", host: nil, port: nil, token: "t")
        #expect(String(decoding: response.bytes, as: UTF8.self) == "n,a=a=2Cb=3Dc,\u{1}auth=Bearer t\u{1}\u{1}")
        // Here each is the beginning of a longer character.
        let marked = try SASLResponse.oauthbearer(user: "a,\u{301}b=\u{301}", host: nil, port: nil, token: "t")
        #expect(marked.bytes.elementsEqual("n,a=a=2C\u{301}b=3D\u{301},\u{1}auth=Bearer t\u{1}\u{1}".utf8))
    }

    @Test("no control character can start a new field", arguments: ["", "a\u{1}auth=Bearer x", "a\nb", "a\rb", "a\u{0}", "a\u{7F}"])
    func controls(text: String) {
        #expect(throws: CommandFailure.self) { try SASLResponse.xoauth2(user: text, token: "t") }
        #expect(throws: CommandFailure.self) { try SASLResponse.oauthbearer(user: text, host: nil, port: nil, token: "t") }
        #expect(throws: CommandFailure.self) { try SASLResponse.oauthbearer(user: "a", host: text, port: nil, token: "t") }
    }

    @Test("Base64 has the vectors of RFC 4648", arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy")])
    func base64(text: String, encoded: String) {
        #expect(SASLResponse(bytes: Array(text.utf8)).base64 == encoded)
    }

    @Test("the mailbox is the address of the very account that the token is of")
    func mailbox() throws {
        func credential(_ provider: String, _ uid: String, _ email: String?, account: String? = nil) -> StoredCredential {
            StoredCredential(
                providerID: provider, uid: uid, displayName: nil, email: email, account: account, scopes: [], expiresAt: nil,
                refreshable: true, state: .good, endsAt: nil, reason: nil)
        }
        let all = [
            credential("google.com", "1", "other@example.org"), credential("google.com", "2", "me@example.org", account: "mail"),
            credential("x", "2", "x@example.org"), credential("y", "2", nil),
        ]
        #expect(try SASL.mailbox(of: "mail", uid: "2", all) == "me@example.org")
        #expect(try SASL.mailbox(of: "google.com", uid: "1", all) == "other@example.org")
        #expect(throws: CommandFailure.self) { try SASL.mailbox(of: "y", uid: "2", all) }
        #expect(throws: CommandFailure.self) { try SASL.mailbox(of: "mail", uid: "3", all) }
    }
}

@Suite("A token that is used as it is")
struct BearerTokenTests {
    private func reply(_ token: String, type: String = "bearer", secret: Secret? = nil) -> Interface.GetAccessToken.Reply {
        Interface.GetAccessToken.Reply(
            accessToken: Secret(token), tokenType: type, secret: secret, expiresAt: "1970-01-01T00:01:00Z", scopes: [], uid: "1")
    }

    @Test("its header is one line")
    func header() throws {
        let token = try BearerToken(reply("abc"), of: "p")
        #expect(token.header == "Authorization: Bearer abc")
        #expect(token.expiresAt == 60)
    }

    @Test("what would leave its line is refused", arguments: ["", "a b", "a\n", "a\r\nX: y", "a\u{0}", "ä", "a\u{7F}"])
    func refused(text: String) {
        #expect(throws: CommandFailure.self) { try BearerToken(reply(text), of: "p") }
    }

    @Test("a token that is useless without a signature is refused, and no message contains it")
    func bound() {
        for reply in [reply("s3cr3t", type: "DPoP"), reply("s3cr3t", secret: Secret("x"))] {
            let failure = #expect(throws: CommandFailure.self) { try BearerToken(reply, of: "p") }
            #expect(failure?.advice?.contains("postern curl") == true)
            #expect(failure.map { "\($0)".contains("s3cr3t") } == false)
        }
    }
}
