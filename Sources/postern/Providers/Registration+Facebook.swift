extension Registration {
    static let facebook = Registration(plainCallback: developmentCallback)

    static let facebookLimited = Registration(
        plainCallback: developmentCallback,
        configuration: ["[provider.\"facebook.com\"]", "client-id = \"…\"       # the App ID; there is no secret", "limited = true"],
        secret: [])

    private static let developmentCallback = [
        "Facebook takes it while the app is in development mode, and only for people with a role in the app.",
        "A live app takes https pages alone: have such a page of yours hand the answer on to Postern",
        "(docs/providers/facebook.com.md says how), register that, and set redirect-uri to its address.",
    ]
}
