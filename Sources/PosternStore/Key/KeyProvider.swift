import PosternCore
import PosternCrypto

/// Finds or creates the key that a store is sealed with.
public protocol KeyProvider: Sendable {
    /// A key for a store that is about to be created.
    ///
    /// It must be durable when this returns. After a crash before the store was created, this is called again, and should return the same
    /// key; nothing was sealed with it yet.
    ///
    /// - Parameter directory: the store's directory, absolute.
    func makeKey(in directory: String) throws(StoreError) -> SourcedKey

    /// The key of an existing store. It is never created again: if it is missing, that is an error.
    ///
    /// - Returns: at least one; several if the place contains more than one, of which the store recognises its own.
    func keys(from source: KeySource, in directory: String) throws(StoreError) -> [SealingKey]
}

/// A key and where it is kept.
public struct SourcedKey: Sendable {
    public var source: KeySource
    public var key: SealingKey

    public init(source: KeySource, key: SealingKey) {
        self.source = source
        self.key = key
    }
}
