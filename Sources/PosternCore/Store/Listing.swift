/// The rows of a table that open, and what is wrong with those that do not: one bad row hides no other.
public struct Listing<Value: Sendable>: Sendable {
    public var values: [Value] = []
    /// Each of the kind ``StoreError/Kind/damagedRow``.
    public var damaged: [StoreError] = []

    public init() {}
}
