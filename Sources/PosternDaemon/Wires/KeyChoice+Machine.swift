import PosternConfiguration
import PosternCore
import PosternStore

extension KeyChoice {
    /// With the keepers of keys that this machine has.
    init(_ source: Configuration.KeySource, environment: [String: String], passphrase: Secret?) {
        let resolver = SecretResolver(environment: environment)
        self.init(
            Preference(source),
            credential: { name throws(CredentialUnreadable) in
                do throws(SecretError) { return try resolver.bytes(ofCredential: name) } catch {
                    throw CredentialUnreadable(reason: error.description)
                }
            }, keyring: DesktopKeyring(), passphrase: passphrase)
    }
}

extension KeyChoice.Preference {
    fileprivate init(_ source: Configuration.KeySource) {
        switch source {
        case .auto: self = .automatic
        case .credential: self = .credential
        case .secretService: self = .secretService
        case .file: self = .file
        case .passphrase: self = .passphrase
        }
    }
}
