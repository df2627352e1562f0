/// Who answers at an endpoint: a host, in lower case. On this machine, where any user may listen, its port belongs to it.
public struct EndpointHost: Sendable, Hashable, CustomStringConvertible {
    public let description: String
    /// Nil for an address and for this machine, which have nothing below them.
    private let name: String?

    public init(_ url: EndpointURL) {
        let written = url.host.holds(":") ? "[\(url.host)]" : url.host
        guard !LoopbackHost.isMeant(by: url.host) else {
            description = "\(written):\(url.port)"
            name = nil
            return
        }
        description = written
        let isAddress = description.parts(separator: ".").last?.utf8.allSatisfy(\.isDecimalDigit) ?? true
        name = isAddress || url.host.holds(":") ? nil : description
    }

    /// As a person writes it: `login.example.com`, `127.0.0.1:8080`. The port of another machine is left out.
    ///
    /// - Returns: nil if it is no host.
    public init?(written text: String) {
        guard let url = try? EndpointURL("https://\(text)"), url.path.isEmpty, url.query == nil else { return nil }
        self.init(url)
    }

    /// It is the other one, or below it.
    func isWithin(_ other: EndpointHost) -> Bool {
        if self == other { return true }
        guard let name, let above = other.name else { return false }
        return name.ends(with: ".\(above)")
    }
}
