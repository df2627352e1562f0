/// Where a request ends and what becomes of its connection, as its head tells.
struct RequestFraming: Sendable, Hashable {
    enum Body: Sendable, Hashable {
        case none
        case length(Int)
        case chunked
    }

    var body = Body.none
    /// The connection may serve another request. Never after a chunked one, whose end only the decoder knows: what follows it
    /// would be let through unread; nor after one that asks for another protocol.
    var keepsConnection = false
    /// `Expect: 100-continue` (RFC 9110 section 10.1.1).
    var awaitsContinue = false
    /// The authority of a target in absolute form (RFC 9112 section 3.2.2).
    var targetAuthority: String?
    /// The target in origin form.
    var target = ""
}
