/// Acts as user and browser: opens the page, makes the first choice in its form, and follows where that leads.
struct HeadlessBrowser {
    /// The most redirects and forms; a normal provider needs three.
    static let limit = 10

    /// - Parameter onStep: called with each step before the next one.
    func visit(_ url: String, onStep: (_ topic: String, _ words: String) -> Void) throws {
        guard var address = WebAddress(url) else { throw LoopbackRequest.Failure(description: "the page has no valid address") }
        let start = address.origin
        var request = LoopbackRequest(address: address, headers: Self.headers)
        for _ in 0..<Self.limit {
            let response = try request.send()
            if (300...399).contains(response.status), let next = response.header("location").flatMap(address.resolving) {
                if next.origin != start, address.origin == start {
                    onStep("redirect", "the provider sends the browser back to \(next.origin + next.path)")
                }
                address = next
                request = LoopbackRequest(address: address, headers: Self.headers)
                continue
            }
            guard response.status == 200, address.origin == start,
                let form = HTMLForm(page: String(decoding: response.body, as: UTF8.self)), let target = address.resolving(form.action)
            else {
                onStep("result", "the browser ends at \(address.origin + address.path) with status \(response.status)")
                return
            }
            onStep("consent", "the first user on the page at \(address.origin) agrees")
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
