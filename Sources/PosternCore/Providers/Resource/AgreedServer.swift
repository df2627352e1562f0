/// What a person was shown of an MCP server, and agreed to. The server and its issuer may say something else by the time of the sign-in.
public struct AgreedServer: Sendable, Hashable {
    /// The most hosts, and the longest issuer or resource, in bytes.
    public static let mostHosts = 16
    public static let longestURL = EndpointURL.longest

    public var issuer: String
    /// As it is sent; nil if none is.
    public var resource: String?
    /// Where the issuer may have endpoints besides its own host.
    public var endpointHosts: Set<EndpointHost>
    /// Those that the sign-in requests.
    public var scopes: [String]

    public init(issuer: String, resource: String?, endpointHosts: Set<EndpointHost>, scopes: [String]) {
        self.issuer = issuer
        self.resource = resource
        self.endpointHosts = endpointHosts
        self.scopes = scopes
    }

    /// What differs from it now, each in words for the person, cleaned for display; empty if nothing does.
    ///
    /// - Parameters:
    ///   - found: the server's provider with what was found.
    ///   - hosts: where the issuer has endpoints now, besides its own host.
    public func changes(in found: Provider, endpointsAt hosts: [EndpointHost]) -> [String] {
        var changes: [String] = []
        if !Self.isSame(found.issuer, issuer) { changes.append(Self.change("issuer", from: issuer, to: found.issuer)) }
        let named = found.extensions.resources.first
        if !Self.isSame(named, resource) { changes.append(Self.change("resource", from: resource, to: named)) }
        let further = hosts.filter { !endpointHosts.contains($0) }
        if !further.isEmpty { changes.append("its issuer has endpoints at \(further.map(\.description).joined(separator: " and ")), too") }
        // Fewer are not less: without any the issuer chooses.
        if Set(found.scopes) != Set(scopes) {
            func listed(_ scopes: [String]) -> String? { scopes.isEmpty ? nil : scopes.joined(separator: " ") }
            changes.append(Self.change("scopes", from: listed(scopes), to: listed(found.scopes)))
        }
        return changes
    }

    private static func isSame(_ one: String?, _ other: String?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.isSame(other)
    }

    private static func change(_ what: String, from old: String?, to new: String?) -> String {
        let verb = what == "scopes" ? ("are", "were") : ("is", "was")
        func shown(_ text: String?) -> String { text.map(ProviderText.shown) ?? "not named" }
        return "its \(what) \(verb.0) \(shown(new)) now, and \(verb.1) \(shown(old))"
    }
}
