/// The headers of every answer, whatever created it. There is no cookie and no CORS header anywhere: no script has anything to read here.
enum SecurityHeaders {
    static let all: [(name: String, value: String)] = [
        // No code, no state and no name may stay in a cache.
        ("Cache-Control", "no-store"),
        // Otherwise a browser requests the icon with the whole callback URL as the referrer.
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        // For browsers that do not know `frame-ancestors`.
        ("X-Frame-Options", "DENY"),
        // For answers without a policy of their own.
        ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"),
    ]
}

/// Content Security Policy Level 3: nothing but our own style sheet, by its hash, and our own icon. A page that needs more declares it.
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
