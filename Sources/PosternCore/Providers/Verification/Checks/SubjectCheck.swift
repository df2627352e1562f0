/// OpenID Connect Core section 2: the account's identifier at the provider, at most 255 ASCII characters.
enum SubjectCheck {
    static let longest = 255

    static func check(_ subject: String, expected: String?) throws(IDTokenRejection) {
        guard (1...longest).contains(subject.utf8.count), subject.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else { throw .invalidSubject }
        if let expected, expected != subject { throw .differsFromEarlier(claim: "sub") }
    }
}
