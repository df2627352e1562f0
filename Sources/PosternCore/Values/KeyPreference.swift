/// Where the store's sealing key is to be kept; the raw values are those of the configuration.
public enum KeyPreference: String, Sendable, CaseIterable {
    /// When the store is created: a credential if there is one, else the keyring if it answers and is unlocked, else a file.
    case automatic = "auto"
    case credential
    case secretService = "secret-service"
    case file
    /// Whoever unlocks the store provides it.
    case passphrase
}
