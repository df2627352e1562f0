/// Where the sealing key of a store is kept. Stored unencrypted in the store, so that a missing key can be named.
public enum KeySource: Sendable, Hashable {
    /// A systemd credential (`LoadCredential=`, `LoadCredentialEncrypted=`) with that name.
    case credential(name: String)
    /// The keyring, through the Secret Service.
    case secretService(KeyringItem)
    /// `key`, beside the store.
    case file
    /// A user's memory: the key is in the store itself, sealed with their passphrase.
    case passphrase(KeyWrapping)

    /// The word for the last one, beside which its wrapping is stored.
    static let passphraseWord = "passphrase"

    public var isPassphrase: Bool { if case .passphrase = self { true } else { false } }

    /// From the stored form; nil also for a passphrase, which needs more than a word.
    init?(word: String) {
        switch word {
        case "file": self = .file
        case _ where word.begins(with: "secret-service:"):
            guard let item = KeyringItem(word.rest(after: "secret-service:") ?? "") else { return nil }
            self = .secretService(item)
        case _ where word.begins(with: "credential:"): self = .credential(name: String(word.rest(after: "credential:") ?? ""))
        default: return nil
        }
    }

    var word: String {
        switch self {
        case .credential(let name): "credential:\(name)"
        case .secretService(let item): "secret-service:\(item)"
        case .file: "file"
        case .passphrase: Self.passphraseWord
        }
    }
}

extension KeySource: CustomStringConvertible {
    /// For use in a sentence.
    public var description: String {
        switch self {
        case .credential(let name): "the systemd credential \(name)"
        case .secretService: "the Secret Service"
        case .file: "the key file"
        case .passphrase: "your passphrase"
        }
    }
}
