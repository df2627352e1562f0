/// Rules 3 to 5 of OpenID Connect Core section 3.1.3.7: issued for this client, and for no unknown party.
enum AudienceCheck {
    static func check(_ claims: IDTokenClaims, clientID: String) throws(IDTokenRejection) {
        guard claims.audiences.contains(where: { isEqual($0, clientID) }) else { throw .audienceMismatch }
        if let stranger = claims.audiences.first(where: { !isEqual($0, clientID) }) {
            throw .unknownAudience(ProviderText.cleaned(stranger, longest: ProviderText.longestName) ?? "nobody")
        }
        // The same client repeated still counts as several audiences.
        guard let party = claims.authorizedParty else {
            guard claims.audiences.count == 1 else { throw .authorizedPartyMissing }
            return
        }
        guard isEqual(party, clientID) else {
            throw .authorizedPartyMismatch(found: ProviderText.cleaned(party, longest: ProviderText.longestName) ?? "nobody")
        }
    }

    /// Byte for byte: Swift's own equality treats different encodings of one character as equal.
    private static func isEqual(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
}
