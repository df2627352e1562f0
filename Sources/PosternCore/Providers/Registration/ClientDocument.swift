import StrictJSON

/// The document whose URL is a client's ID, at issuers that say `client_id_metadata_document_supported`
/// (draft-ietf-oauth-client-id-metadata-document).
public enum ClientDocument {
    /// What issuers read of it at most.
    public static let mostBytes = 5120

    /// Where answers may be sent to. Issuers compare redirect URIs exactly, or disregard the port of an address (RFC 8252 section 7.3); no
    /// host stands for another.
    ///
    /// - Parameter port: the one that is held.
    public static func redirectURIs(port: Int) -> [String] {
        let hosts = ["127.0.0.1", "[::1]", "localhost"]
        return hosts.map { "http://\($0):\(port)/__/auth/handler" } + hosts.map { "http://\($0)/__/auth/handler" }
    }

    /// The document to publish at a URL (RFC 7591 section 2), with a line for each member.
    public static func text(url: EndpointURL, port: Int) -> String {
        let folder = url.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(url.path[..<$0]) } ?? ""
        let document: JSONObject = [
            "client_id": .string(url.text), "client_name": .string(ClientRegistrationRequest.clientName),
            "client_uri": .string(url.origin + folder), "redirect_uris": .array(redirectURIs(port: port).map { .string($0) }),
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"], "token_endpoint_auth_method": "none",
            "application_type": "native",
        ]
        let lines = document.members.map { "  \(JSON.string($0.key).text): \($0.value.text)" }
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    /// - Returns: the URL, if it can be a client ID.
    public static func url(_ text: String) throws(ClientDocumentError) -> EndpointURL {
        let url: EndpointURL
        do throws(EndpointURLError) { url = try EndpointURL(text) } catch { throw .urlInvalid(error) }
        // Issuers read it from elsewhere, so `http` to this machine is nothing to them.
        guard url.scheme == .https else { throw .notHTTPS }
        guard URLPrefix.segments(of: url) != nil else { throw .urlInvalid(.dotSegment) }
        guard !url.path.isEmpty, url.path != "/" else { throw .withoutPath }
        return url
    }

    /// The request that an issuer would send.
    public static func request(for url: EndpointURL) -> ProviderRequest {
        var request = ProviderRequest(url: url.text, headers: [("Accept", "application/json")])
        request.mostBodyBytes = mostBytes
        request.longestSeconds = DocumentSearch.longestSeconds
        return request
    }

    /// Checks what an issuer would check.
    ///
    /// - Parameter redirectURI: the sign-in's.
    public static func check(
        _ response: ProviderResponse, of url: EndpointURL, redirectURI: String, now: Timestamp
    ) throws(ClientDocumentError) {
        if let failure = TransientFailure(response, now: now) { throw .transient(failure) }
        guard !(300..<400).contains(response.status) else { throw .redirected }
        guard response.status == 200 else { throw .refused(status: response.status) }
        guard response.body.count <= mostBytes else { throw .tooLarge }
        let type = response.header("Content-Type") ?? ""
        guard isJSON(mediaType: type) else { throw .otherType(ProviderText.shown(type)) }
        let json: JSON
        do throws(AnswerBodyFlaw) { json = try AnswerBody.json(in: response.body) } catch { throw .notJSON(error) }
        guard case .object(let document) = json else { throw .notAnObject(found: json.typeName) }
        let id: String
        let method: String?
        let redirectURIs: [String]
        do throws(JSONMemberError) {
            id = try document.required("client_id")
            _ = try document.required("client_name", as: String.self)
            redirectURIs = try document.required("redirect_uris")
            method = try document.optional("token_endpoint_auth_method")
        } catch {
            throw .member(error)
        }
        guard id.utf8.elementsEqual(url.text.utf8) else { throw .otherID(found: ProviderText.shown(id)) }
        // Even without a value: a secret would be everybody's.
        for member in ["client_secret", "client_secret_expires_at"] where document[member] != nil { throw .secret(member: member) }
        guard method == ClientAuthentication.none.rawValue else { throw .otherAuthentication(method.map(ProviderText.shown)) }
        guard redirectURIs.contains(where: { $0.utf8.elementsEqual(redirectURI.utf8) }) else { throw .redirectURIMissing(redirectURI) }
    }

    /// `application/json` or a type that ends in `+json` (RFC 6839 section 3.1), whatever its parameters.
    private static func isJSON(mediaType text: String) -> Bool {
        let type = text.before { $0 == ";" }.trimmingBlanks().lowercased()
        return type == "application/json" || type.begins(with: "application/") && type.ends(with: "+json")
    }
}

/// Why a client document, or its URL, cannot be used. The sentences continue after the URL, and are for whoever publishes it.
public enum ClientDocumentError: Error, Sendable, Hashable, CustomStringConvertible {
    case urlInvalid(EndpointURLError)
    case notHTTPS
    case withoutPath
    case transient(TransientFailure)
    case refused(status: Int)
    case redirected
    case tooLarge
    case otherType(String)
    case notJSON(AnswerBodyFlaw)
    case notAnObject(found: String)
    case member(JSONMemberError)
    case otherID(found: String)
    case secret(member: String)
    case otherAuthentication(String?)
    case redirectURIMissing(String)

    public var description: String {
        switch self {
        case .urlInvalid(let error): "\(error)"
        case .notHTTPS: "is not https, which a client document's URL must be"
        case .withoutPath: "has no path but /; a client document's URL must have one, such as https://example.org/postern/client.json"
        case .transient(let failure): "could not be read: \(failure)"
        case .refused(let status): "answered with status \(status); publish there what postern mcp document prints"
        case .redirected: "redirects, which issuers do not follow; configure the URL where the document is"
        case .tooLarge: "has a document of more than \(ClientDocument.mostBytes) bytes, which issuers do not read"
        case .otherType(let type): "has the media type \(type); it must be application/json"
        case .notJSON(let error): "is \(error)"
        case .notAnObject(let found): "must have an object, but has \(found)"
        case .member(let error): "has a document in which \(error)"
        case .otherID(let found): "has a document whose client_id is \(found); it must be the URL, character by character"
        case .secret(let member): "has a document with \(member); everybody can read it, so it must have none"
        case .otherAuthentication(let method):
            "has a document whose token_endpoint_auth_method is \(method ?? "missing"); it must be none"
        case .redirectURIMissing(let uri):
            "has a document whose redirect_uris lack \(uri), so the answer would be refused; publish what postern mcp document prints"
        }
    }
}
