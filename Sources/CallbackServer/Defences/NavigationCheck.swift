import LoopbackHTTP
import PosternCore

/// Tells a user's navigation from what a page or a browser does on its own (Fetch Metadata, Preloading).
enum NavigationCheck {
    /// Headers that browsers set and scripts cannot. What does not send them, an old browser or a program, is not refused: the
    /// state is what proves a callback, and this only keeps a state from being spent where nobody sees the page.
    static func allows(_ request: ServerRequest) -> Bool {
        guard request.values(of: "Sec-Fetch-Dest").allSatisfy({ $0 == "document" }) else { return false }
        let purposes = ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].flatMap { request.values(of: $0) }
        return purposes.allSatisfy { purpose in
            let purpose = purpose.lowercased()
            return !["prefetch", "prerender", "preview"].contains { purpose.holds($0) }
        }
    }
}
