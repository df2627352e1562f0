import StrictJSON

/// Entra's errors: OAuth's words, beside them numbers that say more, and a sentence with identifiers for its support behind.
enum MicrosoftError {
    /// Nil for what the standard's reading is as good for.
    static func refusal(in members: JSONObject, status: Int) -> TokenEndpointError? {
        guard let error = members["error"]?.stringValue, !error.isEmpty, let codes = members["error_codes"]?.arrayValue,
            // They pass, and are read as everybody's.
            !["temporarily_unavailable", "server_error", "slow_down"].contains(error)
        else { return nil }
        let description = members["error_description"]?.stringValue.map(sentence)
        var refusal = OAuthRefusal(
            status: status,
            error: ProviderText.cleaned(error, longest: ProviderText.longestName),
            errorDescription: description.flatMap { ProviderText.cleaned($0, longest: ProviderText.longestDescription) })
        for case .integer(let code) in codes.prefix(8) where refusal.advice == nil { refusal.advice = advice[code] }
        return .refused(refusal)
    }

    /// Without the trace and correlation IDs, which stand on lines of their own, or behind two blanks in newer answers.
    static func sentence(_ description: String) -> String {
        let line = description.prefix { !$0.isNewline }
        guard let end = line.range(ofText: " Trace ID: ")?.lowerBound else { return String(line) }
        return String(line[..<end])
    }

    /// By the numbers of "AADSTS…".
    private static let advice: [Int64: String] = [
        50011: "register the callback URL that `postern provider show microsoft.com` names, for mobile and desktop applications",
        50020: "the account is of no tenant that the application is for; check tenant, and the application's supported account types",
        50057: "the account is disabled; its administrator can enable it",
        50076: "the organisation asks for another proof of identity; sign in again",
        50079: "the organisation asks for another proof of identity; sign in again",
        50194: "the application is for one tenant: set tenant to that one's ID",
        53003: "the organisation's access policy does not allow this; its administrator knows why",
        54005: "the code was used before; sign in again",
        65001: "the person, or their administrator, must agree first; sign in again",
        70008: "the code or the refresh token is too old; sign in again",
        90002: "there is no such tenant; check tenant",
        500113: "register the callback URL that `postern provider show microsoft.com` names, for mobile and desktop applications",
        700016: "the tenant knows no such application; check client-id and tenant",
        700025: "the application is a public client; take client-secret out of the configuration",
        700082: "the refresh token was not used for too long; sign in again",
        7_000_215: "the client-secret is wrong; take the secret's value, not its ID",
        7_000_218: "register the callback URL for mobile and desktop applications, and allow public client flows; or set client-secret",
        7_000_222: "the client-secret has run out; make a new one",
        9_002_326: "register the callback URL for mobile and desktop applications, not for a single-page application",
        9_002_327: "register the callback URL for mobile and desktop applications, not for a single-page application",
        9_002_331: "the application is for personal accounts: set tenant = \"consumers\"",
        9_002_346: "the application is for personal accounts: set tenant = \"consumers\"",
    ]
}
