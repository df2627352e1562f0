import BridgeCore
import Testing

@Suite("Text in a header field")
struct HeaderTextTests {
    @Test(
        "is plain or in Base64",
        arguments: [
            ("us-west1", "us-west1"),
            ("", ""),
            ("a b", "a b"),
            ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
            ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
            ("=?base64?=", "=?base64?PT9iYXNlNjQ/PQ==?="),
            ("=?base64?", "=?base64?"),
            ("?=", "?="),
            ("=?BASE64?x?=", "=?BASE64?x?="),
            (" a", "=?base64?IGE=?="),
            ("a ", "=?base64?YSA=?="),
            (" ", "=?base64?IA==?="),
            ("a\tb", "=?base64?YQli?="),
            ("a\r\nHost: evil", "=?base64?YQ0KSG9zdDogZXZpbA==?="),
            ("\u{0}", "=?base64?AA==?="),
            ("\u{7F}", "=?base64?fw==?="),
            ("~", "~"),
        ])
    func encoded(text: String, field: String) { #expect(HeaderText.encoded(text) == field) }
}
