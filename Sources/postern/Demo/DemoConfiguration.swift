/// What the demo's daemon is told.
enum DemoConfiguration {
    static let providerID = "demo"

    static func text(issuer: String, opensBrowser: Bool) -> String {
        """
        [callback]
        port = 0

        \(opensBrowser ? "" : "[sign-in]\nbrowser = \"none\"\n")
        [store]
        key = "file"

        [daemon]
        idle-exit = "never"

        [provider.\(providerID)]
        kind = "oidc"
        display-name = "the demo provider"
        issuer = "\(issuer)"
        client-id = "postern-demo"
        scopes = ["openid", "email", "profile", "offline_access"]

        """
    }
}
