/// Where the sealing key of a store lives. Kept in the store in plain, so that a missing key can be named.
public enum KeySource: Sendable, Hashable {
    /// A systemd credential (`LoadCredential=`, `LoadCredentialEncrypted=`) of that name.
    case credential(name: String)
    /// The keyring, through the Secret Service.
    case secretService
    /// `key`, beside the store.
    case file

    /// The form in which it is kept.
    init?(word: String) {
        switch word {
        case "file": self = .file
        case "secret-service": self = .secretService
        case _ where word.hasPrefix("credential:"): self = .credential(name: String(word.dropFirst("credential:".count)))
        default: return nil
        }
    }

    var word: String {
        switch self {
        case .credential(let name): "credential:\(name)"
        case .secretService: "secret-service"
        case .file: "file"
        }
    }
}

extension KeySource: CustomStringConvertible {
    /// As it stands in a sentence.
    public var description: String {
        switch self {
        case .credential(let name): "the systemd credential \(name)"
        case .secretService: "the Secret Service"
        case .file: "the key file"
        }
    }
}
