/// The frame of every page: no scripts, and nothing loaded from elsewhere.
struct Page {
    var status = 200
    var title: String
    /// HTML.
    var content: String
    /// Where a form may lead, besides this provider: browsers apply the policy to redirects after a form, too.
    var formTargets: [String] = []

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(Self.escaped(title))</title>
        <link rel="stylesheet" href="/demo/style.css">
        </head>
        <body>
        <main>
        <p class="brand"><span aria-hidden="true">◈</span> Demo provider</p>
        <h1>\(Self.escaped(title))</h1>
        \(content)
        </main>
        </body>
        </html>

        """
    }

    var contentSecurityPolicy: String {
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
            + "form-action \((["'self'"] + formTargets).joined(separator: " "))"
    }

    /// For text and for attributes in double quotes.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
