/// A request of the bridge to a server, without what authorizes it.
public struct BridgeRequest: Sendable {
    public var method: String
    /// Absolute.
    public var url: String
    /// None that authorizes, and none that frames the message.
    public var headers: [(name: String, value: String)]
    public var body: Body

    public enum Body: Sendable {
        case none
        /// Can be sent again.
        case bytes([UInt8])
        /// Passed on as it arrives; with nil for the length, in chunks. It can be sent once.
        case streamed(length: Int?)
    }

    public var hasBody: Bool {
        switch body {
        case .none: false
        case .bytes(let bytes): !bytes.isEmpty
        case .streamed(let length): length != 0
        }
    }

    public init(method: String, url: String, headers: [(name: String, value: String)] = [], body: Body = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// The head of a server's answer.
public struct BridgeAnswer: Sendable {
    public var status: Int
    public var headers: [(name: String, value: String)]

    public init(status: Int, headers: [(name: String, value: String)] = []) {
        self.status = status
        self.headers = headers
    }

    /// Every value of the fields with that name, ignoring case.
    public func values(of name: String) -> [String] {
        headers.filter { $0.name.isEqualIgnoringCase(name) }.map(\.value)
    }
}

/// Why a request has no answer, or no whole one.
public struct BridgeFailure: Error, Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// Only a person can help: a sign-in, a step-up, an account to choose. The message names the command.
        case personNeeded
        /// The daemon refuses, or cannot be reached.
        case daemon
        /// No connection to the server; it saw nothing of the request.
        case unreachable
        /// The connection ended, or the answer broke a rule, after the request may have reached the server.
        case interrupted
    }

    public var kind: Kind
    /// A sentence for a person, lower case, without a secret.
    public var message: String
    /// False only if not one byte of the request was passed to the connection, or the server has refused to carry it out.
    public var mayHaveReachedServer: Bool

    public init(_ kind: Kind, _ message: String, mayHaveReachedServer: Bool = false) {
        self.kind = kind
        self.message = message
        self.mayHaveReachedServer = mayHaveReachedServer
    }
}
