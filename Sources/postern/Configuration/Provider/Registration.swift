import PosternClient

import enum PosternCore.Catalogue
import enum PosternCore.ProviderKind
import struct PosternCore.ProviderRegistration
import struct PosternCore.RegistrationContext

extension ProviderRegistration {
    /// That of a provider as configured; nil for one that is not built in.
    ///
    /// - Parameters:
    ///   - directory: that of the configuration; see ``ConfigurationPlace``.
    ///   - host: that of a self-hosted server, if the configuration names it.
    static func of(
        _ id: String, _ kind: Provider.Kind, directory: String = ConfigurationPlace.usual, host: String? = nil, redirectURI: String? = nil
    ) -> ProviderRegistration? {
        guard let kind = ProviderKind(rawValue: kind.rawValue) else { return nil }
        let origin = redirectURI.flatMap(WebAddress.init)?.origin
        return Catalogue.registration(
            at: id, in: RegistrationContext(kind: kind, directory: directory, host: host, redirectURI: redirectURI, redirectOrigin: origin))
    }

    /// The values to ask for, in this order.
    static func fields(of id: String, _ kind: Provider.Kind) -> [Field] {
        if let fields = of(id, kind)?.fields { return fields }
        guard kind == .oauth1 else {
            return [.clientID("Client ID"), .clientSecret("Client secret", whenEmpty: "Enter: a public client, no secret")]
        }
        return [Field("api-key", "API key"), Field("api-secret", "API key secret", .secret(whenEmpty: nil))]
    }

    static let registerThis = "At the provider, register this as the authorization callback URL:"

    /// For a provider that accepts no callback URL of this machine.
    static func elsewhere(_ name: String) -> [String] {
        [
            "\(name) does not redirect to an address of this machine: it accepts only https pages with a domain name.",
            "Make such a page of yours forward the answer to Postern (man postern-providers says how),",
            "register the page's address at the provider, and put it into the configuration as redirect-uri.",
        ]
    }
}
