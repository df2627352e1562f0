extension Page {
    /// The page on which a user types the code.
    ///
    /// - Parameter wasWrong: no request waits with the code that was typed.
    static func enterCode(wasWrong: Bool = false) -> Page {
        let note = wasWrong ? "<p role=\"alert\">No program waits for that code. It may have expired; check it again.</p>" : ""
        return Page(
            status: wasWrong ? 400 : 200, title: "Which code does your device show?",
            content: """
                \(note)
                <form method="get" action="/device">
                <input class="code" name="user_code" aria-label="Code" autocomplete="off" autocapitalize="characters" autofocus>
                <button class="no" type="submit">Go on</button>
                </form>
                """)
    }

    /// RFC 8628 section 3.3.1: even if the address contained the code, the user should compare it with the one on the device.
    static func deviceConsent(_ request: DeviceRequest, userCode: String) -> Page {
        Page(
            title: "Does your device show \(userCode)?",
            content: """
                <p>If it does, choose who you are. If it shows another code, or you did not start this, refuse: somebody else would be
                signed in as you.</p>
                \(consentForm(for: request.client.id, scopes: request.scopes, action: "/device", hidden: ("user_code", userCode)))
                """)
    }

    static let deviceAnswered = Page(
        title: "All done here", content: "<p>Go back to your device; it continues by itself. You can close this page.</p>")
}
