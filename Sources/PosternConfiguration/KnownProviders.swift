import PosternCore

/// The providers that are built in.
public enum KnownProviders {
    public static let all: [Provider] = [
        Provider(
            id: "github.com", displayName: "GitHub", kind: .oauth2, dialect: StandardDialect(),
            endpoints: ProviderEndpoints(
                authorization: "https://github.com/login/oauth/authorize", token: "https://github.com/login/oauth/access_token",
                userinfo: "https://api.github.com/user"),
            scopes: ["read:user", "user:email"], clientAuthentication: .clientSecretPost,
            profileMapping: ProfileMapping(uid: "id", displayName: "name", email: "email", photo: "avatar_url", username: "login"))
    ]
}
