import PosternCrypto
import Testing

@testable import PosternCore

@Suite("What a callback is known by") struct CallbackKeyTests {
    private func key(_ query: String) throws -> [UInt8]? {
        CallbackKey.hash(of: try CallbackParameters(parsing: query.utf8), cryptography: OpenSSLCryptography())
    }

    @Test("A callback is known by its state, else by its request token, authorised or refused")
    func keys() throws {
        let cryptography = OpenSSLCryptography()
        let ofToken = CallbackKey.hash(ofRequestToken: Secret("T"), cryptography: cryptography)
        #expect(try key("state=S&oauth_token=T") == cryptography.sha256(Array("S".utf8)))
        #expect(try key("oauth_token=T&oauth_verifier=V") == ofToken)
        #expect(try key("denied=T") == ofToken)
        // Neither means anything where both are said.
        #expect(try key("denied=T&oauth_token=T") == nil && key("oauth_verifier=V") == nil && key("oauth_token=") == nil)
    }

    @Test("No state passes for a request token")
    func tagged() throws {
        let ofToken = CallbackKey.hash(ofRequestToken: Secret("T"), cryptography: OpenSSLCryptography())
        #expect(try key("state=oauth_tokenT") != ofToken && key("state=T") != ofToken)
        #expect(throws: CallbackParseError.controlCharacter) { try key("state=oauth_token%00T") }
    }
}
