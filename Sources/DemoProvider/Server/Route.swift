/// The provider's paths.
enum Route: Hashable {
    case home, style, icon
    case picture(Person)
    case metadata, keys
    case authorize, decision
    case token, userinfo, revoke
    case deviceAuthorization, device
    case rotateKeys

    init?(path: String) {
        switch path {
        case "/": self = .home
        case "/demo/style.css": self = .style
        case "/favicon.ico": self = .icon
        case "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server": self = .metadata
        case "/jwks": self = .keys
        case "/authorize": self = .authorize
        case "/authorize/decision": self = .decision
        case "/device_authorization": self = .deviceAuthorization
        case "/device": self = .device
        case "/token": self = .token
        case "/userinfo": self = .userinfo
        case "/revoke": self = .revoke
        case "/demo/rotate-keys": self = .rotateKeys
        default:
            guard let person = Person.all.first(where: { path == "/demo/people/\($0.name).svg" }) else { return nil }
            self = .picture(person)
        }
    }

    /// A user responds here, from one of this provider's pages.
    var takesPagesForms: Bool { self == .decision || self == .device }

    var methods: [String] {
        switch self {
        case .home, .style, .icon, .picture, .metadata, .keys: ["GET", "HEAD"]
        // OpenID Connect Core sections 3.1.2.1 and 5.3.1 require both.
        case .authorize, .userinfo, .device: ["GET", "POST"]
        case .decision, .token, .revoke, .deviceAuthorization, .rotateKeys: ["POST"]
        }
    }
}
