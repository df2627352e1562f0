import StrictJSON

/// A userinfo endpoint's answer (OpenID Connect Core section 5.3.2): plain, or as a signed statement.
struct UserinfoAnswer {
    let document: ProfileDocument

    init(_ answer: ProviderResponse, in context: ProfileContext) throws(ProfileError) {
        try ProfileDocument.checkStatus(of: answer, now: context.now)
        if answer.mediaType == "application/jwt" {
            document = try Self.verified(answer, in: context)
        } else {
            document = try ProfileDocument(from: answer, now: context.now)
        }
        if let idToken = context.idToken { try Self.check(document.members, isAbout: idToken.subject) }
    }

    /// Otherwise a stolen access token would add another person's profile to this ID token.
    private static func check(_ members: JSONObject, isAbout expected: String) throws(ProfileError) {
        let subject: String
        do throws(JSONMemberError) {
            subject = try members.required("sub")
            try ProfileClaims.checkTypes(in: members)
        } catch {
            throw .member(error)
        }
        guard subject.utf8.elementsEqual(expected.utf8) else { throw .subjectMismatch }
    }

    private static func verified(_ answer: ProviderResponse, in context: ProfileContext) throws(ProfileError) -> ProfileDocument {
        do throws(IDTokenRejection) {
            // The body is the compact form, which some servers end with a line feed.
            let text = Secret(answer.body.trimmingLineEnd())
            let jws = try CompactJWS(parsing: text, mostBytes: UnverifiedIDToken.mostBytes)
            let algorithm = try AlgorithmCheck.algorithm(named: jws.header.algorithm, among: Set(SignatureAlgorithm.allCases))
            guard let keys = context.keys else { throw .unknownKey(kid: nil) }
            // The ID token has just been verified with the same keys, so they are not old.
            try SignatureCheck.check(jws, algorithm: algorithm, keys: keys, cryptography: context.cryptography)
            try checkClaims(jws.payload, in: context)
            return ProfileDocument(jws.payload)
        } catch {
            throw .signedAnswer(error)
        }
    }

    /// `iss` and `aud` should be there (section 5.3.2); if they are, they must be ours, and an expiry must not have passed.
    private static func checkClaims(_ members: JSONObject, in context: ProfileContext) throws(IDTokenRejection) {
        let issuer: String?
        let audiences: [String]?
        let expiresAt: Timestamp?
        do throws(JSONMemberError) {
            issuer = try members.optional("iss")
            audiences = try IDTokenClaims.audiences(in: members)
            expiresAt = try members.numericDate("exp")
        } catch {
            throw .claim(error)
        }
        if let issuer {
            let provider = context.provider.provider
            try IssuerCheck.check(issuer, rule: provider.dialect.issuerRule(of: provider)) { members[$0]?.stringValue }
        }
        if let audiences, !audiences.contains(context.provider.clientID) { throw .audienceMismatch }
        if let expiresAt, expiresAt.adding(seconds: IDTokenExpectation.leeway) <= context.now { throw .expired(at: expiresAt) }
    }
}

extension [UInt8] {
    fileprivate func trimmingLineEnd() -> ArraySlice<UInt8> {
        var slice = self[...]
        while let last = slice.last, last == 0x0A || last == 0x0D { slice.removeLast() }
        return slice
    }
}
