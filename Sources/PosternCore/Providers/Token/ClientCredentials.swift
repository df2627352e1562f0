/// How the client authenticates in one request (RFC 6749 section 2.3.1): in the header or in the body, never in both.
struct ClientCredentials {
    /// In the `Authorization` header.
    var header: (name: String, value: String)?
    /// In the form.
    var parameters: [(name: String, value: String)]

    /// A request that no client signs.
    static let none = ClientCredentials(parameters: [])
}

extension ClientCredentials {
    init(of provider: ResolvedProvider) {
        let secret = provider.provider.clientSecret
        switch (provider.clientAuthentication, secret) {
        case (.clientSecretBasic, let secret?):
            header = ("Authorization", Self.basic(id: provider.clientID, secret: secret))
            // Servers made with the MCP SDK for Python look for the client only in the form. Other strict ones refuse that as a second
            // authentication, although RFC 6749 section 3.2.1 allows it, so it is not sent everywhere.
            parameters = provider.provider.server == nil ? [] : [("client_id", provider.clientID)]
        case (.clientSecretPost, let secret?):
            parameters = [("client_id", provider.clientID), ("client_secret", secret.reveal())]
        // A resolved provider has a secret for every method but this one.
        case (.none, _), (_, nil):
            parameters = [("client_id", provider.clientID)]
        }
    }

    /// Whether HTTP Basic sends the ID or the secret in another form than it has. Some servers do not decode what the standard encodes, such
    /// as a slash, and then refuse the client.
    static func isChangedByBasic(id: String, secret: Secret?) -> Bool {
        !id.utf8.allSatisfy(\.isUnreserved) || secret.map { $0.withBytes { !$0.allSatisfy(\.isUnreserved) } } ?? false
    }

    /// Both are form-encoded before they are joined, so that a colon in the ID cannot move the separator.
    static func basic(id: String, secret: Secret) -> String {
        "Basic " + Base64.encode(Array("\(PercentEncoding.formEncode(id)):\(PercentEncoding.formEncode(secret))".utf8))
    }
}
