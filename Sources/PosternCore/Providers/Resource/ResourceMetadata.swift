import StrictJSON

/// What a protected resource says about itself (RFC 9728 section 2), as far as it is used here.
public struct ResourceMetadata: Sendable, Hashable {
    public static let mostBytes = DocumentSearch.mostBytes
    public static let mostIssuers = 16
    public static let mostScopes = 128

    /// As written: it is sent to the issuer in this form.
    public var resource: String
    /// It is the URL that was asked, but for a slash at the end and how it is written. If not, tokens are good for more at that server.
    public var isIdentical: Bool
    /// `authorization_servers`, in their order; at least one.
    public var issuers: [String]
    /// `scopes_supported`; nil if it does not say.
    public var scopesSupported: [String]?
    /// `resource_name`, cleaned for display.
    public var name: String?
    /// `dpop_bound_access_tokens_required` (RFC 9449).
    public var usesDPoP: Bool
    /// What was left out of the document.
    public var omissions: [Omission]

    /// A part of the document that is not used, while the rest is. The sentences are for the server's author.
    public enum Omission: Sendable, Hashable, CustomStringConvertible {
        /// One of several. The value is cleaned for display.
        case issuer(String, EndpointURLError)
        case furtherIssuers(Int)
        case invalidScopes(Int)
        case furtherScopes(Int)

        public var description: String {
            switch self {
            case .issuer(let value, let error): "an issuer in authorization_servers is not used: \(value) \(error)"
            case .furtherIssuers(let count):
                "\(count) of authorization_servers are not used: there are more than \(ResourceMetadata.mostIssuers)"
            case .invalidScopes(let count):
                "\(count) of scopes_supported are no scopes; use printable ASCII without spaces, quotation marks and backslashes"
            case .furtherScopes(let count): "\(count) of scopes_supported are not used: there are too many"
            }
        }
    }

    /// - Parameter url: of the server whose document it should be.
    public init(parsing body: [UInt8], of url: EndpointURL) throws(ResourceMetadataError) {
        guard body.count <= Self.mostBytes else { throw .tooLarge(limit: Self.mostBytes) }
        let json: JSON
        do throws(AnswerBodyFlaw) { json = try AnswerBody.json(in: body) } catch { throw .notJSON(error) }
        guard case .object(let document) = json else { throw .notAnObject(found: json.typeName) }
        let issuers: [String]?
        let scopes: [String]?
        let bearerMethods: [String]?
        let algorithms: [String]?
        do throws(JSONMemberError) {
            resource = try document.required("resource")
            issuers = try document.optional("authorization_servers")
            scopes = try document.optional("scopes_supported")
            bearerMethods = try document.optional("bearer_methods_supported")
            algorithms = try document.optional("dpop_signing_alg_values_supported")
            name = try document.optional("resource_name").flatMap { ProviderText.cleaned($0, longest: ProviderText.longestName) }
            usesDPoP = try document.optional("dpop_bound_access_tokens_required") ?? false
        } catch {
            throw .member(error)
        }
        switch try Self.reach(of: resource, from: url) {
        case .identical: isIdentical = true
        case .wider: isIdentical = false
        case .other: throw .otherResource(found: ProviderText.shown(resource), url: url.text)
        }
        if let bearerMethods, !bearerMethods.contains("header") {
            throw .noHeader(offered: ProviderText.cleaned(names: bearerMethods))
        }
        if usesDPoP, let algorithms, !algorithms.contains(SignatureAlgorithm.es256.rawValue) {
            throw .noCommonProofAlgorithm(offered: ProviderText.cleaned(names: algorithms))
        }
        omissions = []
        self.issuers = []
        scopesSupported = nil
        try read(issuers: issuers ?? [], of: url)
        read(scopes: scopes)
    }

    private mutating func read(issuers all: [String], of url: EndpointURL) throws(ResourceMetadataError) {
        guard !all.isEmpty else { throw .noIssuer }
        for text in Scopes.withoutRepetition(Array(all.prefix(Self.mostIssuers))) {
            do throws(EndpointURLError) {
                _ = try EndpointURL.issuer(text, namedBy: url)
                issuers.append(text)
            } catch {
                omissions.append(.issuer(ProviderText.shown(text), error))
            }
        }
        if issuers.isEmpty, case .issuer(let value, let error)? = omissions.first { throw .issuerInvalid(value, error) }
        if all.count > Self.mostIssuers { omissions.append(.furtherIssuers(all.count - Self.mostIssuers)) }
    }

