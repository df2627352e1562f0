/// The headers of every answer, whoever made it. There is no cookie and no CORS header anywhere: nobody's script has
/// anything to read here.
enum SecurityHeaders {
    static let all: [(name: String, value: String)] = [
        // No code, no state and nobody's name stays in a cache.
        ("Cache-Control", "no-store"),
        // A browser asks for the icon with the whole callback URL as its referrer otherwise.
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        // For browsers that do not know `frame-ancestors`.
        ("X-Frame-Options", "DENY"),
        // Where an answer brings no policy of its own.
        ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"),
    ]
}

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
