/// Rule 11 of OpenID Connect Core section 3.1.3.7: the token answers this sign-in and no other.
enum NonceCheck {
    /// Compares in constant time; a nonce that was not requested is no better than a wrong one.
    static func check(_ nonce: Secret?, expected: IDTokenExpectation.Nonce) throws(IDTokenRejection) {
        switch (expected, nonce) {
        case (.none, nil), (.optional, nil), (.unknown, _): return
        case (.none, _?), (.optional(nil), _?): throw .unexpectedNonce
        case (.required, nil): throw .nonceMissing
        case (.required(let expected), let nonce?), (.optional(let expected?), let nonce?):
            guard nonce == expected else { throw .nonceMismatch }
        }
    }
}
