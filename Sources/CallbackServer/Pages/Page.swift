import LoopbackHTTP

/// A whole page.
struct Page {
    var status: Int
    var strings: any PageStrings
    /// Our own words: a title cannot contain the marks that isolate foreign text.
    var title: String
    var content: HTML
    /// Contents of the head besides the title and the style.
    var head = HTML.empty
    var policy = ContentSecurityPolicy()

    init(status: Int, strings: any PageStrings, title: String, content: HTML) {
        self.status = status
        self.strings = strings
        self.title = title
        self.content = content
    }

    init(status: Int, strings: any PageStrings, section: PageSection) {
        self.init(status: status, strings: strings, title: section.heading, content: section.html)
    }

    func response(headers: [(name: String, value: String)] = []) -> ServerResponse {
        var all: [(name: String, value: String)] = [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Language", strings.language.rawValue),
            ("Content-Security-Policy", policy.text),
        ]
        all += headers
        return ServerResponse(status: status, headers: all, body: Array(html.text.utf8))
    }

    var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="\(strings.language.rawValue)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="robots" content="noindex">
        <title>\(title) · Postern</title>
        <link rel="icon" type="image/svg+xml" href="/favicon.ico">
        <style>\(PageStyle.sheet)</style>
        \(head)</head>
        <body>
        <main>
        \(content)</main>
        <footer>Postern</footer>
        </body>
        </html>

        """
    }
}
