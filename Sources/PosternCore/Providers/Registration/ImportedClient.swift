/// A client that another program registered, or was given, and that its refresh token is valid with.
public enum ImportedClient {
    /// Why it cannot be kept.
    public enum Refusal: Error, Sendable, Hashable {
        /// An ID or a secret that is too long or has characters that no header or form may have.
        case invalidText(member: String)
        /// The server accepts no authentication that this client could use.
        case noAuthentication(offered: [String])
        /// The same ID is kept with another secret.
        case otherSecret
        /// As many as there may be are in use.
        case noRoom
    }

    /// - Parameters:
    ///   - provider: located: its issuer is known.
    ///   - methods: how a client may authenticate at the token endpoint; nil if the metadata do not say.
    public static func client(
        _ clientID: String, secret: Secret?, scopes: [String], of provider: Provider, methods: [String]?
    ) throws(Refusal) -> RegisteredClient {
        guard RegisteredClient.isText(clientID, longest: RegisteredClient.longestID) else { throw .invalidText(member: "clientID") }
        if let secret, !RegisteredClient.isText(secret.reveal(), longest: RegisteredClient.longestSecret) {
            throw .invalidText(member: "clientSecret")
        }
        return RegisteredClient(
            // No sign-in begins with it: its redirect URI is the other program's.
            providerID: provider.id, registrar: provider.registrar, redirectURI: "", scopes: scopes, clientID: clientID,
            clientSecret: secret, authentication: try authentication(hasSecret: secret != nil, of: provider, methods: methods),
            secretExpiresAt: nil)
    }

    private static func authentication(
        hasSecret: Bool, of provider: Provider, methods: [String]?
    ) throws(Refusal) -> ClientAuthentication {
        // A public client is one whatever the metadata say: several servers forget to list `none`.
        guard hasSecret else { return .none }
        let possible = [ClientAuthentication.clientSecretBasic, .clientSecretPost]
        if let configured = provider.clientAuthentication, possible.contains(configured) { return configured }
        guard let methods else { return .clientSecretBasic }
        guard let method = possible.first(where: { methods.contains($0.rawValue) }) else { throw .noAuthentication(offered: methods) }
        return method
    }
}

extension ClientRegistrations {
    /// Keeps another program's client. None that a credential is bound to is replaced or makes room for it, and neither is one of ours under
    /// the same ID, which a sign-in may be under way with.
    ///
    /// - Parameter isUsed: a stored credential is bound to it.
    /// - Returns: the client as it is kept: as it was, if it is known already.
    @discardableResult
    public mutating func keep(
        imported client: RegisteredClient, isUsed: (RegisteredClient) -> Bool
    ) throws(ImportedClient.Refusal) -> RegisteredClient {
        var kept = all
        if let place = kept.lastIndex(where: { client.isOfTheSameID(as: $0) }) {
            let known = kept[place]
            if known.clientSecret == client.clientSecret { return known }
            guard known.isImported, !isUsed(known) else { throw .otherSecret }
            kept.remove(at: place)
        }
        func makeRoom(most: Int, among isCandidate: (RegisteredClient) -> Bool) throws(ImportedClient.Refusal) {
            while kept.count(where: isCandidate) >= most {
                let newest = kept.lastIndex { isCandidate($0) && !$0.isImported }
                guard let oldest = kept.indices.first(where: { isCandidate(kept[$0]) && $0 != newest && !isUsed(kept[$0]) }) else {
                    throw .noRoom
                }
                kept.remove(at: oldest)
            }
        }
        try makeRoom(most: Self.mostOfOne) { $0.providerID == client.providerID }
        try makeRoom(most: Self.most) { _ in true }
        self = ClientRegistrations(kept + [client])
        return client
    }
}
