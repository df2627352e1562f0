import Testing

@testable import PosternCore

@Suite struct FormsTests {
    @Test("The vector for form encoding")
    func formEncoding() {
        #expect(PercentEncoding.formEncode("a b+c%:/é") == "a+b%2Bc%25%3A%2F%C3%A9")
    }

    @Test(
        "The vectors of RFC 5849 section 3.6 hold for URLs, too",
        arguments: [
            ("Ladies + Gentlemen", "Ladies%20%2B%20Gentlemen"), ("An encoded string!", "An%20encoded%20string%21"),
            ("Dogs, Cats & Mice", "Dogs%2C%20Cats%20%26%20Mice"), ("\u{2603}", "%E2%98%83"), ("*'()~-._", "%2A%27%28%29~-._"),
        ])
    func percentEncoding(plain: String, encoded: String) {
        #expect(PercentEncoding.encode(plain) == encoded)
    }

    @Test("The vector for Basic: a colon in the ID does not move the border (RFC 6749 section 2.3.1)")
    func basic() {
        #expect(ClientCredentials.basic(id: "a:b", secret: Secret("p %q")) == "Basic YSUzQWI6cCslMjVx")
    }

    @Test(
        "The vectors of RFC 4648 section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func base64(plain: String, encoded: String) {
        #expect(Base64.encode(Array(plain.utf8)) == encoded)
    }

    @Test("Base64 uses the other alphabet than Base64URL")
    func base64Alphabet() {
        #expect(Base64.encode([0xFB, 0xFF, 0xBF]) == "+/+/")
    }

    @Test("A form is read into its pairs")
    func decoding() throws {
        #expect(
            try FormEncoding.pairs(Array("access_token=gho_a&scope=read%3Auser%2Cuser%3Aemail&empty=&bare&&n=a+b%20c%c3%a9=x".utf8))
                == ["access_token": "gho_a", "scope": "read:user,user:email", "empty": "", "bare": "", "n": "a b cé=x"])
        #expect(try FormEncoding.pairs([]) == [:])
    }

    @Test(
        "A form that can be read in two ways is not read",
        arguments: [
            ("a=1&a=2", .repeatedParameter), ("a=1&%61=2", .repeatedParameter), ("a=%", .invalidPercentEncoding), ("a=%2", .invalidPercentEncoding),
            ("a=%zz", .invalidPercentEncoding), ("a=%+1", .invalidPercentEncoding), ("a=%ff", .invalidUTF8), ("a=%ed%a0%80", .invalidUTF8),
            ("a=%0d%0a", .controlCharacter), ("a%00=b", .controlCharacter),
            ((0...64).map { "p\($0)=" }.joined(separator: "&"), .tooManyParameters(limit: 64)),
        ] as [(String, CallbackParseError)])
    func refused(form: String, failure: CallbackParseError) {
        #expect(throws: failure) { try FormEncoding.pairs(Array(form.utf8)) }
    }
}

@Suite struct RetryAfterTests {
    private func seconds(_ value: String) -> Int64? {
        ProviderResponse(status: 503, headers: [("Retry-After", value)]).retryAfterSeconds(now: now)
    }

    @Test(
        "Seconds, or a date, within a day",
        arguments: [
            ("0", 0), ("120", 120), (" 7 ", 7), ("86401", 86_400), ("99999999999999999999", 86_400),
            ("Fri, 15 Jan 2027 08:02:00 GMT", 120), ("Fri, 15 Jan 2027 07:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ])
    func read(value: String, expected: Int64) {
        #expect(seconds(value) == expected)
    }

    @Test(
        "Anything else says nothing",
        arguments: [
            "", "soon", "-5", "1.5", "1 2", "Friday, 15-Jan-27 08:02:00 GMT", "Fri Jan 15 08:02:00 2027", "Fri, 15 Jan 2027 08:02:00 CET",
            "Fri, 15 Foo 2027 08:02:00 GMT", "Fri, 15 Jan 2027 8:02:00 GMT", "Fri, 32 Jan 2027 08:02:00 GMT", "Fri, 15 Jan 2027 24:02:00 GMT",
        ])
    func unreadable(value: String) {
        #expect(seconds(value) == nil)
    }

    @Test("The example of RFC 9110 section 5.6.7")
    func date() {
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == Timestamp(seconds: 784_111_777))
        #expect(HTTPDate.parse("Thu, 29 Feb 2024 00:00:00 GMT") == Timestamp(seconds: 1_709_164_800))
        #expect(HTTPDate.parse("Mon, 01 Jan 1900 00:00:00 GMT") == Timestamp(seconds: -2_208_988_800))
    }
}
