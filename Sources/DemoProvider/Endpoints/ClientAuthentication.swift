import PosternValues

extension AuthorizationServer {
    /// Authenticates the client at an endpoint for programs (RFC 6749 sections 2.3.1 and 3.2.1).
    func authenticate(authorization: String?, parameters: FormParameters) throws(OAuthError) -> DemoClient {
        if let name = parameters.repeated.min() { throw .invalidRequest("\(name) appears twice") }
        guard let authorization else {
            guard let id = parameters["client_id"] else { throw .invalidClient("the client does not identify itself", usedHeader: false) }
            return try check(id, secret: parameters["client_secret"], usedHeader: false)
        }
        guard let credentials = BasicCredentials(header: authorization) else {
            throw .invalidClient("the Authorization header is not Basic", usedHeader: true)
        }
        guard parameters["client_secret"] == nil else { throw .invalidRequest("the client authenticates in two ways at once") }
        guard parameters["client_id"].map({ $0 == credentials.id }) ?? true else {
            throw .invalidRequest("client_id is not the client of the Authorization header")
        }
        return try check(credentials.id, secret: credentials.secret.isEmpty ? nil : credentials.secret, usedHeader: true)
    }

    private func check(_ id: String, secret: String?, usedHeader: Bool) throws(OAuthError) -> DemoClient {
        // The same sentence in all cases, so that nobody learns which clients exist.
        let refusal = OAuthError.invalidClient("no such client, or not its secret", usedHeader: usedHeader)
        guard let client = client(id) else { throw refusal }
        guard secret.map({ Secret($0) }) == client.secret else { throw refusal }
        return client
    }
}

/// `Authorization: Basic`, with both parts form-decoded as RFC 6749 section 2.3.1 requires.
struct BasicCredentials {
    var id: String
    var secret: String

    init?(header: String) {
        let parts = header.parts(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic" else { return nil }
        let encoded = String(parts[1].before { $0 == "=" }).mapping { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }
        guard let bytes = Base64URL.decode(encoded), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            let id = FormParameters.decoded(bytes[..<colon]), let secret = FormParameters.decoded(bytes[(colon + 1)...])
        else { return nil }
        self.id = id
        self.secret = secret
    }
}
