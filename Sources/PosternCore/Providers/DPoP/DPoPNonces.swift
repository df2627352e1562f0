/// The nonces that servers require in proofs (RFC 9449 sections 8 and 9): the newest of each origin.
public struct DPoPNonces: Sendable {
    /// The most origins; beyond it all are forgotten, which costs a repeated request each.
    static let most = 64
    /// The longest nonce, in bytes.
    static let longest = 512

    private var nonces: [String: String] = [:]

    public init() {}

    /// - Parameter url: of the request.
    public func nonce(for url: String) -> String? { nonces.isEmpty ? nil : Self.origin(url).flatMap { nonces[$0] } }

    /// Any answer may contain a new one (section 8.2).
    public mutating func answered(_ response: ProviderResponse, from url: String) {
        guard let nonce = response.dpopNonce, let origin = Self.origin(url) else { return }
        if nonces.count >= Self.most, nonces[origin] == nil { nonces = [:] }
        nonces[origin] = nonce
    }

    /// Visible ASCII without quotation mark and backslash (section 8.1).
    public static func isNonce(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }

    private static func origin(_ url: String) -> String? {
        (try? EndpointURL(url)).map { "\($0.scheme.rawValue)://\($0.host):\($0.port)" }
    }
}

extension ProviderResponse {
    fileprivate var dpopNonce: String? {
        guard let nonce = header("DPoP-Nonce"), DPoPNonces.isNonce(nonce) else { return nil }
        return nonce
    }

    /// The server requires the request once more, with the nonce that it sends. It checked nothing else, so a code or a refresh token in
    /// the request is still valid.
    public var wantsDPoPNonce: Bool {
        guard dpopNonce != nil else { return false }
        switch status {
        case 400: return errorCode == "use_dpop_nonce"
        case 401:
            // A token endpoint says so in its body, a resource in its challenge.
            return errorCode == "use_dpop_nonce"
                || challenges.contains { $0.scheme == "dpop" && $0.parameters["error"] == "use_dpop_nonce" }
        default: return false
        }
    }

    private var errorCode: String? { members?["error"]?.stringValue }
}
