/// The provider's paths.
enum Route: String {
    case home = "/"
    case style = "/demo/style.css"
    case icon = "/favicon.ico"
    case pictures = "/demo/people/"
    case metadata = "/.well-known/openid-configuration"
    case keys = "/jwks"
    case authorize = "/authorize"
    case decision = "/authorize/decision"
    case deviceAuthorization = "/device_authorization"
    case device = "/device"
    case token = "/token"
    case userinfo = "/userinfo"
    case revoke = "/revoke"
    case reports = "/demo/reports"
    case vault = "/demo/vault"
    case rotateKeys = "/demo/rotate-keys"

    init?(path: String) {
        switch path {
        case "/.well-known/oauth-authorization-server": self = .metadata
        case _ where path.begins(with: Self.pictures.rawValue):
            guard Person.pictured(at: path) != nil else { return nil }
            self = .pictures
        default: self.init(rawValue: path)
        }
    }

    /// A user responds here, from one of this provider's pages.
    var takesPagesForms: Bool { self == .decision || self == .device }

    var methods: [String] {
        switch self {
        case .home, .style, .icon, .pictures, .metadata, .keys, .reports, .vault: ["GET", "HEAD"]
        // OpenID Connect Core sections 3.1.2.1 and 5.3.1 require both.
        case .authorize, .userinfo, .device: ["GET", "POST"]
        case .decision, .token, .revoke, .deviceAuthorization, .rotateKeys: ["POST"]
        }
    }
}
