/// The user name that accompanies a token if a protocol requires a name and a password.
enum HelperUserName {
    /// Names that only say that a token follows, not whose it is.
    static let placeholders = ["git", "oauth2", "x-access-token", "x-oauth-basic", "x-token-auth"]

    /// For git over HTTP.
    ///
    /// - Parameter host: without the port.
    static func git(providerID: String, host: String) -> String {
        switch (providerID, host) {
        case ("github.com", _), (_, "github.com"), (_, "gist.github.com"): "x-access-token"
        case ("bitbucket.org", _), (_, "bitbucket.org"): "x-token-auth"
        // GitLab's documentation requires this one; the others ignore the name.
        default: "oauth2"
        }
    }

    /// For a container registry.
    static func registry(providerID: String) -> String {
        registryNamesByProvider[providerID] ?? "oauth2"
    }

    /// All that ``registry(providerID:)`` gives: a caller may come back with one.
    static let registryNames = registryNamesByProvider.values + ["oauth2"]

    private static let registryNamesByProvider = [
        "google.com": "oauth2accesstoken",
        "github.com": "x-access-token",
        // Azure's registries accept no other name.
        "microsoft.com": "00000000-0000-0000-0000-000000000000",
    ]
}
