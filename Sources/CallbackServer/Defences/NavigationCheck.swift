import LoopbackHTTP
import PosternCore

/// Distinguishes a user's navigation from what a page or a browser does on its own (Fetch Metadata, Preloading).
enum NavigationCheck {
    /// Checks headers that browsers set and scripts cannot. A client that does not send them, such as an old browser or a program, is not
    /// refused: the state is what proves a callback, and this only prevents a state from being used up where nobody sees the page.
    static func allows(_ request: ServerRequest) -> Bool {
        guard request.values(of: "Sec-Fetch-Dest").allSatisfy({ $0 == "document" }) else { return false }
        let purposes = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].flatMap { request.values(of: $0) }
        return purposes.allSatisfy { purpose in
            let purpose = purpose.lowercased()
            return !["prefetch", "prerender", "preview"].contains { purpose.holds($0) }
        }
    }
    /// Whether a form is not from another website, as far as the browser says.
    static func isOwn(_ request: ServerRequest) -> Bool {
        request.values(of: "Sec-Fetch-Site").allSatisfy { $0 == "same-origin" }
    }
}
