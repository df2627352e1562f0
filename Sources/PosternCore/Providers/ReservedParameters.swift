/// Parameters of an authorization request that only Postern sets: anybody else who set one of them would change who asks, for what, where
/// the answer is sent, or what protects it.
public enum ReservedParameters {
    private static let names: Set<String> = [
        // RFC 6749 section 4.1.1, 4.1.3
        "client_id", "client_secret", "redirect_uri", "response_type", "scope", "state", "code", "grant_type",
        "access_token", "refresh_token",
        // OpenID Connect Core sections 3.1.2.1, 6, 7
        "nonce", "response_mode", "request", "request_uri", "registration", "id_token",
        // RFC 7636, RFC 9207, RFC 7521, RFC 9449
        "code_challenge", "code_challenge_method", "code_verifier", "iss", "client_assertion", "client_assertion_type", "dpop_jkt",
        // RFC 8707: a token for another service than the configured one would be stored for every program.
        "resource",
    ]

    /// Whether a parameter of that name is reserved. Letter case makes no difference, nor do characters that some servers replace by an
    /// underscore when they parse a name (PHP does so with a full stop, a space and a bracket).
    public static func contains(_ name: String) -> Bool {
        let folded = name.lowercased().mapping { scalar in
            switch scalar {
            case ".", "-", " ", "+", "[", "\t": "_"
            default: String(scalar)
            }
        }
        let bare = folded.parts(separator: "_").joined(separator: "_")
        // All of OAuth 1.0's (RFC 5849 section 3.1) begin alike.
        return names.contains(bare) || bare.begins(with: "oauth_")
    }

    /// The name to report, unchanged: the first in alphabetical order, so that the same call gets the same answer.
    ///
    /// - Parameter further: those of one provider, in lower case.
    public static func firstReserved(in names: some Sequence<String>, and further: Set<String> = []) -> String? {
        names.filter { contains($0) || further.contains($0.lowercased()) }.min()
    }
}
