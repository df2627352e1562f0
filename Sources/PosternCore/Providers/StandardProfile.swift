import StrictJSON

extension ProfileMapping {
    /// The claims of OpenID Connect Core section 5.1.
    public static let openID = ProfileMapping(
        uid: "sub", displayName: "name", email: "email", photo: "picture", username: "preferred_username")
}

/// A profile read by a ``ProfileMapping`` from the userinfo answer and, if a member is missing there, from the ID token.
struct StandardProfile {
    private let provider: Provider
    /// In order of precedence.
    private let documents: [ProfileDocument]

    init(userinfo: ProfileDocument?, idToken: VerifiedIDToken?, provider: Provider) throws(ProfileError) {
        self.provider = provider
        documents = [userinfo, (idToken?.claims.document).map(ProfileDocument.init)].compactMap { $0 }
        guard !documents.isEmpty else { throw .noSource }
    }

    func profile() throws(ProfileError) -> ProviderProfile {
        let mapping = provider.profileMapping
        var identity = Identity(providerID: provider.id, subject: try subject(mapping.uid))
        identity.displayName = first { $0.name(mapping.displayName) } ?? joinedName
        identity.username = first { $0.name(mapping.username) } ?? (isOpenID ? first { $0.name("nickname") } : nil)
        identity.photoURL = first { $0.webAddress(mapping.photo) }
        if let email = first({ $0.emailAddress(mapping.email) }) {
            identity.email = email
            identity.emailVerified = isVerified(email)
        }
        return ProviderProfile(identity: identity, document: documents[0].members)
    }

    private var isOpenID: Bool { provider.kind == .oidc }

    private func first<Value>(_ read: (ProfileDocument) -> Value?) -> Value? { documents.lazy.compactMap(read).first }

    private func subject(_ path: String) throws(ProfileError) -> String {
        let source = documents.first { $0[path] != nil } ?? documents[0]
        return try source.identifier(path)
    }

    /// For providers that send only the parts of a name.
    private var joinedName: String? {
        guard isOpenID else { return nil }
        let parts = ["given_name", "family_name"].compactMap { part in first { $0.name(part) } }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// A provider that calls the address unverified in any document has not verified it.
    ///
    /// - Returns: nil if no document says anything.
    private func isVerified(_ email: String) -> Bool? {
        let path = provider.profileMapping.email
        let flagPath = (path.parts(separator: ".", omittingEmptySubsequences: false).dropLast() + ["email_verified"]).joined(separator: ".")
        var answer: Bool?
        for document in documents {
            let address = document.emailAddress(path)
            // The flag of one document says nothing about another address in another one.
            if let address, !EmailAddress.isSame(EmailAddress.lowercased(address), EmailAddress.lowercased(email)) { continue }
            // Beside the address, or at the top of a document whose address is further down.
            for flag in [document[flagPath], document["email_verified"]].compactMap({ $0 }) where ProfileClaims.truth(flag) != true {
                return false
            }
            if address != nil, document[flagPath] != nil { answer = true }
        }
        return answer
    }
}