    private mutating func read(scopes all: [String]?) {
        guard let all else { return }
        let valid = Scopes.withoutRepetition(all.filter(Scopes.isValid))
        let kept = Scopes.bounded(valid, most: Self.mostScopes)
        scopesSupported = kept
        let invalid = all.count { !Scopes.isValid($0) }
        if invalid > 0 { omissions.append(.invalidScopes(invalid)) }
        if valid.count > kept.count { omissions.append(.furtherScopes(valid.count - kept.count)) }
    }
}

extension ResourceMetadata {
    /// What a resource covers of a URL.
    enum Reach {
        case identical
        /// The URL and more.
        case wider
        case other
    }

    /// Compares scheme, host and port, then whole segments, each percent-decoded once. A query must be the same, and then so must the path.
    static func reach(of resource: String, from url: EndpointURL) throws(ResourceMetadataError) -> Reach {
        let own: EndpointURL
        let segments: [[UInt8]]
        do throws(EndpointURLError) {
            own = try EndpointURL(resource)
            segments = try own.decodedSegments()
        } catch { throw .resourceInvalid(ProviderText.shown(resource), error) }
        guard own.hasSameOrigin(as: url), let asked = try? url.decodedSegments(), asked.starts(with: segments) else { return .other }
        if segments == asked, own.query == url.query { return .identical }
        return own.query == nil ? .wider : .other
    }
}

extension EndpointURL {
    /// The segments of the path, without an empty one at the end.
    func decodedSegments() throws(EndpointURLError) -> [[UInt8]] {
        guard var segments = URLPrefix.segments(of: self) else { throw .dotSegment }
        if segments.last?.isEmpty == true { segments.removeLast() }
        return segments.map { PercentEncoding.decode($0.utf8) ?? Array($0.utf8) }
    }

    /// An issuer (RFC 8414 section 2).
    static func issuer(_ text: String, namedBy resource: EndpointURL) throws(EndpointURLError) -> EndpointURL {
        let url = try EndpointURL(text, namedBy: resource)
        guard url.query == nil else { throw .query }
        guard URLPrefix.segments(of: url) != nil else { throw .dotSegment }
        return url
    }
}

/// Why a resource's document is refused. The sentences are for the server's author.
public enum ResourceMetadataError: Error, Sendable, Hashable, CustomStringConvertible {
    case tooLarge(limit: Int)
    case notJSON(AnswerBodyFlaw)
    case notAnObject(found: String)
    case member(JSONMemberError)
    // The values are cleaned for display.
    case resourceInvalid(String, EndpointURLError)
    case otherResource(found: String, url: String)
    case noIssuer
    case issuerInvalid(String, EndpointURLError)
    case noHeader(offered: [String])
    case noCommonProofAlgorithm(offered: [String])

    public var description: String {
        switch self {
        case .tooLarge(let limit): "it is larger than \(limit) bytes"
        case .notJSON(let error): "it is \(error)"
        case .notAnObject(let found): "it must be an object, but is \(found)"
        case .member(let error): "\(error)"
        case .resourceInvalid(let value, let error): "its resource is \(value), which \(error)"
        case .otherResource(let found, let url):
            "its resource is \(found), but must be \(url) or a prefix of it by whole segments; tokens for another resource are not for this server"
        case .noIssuer: "authorization_servers names no issuer; list the issuer whose tokens the server takes"
        case .issuerInvalid(let value, let error): "authorization_servers names no issuer that can be used: \(value) \(error)"
        case .noHeader(let offered):
            "bearer_methods_supported is \(offered.isEmpty ? "empty" : offered.joined(separator: ", ")), but a token is sent in the header alone; "
                + "add header, or leave the list out"
        case .noCommonProofAlgorithm(let offered):
            "it takes DPoP proofs signed with \(offered.isEmpty ? "nothing" : offered.joined(separator: ", ")) only "
                + "(dpop_signing_alg_values_supported), but Postern signs them with ES256"
        }
    }
}
