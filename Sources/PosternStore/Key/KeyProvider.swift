import PosternCore
import PosternCrypto

/// Finds or makes the key that a store is sealed with.
public protocol KeyProvider: Sendable {
    /// A key for a store that is about to be made.
    ///
    /// It must be durable when this returns. After a crash before the store was made it is asked for again, and should
    /// come back the same; nothing was sealed with it yet.
    ///
    /// - Parameter directory: the store's directory, absolute.
    func makeKey(in directory: String) throws(StoreError) -> SourcedKey

    /// The key of a store that exists. It is never made again: where it is not, that is an error.
    ///
    /// - Returns: at least one; several where the place has more than one, of which the store knows its own.
    func keys(from source: KeySource, in directory: String) throws(StoreError) -> [SealingKey]

    /// The store is open, and on disk. Where its key should be looked for from now on; nil if that is as it was.
    ///
    /// The key is there already when this returns, and stays where it was, too.
    func settle(_ key: SealingKey, from source: KeySource, in directory: String) -> KeySource?
}

extension KeyProvider {
    public func settle(_ key: SealingKey, from source: KeySource, in directory: String) -> KeySource? { nil }
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
