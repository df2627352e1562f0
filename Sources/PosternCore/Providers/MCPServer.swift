/// A server of the Model Context Protocol, `[mcp.NAME]`: who issues its tokens is found from its URL (RFC 9728).
public struct MCPServer: Sendable, Hashable {
    /// As configured.
    public var url: EndpointURL
    /// The account that is meant: a hint for the page, and a check where the issuer says who signed in.
    public var login: String?
    /// One of several that the server names.
    public var issuer: String?
    /// `resource` is sent (RFC 8707); false if the issuer refuses it, which only the configuration can say.
    public var sendsResource = true
    /// A client is registered even where the client document would do.
    public var prefersRegistration = false

    public init(url: EndpointURL) { self.url = url }
}
