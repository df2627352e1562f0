/// Acts as user and browser: opens the page, makes the first choice in its form, and follows where that leads.
struct HeadlessBrowser {
    enum Step: Sendable, Equatable {
        /// The provider showed a page with a form, which is submitted.
        case consented(at: String)
        /// The provider sent the browser back to the daemon.
        case returned(to: String)
        /// The last page.
        case arrived(status: Int, at: String)
    }

    /// The most redirects and forms; a normal provider needs three.
    static let limit = 10

    /// - Parameter onStep: called with each step before the next one.
    func visit(_ url: String, onStep: (Step) -> Void) throws {
        guard var address = WebAddress(url) else { throw LoopbackRequest.Failure(description: "the page has no valid address") }
        let start = address.origin
        var request = LoopbackRequest(address: address, headers: Self.headers)
        for _ in 0..<Self.limit {
            let response = try request.send()
            if (300...399).contains(response.status), let next = response.header("location").flatMap(address.resolving) {
                if next.origin != start, address.origin == start { onStep(.returned(to: next.origin + next.path)) }
                address = next
                request = LoopbackRequest(address: address, headers: Self.headers)
                continue
            }
            guard response.status == 200, address.origin == start,
                let form = HTMLForm(page: String(decoding: response.body, as: UTF8.self)), let target = address.resolving(form.action)
            else {
                onStep(.arrived(status: response.status, at: address.origin + address.path))
                return
            }
            onStep(.consented(at: address.origin))
            let origin = address.origin
            address = target
            request = LoopbackRequest(
                method: form.method, address: address,
                headers: Self.headers + [("Content-Type", "application/x-www-form-urlencoded"), ("Origin", origin)],
                body: form.firstChoices)
        }
        throw LoopbackRequest.Failure(description: "the pages redirect in a loop")
    }

    /// The headers that a browser sends when it opens a page.
    private static let headers = [
        (name: "Accept", value: "text/html"), (name: "Accept-Language", value: "en"), (name: "Sec-Fetch-Dest", value: "document"),
        (name: "Sec-Fetch-Mode", value: "navigate"),
    ]
}
