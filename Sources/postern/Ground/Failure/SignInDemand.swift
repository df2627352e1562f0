import PosternClient

/// What a token lacks that only a sign-in can give it.
struct SignInDemand: Equatable {
    var scopes: [String]
    /// The kinds of sign-in that a server takes (RFC 9470), of which one is enough.
    var acrValues: [String] = []
    /// How long ago the sign-in may be.
    var maxAgeSeconds: Int?

    init(scopes: [String], acrValues: [String] = [], maxAgeSeconds: Int? = nil) {
        (self.scopes, self.acrValues, self.maxAgeSeconds) = (scopes, acrValues, maxAgeSeconds)
    }

    /// Nil for any other error.
    init?(_ error: InterfaceError) {
        switch error {
        case .scopeNotGranted(_, let missing): self.init(scopes: missing)
        case .stepUpRequired(_, _, let scopes, let acrValues, let maxAgeSeconds):
            self.init(scopes: scopes, acrValues: acrValues, maxAgeSeconds: maxAgeSeconds)
        default: return nil
        }
    }

    /// The options of `postern sign-in`.
    ///
    /// - Parameter granted: a sign-in that names scopes gets these and no others, so the ones that the account has go with them.
    func options(besides granted: [String] = []) -> [String] {
        let wanted = scopes.isEmpty ? [] : granted + scopes.filter { !granted.contains($0) }
        var parameters = acrValues.isEmpty ? [] : ["acr_values=\(acrValues.joined(separator: " "))"]
        if let maxAgeSeconds { parameters.append("max_age=\(maxAgeSeconds)") }
        return wanted.flatMap { ["--scope", $0] } + parameters.flatMap { ["--param", $0] }
    }

    /// What the page will be about, for the person who decides.
    func lines(of name: String) -> [String] {
        var lines: [String] = []
        if !scopes.isEmpty { lines.append("\(name) asks for: \(scopes.joined(separator: ", "))") }
        if !acrValues.isEmpty { lines.append("\(name) asks for a stronger sign-in: \(acrValues.joined(separator: " or "))") }
        switch maxAgeSeconds {
        case nil: break
        case 0?: lines.append("\(name) asks for a new sign-in")
        case let seconds?: lines.append("\(name) asks for a sign-in within the last \(DurationText(seconds: seconds))")
        }
        return lines.map(\.plain)
    }

    /// Follows the account's name and a colon.
    var reason: String {
        scopes.isEmpty ? "a stronger or more recent sign-in is required" : "not granted: \(scopes.joined(separator: ", "))"
    }
}
