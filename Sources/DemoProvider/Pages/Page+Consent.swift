import PosternValues

extension Page {
    /// Asks which of the two persons it is, with a button for each and one to refuse.
    static func consent(_ question: AuthorizationServer.ConsentRequest) -> Page {
        let request = question.request
        let form = consentForm(
            for: request.client.id, scopes: request.scopes, action: "/authorize/decision", hidden: ("request", question.requestID),
            preferred: request.preferred)
        let isStrong = request.authenticationClass != nil
        return Page(
            title: isStrong ? "Who is it, once more?" : "Who is signing in?",
            content: """
                \(isStrong ? "<p>The vault opens only to those who say once more who they are.</p>" : "")\(form)
                <p class="small">Nothing here is real: two accounts, no password, all forgotten when this program ends.</p>
                """,
            formTargets: [formTarget(of: request.redirectURI)])
    }

    /// What a client requests, with a button for each person: the one that the client prefers is first and has the focus.
    ///
    /// - Parameter hidden: identifies the request that is answered.
    static func consentForm(
        for clientID: String, scopes: [String], action: String, hidden: (name: String, value: String), preferred: Person? = nil
    ) -> String {
        let people = Person.all.filter { $0 == preferred } + Person.all.filter { $0 != preferred }
        let buttons = people.map { button(for: $0, isPreferred: $0 == preferred) }.joined(separator: "\n")
        return """
            <p><strong>\(escaped(clientID))</strong> would like to know who you are.</p>
            <ul class="wishes">\(wishes(for: scopes))</ul>
            <form method="post" action="\(action)">
            <input type="hidden" name="\(hidden.name)" value="\(escaped(hidden.value))">
            \(buttons)
            <button class="no" type="submit" name="decision" value="deny">No, thanks</button>
            </form>
            """
    }

    private static func wishes(for scopes: [String]) -> String {
        scopes.compactMap { wish[$0] }.map { "<li>\($0)</li>" }.joined()
    }

    private static func button(for person: Person, isPreferred: Bool) -> String {
        let note = isPreferred ? "<br>suggested by the program" : ""
        return """
            <button class="person" type="submit" name="person" value="\(person.name)"\(isPreferred ? " autofocus" : "")>
            <img src="\(person.picturePath)" alt="" width="48" height="48">
            <span><strong>\(escaped(person.displayName))</strong><br>\(escaped(person.email))\(note)</span>
            </button>
            """
    }

    private static let wish = [
        "openid": "your account here", "profile": "your name and picture", "email": "your e-mail address",
        "offline_access": "to ask again without you", AuthorizationServer.reportsScope: "your reports",
    ]

    /// The redirect URI's origin as a policy can express it: policies do not support IPv6 addresses, so the scheme must suffice for these.
    private static func formTarget(of uri: String) -> String {
        guard let url = try? EndpointURL(uri), !url.host.unicodeScalars.contains(":") else {
            return "\(uri.before { $0 == ":" }):"
        }
        return "\(url.scheme.rawValue)://\(url.host):\(url.port)"
    }

    /// - Parameter reason: completes "the request cannot be answered: ".
    static func refused(_ reason: String) -> Page {
        Page(
            status: 400, title: "This sign-in cannot go on",
            content: """
                <p role="alert">The program that sent you here made a mistake: \(escaped(reason)).</p>
                <p>Close this page and start again from the program.</p>
                """)
    }

    static let gone = Page(
        status: 400, title: "This page is over",
        content: """
            <p role="alert">It was answered before, or waited too long.</p>
            <p>Close it and start again from the program.</p>
            """)

    static let home = Page(
        title: "A provider to try things with",
        content: """
            <p>An OpenID provider with two accounts and no passwords. Programs find out about it at
            <a href="/.well-known/openid-configuration">its discovery document</a>.</p>
            """)

    static let notFound = Page(status: 404, title: "There is no such page", content: "<p>Nothing is here.</p>")
}
