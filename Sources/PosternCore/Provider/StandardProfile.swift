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

    /// Only if a document says so of this very address: the flag of one document says nothing about the address in another.
    private func isVerified(_ email: String) -> Bool {
        let path = provider.profileMapping.email
        var flag = path.split(separator: ".", omittingEmptySubsequences: false).dropLast().map(String.init)
        flag.append("email_verified")
        let flagPath = flag.joined(separator: ".")
        for document in documents where document.emailAddress(path) == email {
            if let verified = document[flagPath].flatMap(ProfileClaims.truth) { return verified }
        }
        return false
    }
}
