import PosternCore

/// The server's paths.
enum CallbackRoute: Hashable {
    /// `/__/auth/handler`, or `/__/auth/handler/PROVIDER` for a provider with its own.
    case handler
    case result
    case icon
    /// Redirects a browser to the page that ends a session at a provider.
    case endSession
    /// Where the browser returns from it.
    case signedOut
    /// What programs verify the users' ID tokens with.
    case discoveryDocument
    case keySet

    private static let handlerPath = "/__/auth/handler"
    static let resultPath = "/__/auth/done"
    /// Ours have 43; the rest is spare.
    static let maximumPageIDBytes = 128
    private static let maximumProviderBytes = 256

    init?(path: String) {
        switch path {
        case Self.handlerPath: self = .handler
        case Self.resultPath: self = .result
        case "/favicon.ico": self = .icon
        case "/__/auth/end-session": self = .endSession
        case "/__/auth/signed-out": self = .signedOut
        case UserTokenIssuer.discoveryPath: self = .discoveryDocument
        case UserTokenIssuer.keysPath: self = .keySet
        default:
            guard path.begins(with: Self.handlerPath + "/") else { return nil }
            let provider = path.utf8.dropFirst(Self.handlerPath.utf8.count + 1)
            guard !provider.isEmpty, provider.count <= Self.maximumProviderBytes, !provider.contains(UInt8(ascii: "/")) else { return nil }
            self = .handler
        }
    }

    var methods: [String] {
        switch self {
        case .handler, .result: ["GET", "POST"]
        case .icon, .endSession, .signedOut: ["GET"]
        // For programs, which may check that the document exists without reading it.
        case .discoveryDocument, .keySet: ["GET", "HEAD"]
        }
    }

    /// Without the code and the state, so that neither stays in the address bar or the history.
    static func resultLocation(pageID: String) -> String { "\(resultPath)?page=\(PercentEncoding.encode(pageID))" }
}
