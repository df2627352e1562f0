/// An authorization response as it arrived: read, but not yet matched with a sign-in.
public struct LoopbackCallback: Sendable {
    /// How it came.
    public enum Method: Sendable, Hashable {
        /// `GET` with a query.
        case get
        /// `POST` with a form: `response_mode=form_post`, or the fragment page's script.
        case post
        /// Handed over on the socket, as a custom scheme's handler or a person's paste does.
        case delivered
    }

    /// The path it arrived at, still percent-encoded: `/__/auth/handler` or `/__/auth/handler/PROVIDER`.
    public var path: String
    public var parameters: CallbackParameters
    public var method: Method

    public init(path: String, parameters: CallbackParameters, method: Method) {
        self.path = path
        self.parameters = parameters
        self.method = method
    }
}
