import PosternClient

/// The provider's own page for registering a client, with as many fields filled in as its address permits.
struct RegistrationPage {
    var url: String
    /// The name and the callback URL are filled in.
    var isFilledIn = false

    /// - Parameter host: that of a self-hosted server, if the configuration names it.
    /// - Returns: nil for a provider that is not built in.
    static func of(_ providerID: String, redirectURI: String?, host: String?) -> RegistrationPage? {
        switch providerID {
        case "github.com":
            let fields: [(name: String, value: String?)] = [
                ("oauth_application[name]", "Postern"), ("oauth_application[url]", redirectURI.flatMap(WebAddress.init)?.origin),
                ("oauth_application[callback_url]", redirectURI),
            ]
            let query = fields.compactMap { field in field.value.map { "\(encoded(field.name))=\(encoded($0))" } }.joined(separator: "&")
            return RegistrationPage(url: "https://\(host ?? "github.com")/settings/applications/new?\(query)", isFilledIn: true)
        case "gitlab.com": return RegistrationPage(url: "https://\(host ?? "gitlab.com")/-/user_settings/applications")
        case "google.com": return RegistrationPage(url: "https://console.cloud.google.com/auth/clients/create")
        case "microsoft.com":
            return RegistrationPage(url: "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/CreateApplicationBlade")
        case "facebook.com": return RegistrationPage(url: "https://developers.facebook.com/apps")
        case "twitter.com", "x.com": return RegistrationPage(url: "https://developer.x.com/en/portal/dashboard")
        case "apple.com": return RegistrationPage(url: "https://developer.apple.com/account/resources")
        default: return nil
        }
    }

    /// Encodes all but the unreserved characters (RFC 3986 section 2.3).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                if "-._~".utf8.contains(byte) {
                    encoded.unicodeScalars.append(Unicode.Scalar(byte))
                } else {
                    encoded += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
                }
            }
        }
    }
}

/// A value from the provider that is put into the configuration, in the order of the questions.
struct RegistrationField: Equatable {
    enum Kind: Equatable {
        case text
        /// Hidden while typed. The value says what Enter alone means, if the secret is optional.
        case secret(whenEmpty: String?)
        /// The path of a file that contains a secret.
        case secretFile
    }

    var key: String
    var question: String
    var kind: Kind

    /// Whether the key is that of the provider's client ID.
    static func isID(_ key: String) -> Bool { ["client-id", "api-key"].contains(key) }

    static func all(of providerID: String, _ kind: Provider.Kind) -> [RegistrationField] {
        switch providerID {
        case "github.com":
            return [
                id("Client ID"), secret("Client secret", whenEmpty: "Enter: sign in with a code on GitHub's page, without a secret"),
            ]
        case "gitlab.com": return [id("Application ID"), secret("Secret", whenEmpty: "Enter: not confidential, no secret")]
        case "google.com": return [id("Client ID"), secret("Client secret")]
        case "microsoft.com": return [id("Application (client) ID")]
        case "facebook.com": return kind == .oidc ? [id("App ID")] : [id("App ID"), secret("App secret")]
        case "apple.com":
            return [
                id("Services ID"), RegistrationField(key: "team-id", question: "Team ID", kind: .text),
                RegistrationField(key: "key-id", question: "Key ID", kind: .text),
                RegistrationField(key: "signing-key", question: "The key file (AuthKey_….p8), a path", kind: .secretFile),
                RegistrationField(key: "redirect-uri", question: "Return URL, a page of yours", kind: .text),
            ]
        default: break
        }
        guard kind == .oauth1 else {
            return [id("Client ID"), secret("Client secret", whenEmpty: "Enter: a public client, no secret")]
        }
        return [
            RegistrationField(key: "api-key", question: "API key", kind: .text),
            RegistrationField(key: "api-secret", question: "API key secret", kind: .secret(whenEmpty: nil)),
        ]
    }

    private static func id(_ question: String) -> RegistrationField { RegistrationField(key: "client-id", question: question, kind: .text) }

    private static func secret(_ question: String, whenEmpty: String? = nil) -> RegistrationField {
        RegistrationField(key: "client-secret", question: question, kind: .secret(whenEmpty: whenEmpty))
    }
}
