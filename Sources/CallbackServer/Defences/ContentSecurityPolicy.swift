/// Content Security Policy Level 3: nothing but our own style sheet, by its hash, and our own icon. A page that needs
/// more says so.
struct ContentSecurityPolicy {
    /// The script that may run, by its hash.
    var scriptHash: String?
    /// The page has a form that posts to this server.
    var postsForm = false

    var text: String {
        var directives = [
            "default-src 'none'", "style-src 'sha256-\(PageStyle.hash)'", "img-src 'self'", "base-uri 'none'",
            "frame-ancestors 'none'", "form-action \(postsForm ? "'self'" : "'none'")",
        ]
        if let scriptHash { directives.append("script-src 'sha256-\(scriptHash)'") }
        return directives.joined(separator: "; ")
    }
}
