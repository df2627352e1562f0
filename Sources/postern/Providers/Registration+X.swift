extension Registration {
    static let twitter = Registration(plainCallback: exactCallback)

    static func xPlatform(_ directory: String) -> Registration {
        Registration(
            plainCallback: exactCallback,
            configuration: [
                "[provider.\"x.com\"]", "client-id = \"…\"",
                "client-secret = { file = \"\(directory)/x.secret\" }   # leave out for a native app, which has none",
            ])
    }

    private static let exactCallback = [
        "X compares it to the letter, port and all: leave the port under [callback] as it is once this is registered",
        "(developer portal, your app, User authentication settings, Callback URI).",
    ]
}
