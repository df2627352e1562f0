/// What is told beside the address where the browser is on this machine, or next to it, and still does not reach this loopback address.
enum EnclosureAdvice {
    /// The browser of Windows gets here, but as nobody's process: the check of who asks refuses it.
    static func wsl(takesPastes: Bool) -> [String] {
        [
            "A browser of Windows will do. When it ends at a page that does not load, or that says 403,",
            takesPastes
                ? "paste that page's whole address here and press Enter." : "give that page's whole address to: postern open-url -",
            "With same-user = false under [callback] it gets in by itself.",
        ]
    }

    /// A tunnel may lead into it all the same: many containers are logged in to like machines.
    static let container = ["This is a container: a browser outside does not reach it by itself."]
}
