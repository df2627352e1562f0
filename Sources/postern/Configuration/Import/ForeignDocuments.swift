import PosternClient
import StrictJSON

/// The JSON of oidc-agent, as printed by `oidc-gen --print`.
enum OIDCAgentFile {
    static func account(in document: JSONObject) throws(ForeignFileError) -> ForeignAccount {
        guard let issuer = try document.text("issuer_url", "issuer"), let name = try document.text("name") else {
            throw ForeignFileError("it has no issuer_url and no name: it is not an oidc-agent account")
        }
        var account = ForeignAccount(name: name)
        // oidc-agent adds a slash to every issuer, and accepts either form.
        account.provider = .issuer(issuer)
        account.clientID = try document.text("client_id")
        account.clientSecret = try document.text("client_secret").map { Secret($0) }
        account.refreshToken = try document.text("refresh_token").map { Secret($0) }
        account.scopes = Self.scopes(try document.text("auth_scope", "scope", "refresh_scope") ?? "")
        return account
    }

    static func scopes(_ text: String) -> [String] {
        var scopes: [String] = []
        for scope in text.parts(separator: " ").map(String.init) where !scopes.contains(scope) { scopes.append(scope) }
        return scopes
    }
}

/// The JSON of mutt_oauth2.py.
enum MuttOAuth2File {
    static func account(in document: JSONObject) throws(ForeignFileError) -> ForeignAccount {
        guard let registration = try document.text("registration") else {
            throw ForeignFileError("it has no registration: it is not a token file of mutt_oauth2.py")
        }
        let email = try document.text("email")
        var account = ForeignAccount(name: email ?? registration, login: email)
        // Other values come from a modified script; its user has to name the provider.
        account.provider = ForeignProvider(service: registration)
        account.clientID = try document.text("client_id")
        account.clientSecret = try document.text("client_secret").map { Secret($0) }
        account.refreshToken = try document.text("refresh_token").map { Secret($0) }
        account.scopes = scopes(at: account.provider)
        return account
    }

    /// They are in the script, not in the file.
    private static func scopes(at provider: ForeignProvider?) -> [String] {
        switch provider {
        case .builtIn("google.com", _): ["https://mail.google.com/"]
        case .builtIn("microsoft.com", _):
            ["offline_access"] + ["IMAP.AccessAsUser.All", "POP.AccessAsUser.All", "SMTP.Send"].map { "https://outlook.office.com/\($0)" }
        default: []
        }
    }
}

/// The JSON of oama. Its clients are in its config.yaml.
enum OAMAFile {
    static func account(in document: JSONObject) throws(ForeignFileError) -> ForeignAccount {
        guard let service = try document.text("service") else {
            throw ForeignFileError("it has no service: it is not an oama account")
        }
        // A string, or an object that has one.
        let email = try (document["email"]?.objectValue ?? document).text("email")
        var account = ForeignAccount(name: email ?? service, login: email)
        account.provider = ForeignProvider(service: service)
        account.refreshToken = try document.text("refresh_token").map { Secret($0) }
        account.scopes = OIDCAgentFile.scopes(try document.text("scope") ?? "")
        return account
    }
}

extension JSONObject {
    static func foreign(_ bytes: [UInt8]) throws(ForeignFileError) -> JSONObject {
        guard let object = (try? JSON(parsing: bytes))?.objectValue else { throw ForeignFileError("it is not a JSON object") }
        return object
    }

    /// Nil if it is missing or empty: several of these programs write an empty string for unknown values.
    ///
    /// - Parameter keys: the first one with a value counts.
    func text(_ keys: String...) throws(ForeignFileError) -> String? {
        for key in keys {
            if let text = try text(of: key) { return text }
        }
        return nil
    }

    private func text(of key: String) throws(ForeignFileError) -> String? {
        switch self[key] {
        case nil, .null, .object: return nil
        case .string(let text):
            guard text.utf8.count <= 16_384, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw ForeignFileError("its \(key) is too long or has control characters")
            }
            return text.isEmpty ? nil : text
        default: throw ForeignFileError("its \(key) must be a string")
        }
    }
}
