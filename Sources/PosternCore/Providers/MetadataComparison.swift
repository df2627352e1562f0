import StrictJSON

/// A list in a provider's metadata that names nothing that Postern supports.
public struct MetadataGap: Error, Sendable, Hashable, CustomStringConvertible {
    /// The lists that are compared, by their names. Those of client authentication and of DPoP are compared where they are used.
    public enum List: String, Sendable, CaseIterable {
        case responseTypes = "response_types_supported"
        case responseModes = "response_modes_supported"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case idTokenAlgorithms = "id_token_signing_alg_values_supported"

        /// What Postern supports.
        var ours: [String] {
            switch self {
            case .responseTypes: ["code"]
            case .responseModes: ResponseMode.allCases.map(\.rawValue)
            case .codeChallengeMethods: ["S256"]
            case .idTokenAlgorithms: SignatureAlgorithm.allCases.map(\.rawValue)
            }
        }

        var title: String {
            switch self {
            case .responseTypes: "response types"
            case .responseModes: "response modes"
            case .codeChallengeMethods: "PKCE methods"
            case .idTokenAlgorithms: "signature algorithms of ID tokens"
            }
        }

        /// Whether no sign-in page of the provider can work then. Servers often ignore what they do not list of PKCE, and the algorithm is
        /// checked when there is an ID token.
        public var stopsPages: Bool {
            switch self {
            case .responseTypes, .responseModes: true
            case .codeChallengeMethods, .idTokenAlgorithms: false
            }
        }
    }

    public var list: List
    /// Some of what it names, cleaned for display.
    public var offered: [String]

    public var description: String {
        "the provider's \(list.title) are \(offered.joined(separator: ", ")) (\(list.rawValue)), but Postern supports only "
            + list.ours.joined(separator: ", ")
    }

    /// Nil if the list is missing, empty, or of another type, or names something that Postern supports.
    init?(_ list: List, in document: JSONObject) {
        guard let named = document[list.rawValue]?.arrayValue?.compactMap(\.stringValue), !named.isEmpty,
            !named.contains(where: list.ours.contains)
        else { return nil }
        self.list = list
        offered = ProviderText.cleaned(names: named)
    }
}

/// What a provider's metadata demand, or let it demand of a client, and Postern does not do.
public enum MetadataDemand: String, Sendable, CaseIterable {
    // RFC 9101 section 10.5, OpenID Connect Discovery section 3.
    case signedRequests = "require_signed_request_object"
    case registeredRequestURIs = "require_request_uri_registration"
    // RFC 8705 section 3.3.
    case certificateBoundTokens = "tls_client_certificate_bound_access_tokens"
    // OpenID Connect Discovery section 3.
    case encryptedIDTokens = "id_token_encryption_alg_values_supported"
    case encryptedUserinfo = "userinfo_encryption_alg_values_supported"

    /// It is a setting of each client, so the metadata do not say whether it is demanded.
    public var isOfClient: Bool {
        switch self {
        case .signedRequests, .registeredRequestURIs: false
        case .certificateBoundTokens, .encryptedIDTokens, .encryptedUserinfo: true
        }
    }

    /// A noun phrase.
    public var what: String {
        switch self {
        case .signedRequests: "signed request objects"
        case .registeredRequestURIs: "registered addresses of request objects"
        case .certificateBoundTokens: "access tokens bound to a client certificate (mutual TLS)"
        case .encryptedIDTokens: "encrypted ID tokens"
        case .encryptedUserinfo: "encrypted userinfo"
        }
    }

    /// Whether a document has it: true, or a list that is not empty.
    func isIn(_ document: JSONObject) -> Bool {
        switch document[rawValue] {
        case .bool(true)?: true
        case .array(let elements)?: !elements.isEmpty
        default: false
        }
    }
}

extension ProviderText {
    /// Some of a list's names, for a sentence.
    public static func cleaned(names: [String]) -> [String] { names.prefix(8).compactMap { cleaned($0, longest: 64) } }
}
