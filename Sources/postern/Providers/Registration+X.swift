extension Registration {
    static let twitter = Registration(plainCallback: exactCallback)

    static let xPlatform = Registration(
        plainCallback: exactCallback,
        configuration: [
            "[provider.\"x.com\"]", "client-id = \"…\"",
            "client-secret = { file = \"~/.config/postern/x.secret\" }   # leave out for a native app, which has none",
        ])

    private static let exactCallback = [
        "X compares it to the letter, port and all: leave the port under [callback] as it is once this is registered",
        "(developer portal, your app, User authentication settings, Callback URI).",
    ]
}
